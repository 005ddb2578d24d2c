# CMake toolchain file of tests/arm64.sh: Debian's cross compiler, libraries in LABS_SYSROOT, and the
# emulator for user programs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LABS_SYSROOT)
set(CMAKE_FIND_ROOT_PATH "${LABS_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
# The libraries that OpenCV needs are found when a program starts.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,--allow-shlib-undefined)
set(libraries "${LABS_SYSROOT}/usr/lib/aarch64-linux-gnu")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L "${LABS_SYSROOT}" -E
    "LD_LIBRARY_PATH=${libraries}:${libraries}/blas:${libraries}/lapack")
# The emulator says where libraries are.
set(CMAKE_SKIP_RPATH ON)
