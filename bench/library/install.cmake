# The library for other programs: roofline::roofline (declared work, regions), roofline::kernel (counted kernels), by
# find_package(roofline) after `cmake --install`, add_subdirectory or FetchContent.

file(GLOB library_sources CONFIGURE_DEPENDS bench/library/*.cpp)
add_library(roofline_library OBJECT ${library_sources})
# Versions of Google Benchmark differ in what the time of a row with several threads is.
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.?([0-9]*)" matched "${benchmark_VERSION}.0")
if(matched)
  math(EXPR benchmark_number "${CMAKE_MATCH_1} * 10000 + ${CMAKE_MATCH_2} * 100 + 0${CMAKE_MATCH_3}")
else()
  set(benchmark_number 10900) # part of the same build: a new one
endif()
target_compile_definitions(roofline_library PRIVATE ${version_definitions} ROOFLINE_BENCHMARK_VERSION=${benchmark_number})
target_include_directories(roofline_library PUBLIC ${PROJECT_SOURCE_DIR}/bench/library/include)
target_link_libraries(roofline_library PUBLIC roofline_options roofline_arch benchmark::benchmark nlohmann_json::nlohmann_json)
compile_together(roofline_library)

# Without our kernels, and without a GPU: a program that uses it need not know CUDA.
add_library(roofline_archive STATIC EXCLUDE_FROM_ALL
  $<TARGET_OBJECTS:roofline_harness> $<TARGET_OBJECTS:roofline_run> $<TARGET_OBJECTS:roofline_without_cuda>
  $<TARGET_OBJECTS:roofline_microkernels> $<TARGET_OBJECTS:roofline_reporters> $<TARGET_OBJECTS:roofline_library>)
set_target_properties(roofline_archive PROPERTIES OUTPUT_NAME roofline EXPORT_NAME archive)
target_include_directories(roofline_archive PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(roofline_archive PRIVATE cxx_std_20)
target_link_libraries(roofline_archive PUBLIC benchmark::benchmark PRIVATE fmt::fmt OpenMP::OpenMP_CXX Threads::Threads
                                       ${HWLOC_LIBRARY})

include(GNUInstallDirs)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/roofline)
# Ceilings and reports register themselves: of the archive everything is linked, also what no symbol asks for.
add_library(roofline_interface INTERFACE)
set_target_properties(roofline_interface PROPERTIES EXPORT_NAME roofline)
target_compile_features(roofline_interface INTERFACE cxx_std_20)
target_link_libraries(roofline_interface INTERFACE # exporting does not look into LINK_LIBRARY
  $<BUILD_INTERFACE:$<LINK_LIBRARY:WHOLE_ARCHIVE,roofline_archive>>
  $<INSTALL_INTERFACE:$<LINK_LIBRARY:WHOLE_ARCHIVE,roofline::archive>>)
target_include_directories(roofline_interface INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/bench/library/include>
                                                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# What is fused is part of a kernel's type, so the compiler must not fuse on its own.
add_library(roofline_kernel INTERFACE)
set_target_properties(roofline_kernel PROPERTIES EXPORT_NAME kernel)
target_link_libraries(roofline_kernel INTERFACE roofline_interface OpenMP::OpenMP_CXX)
target_compile_options(roofline_kernel INTERFACE -ffp-contract=off)
target_include_directories(roofline_kernel INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                     $<INSTALL_INTERFACE:${headers}/detail>)
add_library(roofline::roofline ALIAS roofline_interface)
add_library(roofline::kernel ALIAS roofline_kernel)

if(PROJECT_IS_TOP_LEVEL)
  set_target_properties(roofline_archive PROPERTIES EXCLUDE_FROM_ALL OFF)
  include(CMakePackageConfigHelpers)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/roofline)
  configure_file(bench/library/roofline-config.cmake.in roofline-config.cmake @ONLY)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/roofline-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(TARGETS roofline_archive roofline_interface roofline_kernel EXPORT roofline)
  install(EXPORT roofline NAMESPACE roofline:: FILE roofline-targets.cmake DESTINATION ${package})
  install(FILES ${PROJECT_BINARY_DIR}/roofline-config.cmake ${PROJECT_BINARY_DIR}/roofline-config-version.cmake
          DESTINATION ${package})
  install(DIRECTORY bench/library/include/roofline/ DESTINATION ${headers})
  # What the public headers are made of: not for inclusion by name.
  foreach(room model space machine levels simulator counters text run)
    install(DIRECTORY bench/${room} DESTINATION ${headers}/detail/bench FILES_MATCHING PATTERN *.hpp)
  endforeach()
endif()
