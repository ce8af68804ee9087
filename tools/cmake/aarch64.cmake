# For Arm from another machine: cmake -DCMAKE_TOOLCHAIN_FILE=tools/cmake/aarch64.cmake, with Debian's g++-aarch64-linux-gnu and
# the libraries' arm64 packages; qemu-aarch64 of qemu-user runs the result.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -cpu max)
