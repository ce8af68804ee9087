# The CUDA that the GPU part is built with, or one line that says why it is left out. Included by the root
# CMakeLists.txt, which goes on either way: CUDA is used where it is found and never required.

# The first nvcc with -std=c++20. 12.4 and 13.0 compile this (tests/cuda/cuda12.sh).
set(ROOFLINE_CUDA_OLDEST 12.0)
# Set by tools/run.sh where there is no GPU; the presets clear it. Both ways the CPU part has the same files,
# compiled by the same commands, so adding the GPU part compiles nothing else.
option(ROOFLINE_CUDA_LATER "Leave the GPU part out for now" OFF)

# Without a card ("usual"): Turing, or Volta where nvcc still knows it, and Hopper. Drivers of other chips compile the
# PTX at the first launch, which the machine table then says. Each more target takes a third of the time of all .cu files
# (results/build-times.md).
set(default usual)
if(EXISTS /dev/nvidiactl OR EXISTS /dev/dxg) # the second: Windows' own Linux
  set(default native)
endif()
set(ROOFLINE_CUDA_ARCHITECTURES "${default}" CACHE STRING
    "Compute capabilities: 70 75 80 86 87 88 89 90 100 103 110 120 121, each also with -real or -virtual; usual, or native")

# roofline_cuda_targets(RESULT nvcc): translates ROOFLINE_CUDA_ARCHITECTURES for nvcc. native: the cards that nvidia-smi
# sees, machine code and PTX of each (PTX is executed by a virtual GPU).
function(roofline_cuda_targets result nvcc)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+" known "${known}")
  set(default_targets 75 90)
  if(70 IN_LIST known)
    set(default_targets 70 90)
  endif()
  set(default_targets ${default_targets} PARENT_SCOPE)
  set(${result} ${ROOFLINE_CUDA_ARCHITECTURES} PARENT_SCOPE)
  if(ROOFLINE_CUDA_ARCHITECTURES STREQUAL usual)
    set(${result} ${default_targets} PARENT_SCOPE)
  endif()
  if(NOT ROOFLINE_CUDA_ARCHITECTURES STREQUAL native)
    return()
  endif()
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE cards ERROR_QUIET RESULT_VARIABLE failed)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" cards "${cards}")
  list(REMOVE_DUPLICATES cards)
  set(targets)
  foreach(card IN LISTS cards)
    string(REPLACE "." "" target ${card})
    if(target IN_LIST known)
      list(APPEND targets ${target})
    else()
      message(STATUS "GPU part: this nvcc makes no code for compute capability ${card}")
    endif()
  endforeach()
  if(NOT targets)
    set(targets ${default_targets})
    message(STATUS "GPU part: no card to build for (nvidia-smi --query-gpu=compute_cap); building for ${targets}")
  endif()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# Kernels that every target can have.
function(roofline_use_gpu_code target)
  if(roofline_gpu_code)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES OFF)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${roofline_gpu_code}>")
  endif()
endfunction()

set(ROOFLINE_NO_CUDA "this build has no CUDA kernels" CACHE INTERNAL "Why there is no GPU part")
if(ROOFLINE_CUDA)
  find_program(ROOFLINE_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda/bin)
  if(ROOFLINE_NVCC)
    execute_process(COMMAND ${ROOFLINE_NVCC} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version MATCHES "release ([0-9]+\\.[0-9]+)")
      set(why "${ROOFLINE_NVCC} --version names no release, CUDA ${ROOFLINE_CUDA_OLDEST} or later is needed")
    elseif(CMAKE_MATCH_1 VERSION_LESS ROOFLINE_CUDA_OLDEST)
      set(why "${ROOFLINE_NVCC} is CUDA ${CMAKE_MATCH_1}, ${ROOFLINE_CUDA_OLDEST} or later is needed")
    endif()
    if(why)
      message(STATUS "GPU part left out: ${why}; the CPU part is built")
      set(ROOFLINE_NO_CUDA "this build has no CUDA kernels: ${why}" CACHE INTERNAL "Why there is no GPU part")
    elseif(NOT ROOFLINE_CUDA_LATER)
      set(CMAKE_CUDA_COMPILER ${ROOFLINE_NVCC})
      roofline_cuda_targets(CMAKE_CUDA_ARCHITECTURES ${ROOFLINE_NVCC})
      message(STATUS "Kernels for ${CMAKE_CUDA_ARCHITECTURES}")
      set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
      set(ROOFLINE_GPU_TARGETS ${CMAKE_CUDA_ARCHITECTURES})
      set(roofline_gpu_code)
      if("${CMAKE_CUDA_ARCHITECTURES}" STREQUAL "${default_targets}")
        # Machine code of both from one PTX, which takes most of the time: nothing common to all cards needs a newer one.
        list(GET default_targets 0 oldest)
        set(roofline_gpu_code --generate-code=arch=compute_${oldest},code=[compute_${oldest},sm_${oldest},sm_90])
      endif()
      enable_language(CUDA)
      find_package(CUDAToolkit REQUIRED)
      # CUPTI is loaded at run time: its headers are enough. A toolkit may have them in a folder of their own.
      find_path(ROOFLINE_CUPTI_INCLUDE cupti_range_profiler.h HINTS ${CUDAToolkit_CUPTI_INCLUDE_DIR} NO_DEFAULT_PATH)
      if(NOT ROOFLINE_CUPTI_INCLUDE)
        set(instead "install CUPTI")
        if(CUDAToolkit_VERSION VERSION_LESS 12.6)
          set(instead "it begins with CUDA 12.6, --counters=FILE.csv reads ncu's")
        endif()
        message(STATUS "GPU part without counters: no cupti_range_profiler.h in the toolkit of ${ROOFLINE_NVCC}; ${instead}")
      endif()
    endif()
  endif()
endif()
