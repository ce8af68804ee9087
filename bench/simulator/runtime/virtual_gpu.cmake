# The virtual GPU: PTX engine, CUDA runtime in front of it. One set of objects serves the executables and the library
# that replaces libcudart in other programs' processes.
file(GLOB_RECURSE virtual_gpu_sources CONFIGURE_DEPENDS bench/simulator/ptx/*.cpp)
file(GLOB runtime_sources CONFIGURE_DEPENDS bench/simulator/runtime/*.cpp)
list(APPEND virtual_gpu_sources ${runtime_sources})
# Loops over the lanes of a warp: they must become vector instructions. Neither flag changes a value.
file(GLOB lane_sources CONFIGURE_DEPENDS bench/simulator/ptx/ops/*.cpp)
set(lane_options "-fno-math-errno;-fno-trapping-math;$<$<CONFIG:Release>:-O3>")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND lane_options -mprefer-vector-width=512)
endif()
set_source_files_properties(${lane_sources} PROPERTIES COMPILE_OPTIONS "${lane_options}" SKIP_PRECOMPILE_HEADERS ON)
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
find_path(LZ4_INCLUDE_DIR lz4.h REQUIRED)
find_library(LZ4_LIBRARY lz4 REQUIRED)
if(CMAKE_CUDA_COMPILER_LOADED)
  file(GLOB virtual_cuda_sources CONFIGURE_DEPENDS bench/simulator/runtime/cuda/*.cpp)
  list(APPEND virtual_gpu_sources ${virtual_cuda_sources})
  list(FILTER virtual_gpu_sources EXCLUDE REGEX "/absent\\.cpp$")
else()
  # Without CUDA tests alone use it.
  list(FILTER virtual_gpu_sources EXCLUDE REGEX "/(absent|settings|fault_plan|virtual_device)\\.cpp$")
endif()
add_library(virtual_gpu OBJECT EXCLUDE_FROM_ALL ${virtual_gpu_sources})
set_target_properties(virtual_gpu PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
target_link_libraries(virtual_gpu PUBLIC roofline_options roofline_arch nlohmann_json::nlohmann_json ${ZSTD_LIBRARY}
                                         ${LZ4_LIBRARY})
target_include_directories(virtual_gpu SYSTEM PUBLIC ${ZSTD_INCLUDE_DIR} ${LZ4_INCLUDE_DIR})
precompile(virtual_gpu)
compile_together(virtual_gpu)

# What executes feeds the device model.
file(GLOB bridge_sources CONFIGURE_DEPENDS bench/simulator/bridge/*.cpp)
if(NOT CMAKE_CUDA_COMPILER_LOADED)
  list(FILTER bridge_sources EXCLUDE REGEX "/launch_counts\\.cpp$")
endif()
add_library(virtual_gpu_bridge OBJECT EXCLUDE_FROM_ALL ${bridge_sources})
target_link_libraries(virtual_gpu_bridge PRIVATE virtual_gpu)

if(CMAKE_CUDA_COMPILER_LOADED)
  target_link_libraries(roofline_harness INTERFACE ${ZSTD_LIBRARY} ${LZ4_LIBRARY})
  target_sources(roofline_harness INTERFACE $<TARGET_OBJECTS:virtual_gpu> $<TARGET_OBJECTS:virtual_gpu_bridge>)
  target_include_directories(virtual_gpu SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})

  # Our own executables: the linker sends each call of these functions to the virtual runtime, which passes it on to the
  # static one unless a virtual device was selected. The definitions are the list.
  file(GLOB virtual_api_sources CONFIGURE_DEPENDS bench/simulator/runtime/api/*.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${virtual_api_sources})
  foreach(source IN LISTS virtual_api_sources)
    file(STRINGS ${source} definitions REGEX "^ROOFLINE_(CUDA|REGISTER)\\(")
    foreach(definition IN LISTS definitions)
      string(REGEX REPLACE "^ROOFLINE_[A-Z]+\\([^,]+, ([A-Za-z0-9_]+),.*" "\\1" name "${definition}")
      list(APPEND virtual_functions ${name})
    endforeach()
  endforeach()
  add_library(virtual_gpu_wrapped OBJECT EXCLUDE_FROM_ALL ${virtual_api_sources})
  target_compile_definitions(virtual_gpu_wrapped PRIVATE ROOFLINE_WRAPPED_RUNTIME)
  target_link_libraries(virtual_gpu_wrapped PRIVATE virtual_gpu)
  target_sources(roofline_harness INTERFACE $<TARGET_OBJECTS:virtual_gpu_wrapped>)
  list(TRANSFORM virtual_functions PREPEND "LINKER:--wrap=" OUTPUT_VARIABLE wrap_options)
  target_link_options(roofline_harness INTERFACE ${wrap_options})

  # What it needs of the harness: descriptions of devices, and to be told to stop.
  file(GLOB text_sources CONFIGURE_DEPENDS bench/text/*.cpp)
  add_library(virtual_gpu_devices OBJECT EXCLUDE_FROM_ALL bench/simulator/device.cpp bench/simulator/model_hash.cpp
              bench/machine/interrupt.cpp bench/model/ceiling_name.cpp ${text_sources} ${PROJECT_BINARY_DIR}/known_devices.cpp)
  set_target_properties(virtual_gpu_devices PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_link_libraries(virtual_gpu_devices PRIVATE roofline_options roofline_arch nlohmann_json::nlohmann_json)
  add_library(virtual_gpu_api OBJECT EXCLUDE_FROM_ALL ${virtual_api_sources})
  set_target_properties(virtual_gpu_api PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  compile_together(virtual_gpu_wrapped virtual_gpu_api virtual_gpu_devices)
  target_link_libraries(virtual_gpu_api PRIVATE virtual_gpu)
  if(CMAKE_CXX_FLAGS_DEBUG MATCHES "-fsanitize")
    # Its functions are called from C, where an enumeration holds any number, and answer with an error code.
    foreach(target virtual_gpu virtual_gpu_wrapped virtual_gpu_api)
      target_compile_options(${target} PRIVATE -fno-sanitize=enum)
    endforeach()
  endif()

  # Other programs: a libcudart of the same name and symbol version. What it lacks is refused by name.
  find_library(ROOFLINE_SHARED_CUDART NAMES libcudart.so.${CUDAToolkit_VERSION_MAJOR} HINTS ${CUDAToolkit_LIBRARY_DIR})
  if(ROOFLINE_SHARED_CUDART AND CMAKE_NM AND NOT CMAKE_CXX_FLAGS_DEBUG MATCHES "-fsanitize")
    execute_process(COMMAND ${CMAKE_NM} -D --defined-only ${ROOFLINE_SHARED_CUDART} OUTPUT_VARIABLE exported)
    string(REGEX MATCHALL "(__)?cuda[A-Za-z0-9_]+@@" exported "${exported}")
    list(TRANSFORM exported REPLACE "@@" "")
    file(GLOB shared_sources CONFIGURE_DEPENDS bench/simulator/runtime/shared/*.cpp)
    file(STRINGS bench/simulator/runtime/shared/per_thread.cpp definitions REGEX "^ROOFLINE_PER_THREAD\\(")
    string(REGEX MATCHALL "cuda[A-Za-z0-9]+_pt(sz|ds)" per_thread "${definitions}")
    list(REMOVE_ITEM exported ${virtual_functions} ${per_thread} __cudaLaunchKernel_ptsz)
    string(CONCAT refused "// Generated: functions of the CUDA runtime that the virtual GPU does not have.\n"
                "namespace roofline::runtime { int refused(const char*); }\n")
    foreach(name IN LISTS exported)
      string(APPEND refused "extern \"C\" __attribute__((visibility(\"default\"))) int ${name}() "
                            "{ return roofline::runtime::refused(\"${name}\"); }\n")
    endforeach()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/refused.cpp CONTENT "${refused}" @ONLY)
    set(library libcudart.so.${CUDAToolkit_VERSION_MAJOR})
    file(WRITE ${PROJECT_BINARY_DIR}/cudart.map "${library} { global: cuda*; __cuda*; local: *; };\n")
    add_library(virtual_cudart SHARED $<TARGET_OBJECTS:virtual_gpu> $<TARGET_OBJECTS:virtual_gpu_api>
                                      $<TARGET_OBJECTS:virtual_gpu_devices> ${shared_sources}
                                      ${PROJECT_BINARY_DIR}/refused.cpp)
    target_link_libraries(virtual_cudart PRIVATE roofline_options roofline_arch nlohmann_json::nlohmann_json
                                                 ${ZSTD_LIBRARY} ${LZ4_LIBRARY})
    target_include_directories(virtual_cudart SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_options(virtual_cudart PRIVATE LINKER:--version-script=${PROJECT_BINARY_DIR}/cudart.map
                                               LINKER:-Bsymbolic LINKER:--no-undefined LINKER:-soname=${library})
    set_target_properties(
      virtual_cudart
      PROPERTIES OUTPUT_NAME ${library} PREFIX "" SUFFIX "" CXX_VISIBILITY_PRESET hidden NO_SONAME ON
                 LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/roofline
                 LINK_DEPENDS ${PROJECT_BINARY_DIR}/cudart.map)
  endif()
endif()
