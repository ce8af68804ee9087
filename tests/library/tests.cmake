# The library as other programs see it: installed into a folder of the build, and used by the programs of README.md.
target_link_libraries(roofline_tests PRIVATE roofline_library)
set(in_library ${CMAKE_CURRENT_SOURCE_DIR}/library)
set(prefix ${PROJECT_BINARY_DIR}/tests/prefix)
add_test(NAME Library.Installs COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(Library.Installs PROPERTIES FIXTURES_SETUP roofline_installed)
add_test(NAME Library.InstallsProgramsAndTheirManuals COMMAND ${in_library}/programs.sh ${prefix})
set_tests_properties(Library.InstallsProgramsAndTheirManuals PROPERTIES FIXTURES_REQUIRED roofline_installed)
# One after the other: both need the ceilings, which the first of them measures.
add_test(NAME Library.ServesAProjectOutside
         COMMAND ${in_library}/outside.sh installed ${prefix} ${PROJECT_BINARY_DIR})
add_test(NAME Library.ServesAProjectAroundIt
         COMMAND ${in_library}/outside.sh subdirectory ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
set_tests_properties(Library.ServesAProjectOutside Library.ServesAProjectAroundIt PROPERTIES
                     FIXTURES_REQUIRED roofline_installed RESOURCE_LOCK roofline_ceilings)
add_test(NAME Library.MistakesOfAKernelAreNamedByTheCompiler
         COMMAND ${in_library}/mistakes.sh ${CMAKE_CXX_COMPILER} ${PROJECT_SOURCE_DIR})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64") # whose jumps it knows
  add_test(NAME Library.WorkAddsNoInstructionToALoop
           COMMAND ${in_library}/work_costs_nothing.sh ${CMAKE_CXX_COMPILER} ${prefix}/${CMAKE_INSTALL_INCLUDEDIR})
  set_tests_properties(Library.WorkAddsNoInstructionToALoop PROPERTIES FIXTURES_REQUIRED roofline_installed)
endif()
