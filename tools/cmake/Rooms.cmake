# Every folder of sources is a room: its CMakeLists.txt names the library that its sources are part of, whose flags they
# have. tests/include_arrows.txt has the rooms that it may include.

# Most of the time of a build would go into reading the same headers of others. -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
# shows that every file still includes what it needs.
function(precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <set>
                            <stdexcept> <string> <utility> <vector> <fmt/format.h> ${ARGN})
endfunction()

# not_timed(targets...): code that reads, judges and prints takes milliseconds at any level of optimisation, and needs a
# third less build time at this one. The headers are compiled once for all of them, so they must have the same flags.
set(cold_code $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-Og>)
function(not_timed)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${cold_code} $<$<COMPILE_LANGUAGE:CXX>:-fPIC>)
    target_compile_definitions(${target} PRIVATE ${version_definitions})
    if(NOT target STREQUAL roofline_run)
      target_precompile_headers(${target} REUSE_FROM roofline_run)
    endif()
  endforeach()
endfunction()

# So does compiling several files in one unit: names of a library's files, those in anonymous namespaces too, must
# differ. -DROOFLINE_UNITY=OFF shows that every file still stands alone, and compiles least after a change of one. Files
# with options of their own stay alone, and CUDA's.
option(ROOFLINE_UNITY "Compile several files of a library in one unit" ON)
function(compile_together)
  set(files 90) # 2.7 GB for tests
  if(CMAKE_CXX_FLAGS_DEBUG MATCHES "-fsanitize")
    set(files 16) # which takes a multiple of that
  endif()
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ${ROOFLINE_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# one_unit(RESULT unit files...): the files, in one source that includes them.
function(one_unit result unit)
  set(sources ${ARGN})
  if(ROOFLINE_UNITY)
    list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE lines)
    list(JOIN lines "" lines)
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/${unit})
    file(CONFIGURE OUTPUT ${sources} CONTENT "${lines}" @ONLY)
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# roofline_room(LIBRARY [EXCEPT files]): adds the sources of this folder to LIBRARY.
function(roofline_room library)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" EXCEPT)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(file IN LISTS room_EXCEPT)
    list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  target_sources(${library} PRIVATE ${sources})
endfunction()

# embedded(RESULT file): the text of a file that becomes part of a program, which then needs no path to it.
function(embedded result file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
# embedded_pairs(RESULT files...): {"name", "text"} of each, as the initialisers of a list; the name without its ending.
function(embedded_pairs result)
  foreach(file IN LISTS ARGN)
    embedded(text ${file})
    get_filename_component(name ${file} NAME_WE)
    string(APPEND pairs "      {\"${name}\", R\"json(${text})json\"},\n")
  endforeach()
  set(${result} "${pairs}" PARENT_SCOPE)
endfunction()
