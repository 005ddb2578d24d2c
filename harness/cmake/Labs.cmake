# What every CMakeLists.txt of the project includes first: language standard, warnings, CUDA found
# or not, the harness, and add_lab().
include_guard(GLOBAL)

set(LABS_CUDA AUTO CACHE STRING
    "Build the CUDA variants: AUTO (if nvcc works), ON, OFF, or EMULATE (with g++, to run on the CPU)")
option(LABS_WERROR "Treat warnings as errors" OFF)
set(LABS_SANITIZE "" CACHE STRING "Sanitizers for the C++ code, like address,undefined")
set(LABS_TEST_TIMEOUT 120 CACHE STRING "Seconds after which a test is killed")
set(LABS_SKIP_VARIANTS "" CACHE STRING
    "Variants to leave out: NAME of one that does not compile, or NAME=reason")
set(LABS_HARNESS_BUILD "" CACHE PATH "A build folder of harness, with the same settings, to use")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# --- CUDA ------------------------------------------------------------------------------------

set(LABS_WHY_NO_CUDA "")
set(LABS_EMULATED OFF)
if(LABS_CUDA STREQUAL "EMULATE")
  find_package(Boost 1.74 REQUIRED COMPONENTS context)
  set(LABS_EMULATED ON)
endif()
if(LABS_EMULATED)
  # g++ compiles the kernels.
elseif(LABS_CUDA STREQUAL "OFF")
  set(LABS_WHY_NO_CUDA "built without CUDA: LABS_CUDA is OFF")
else()
  # A bare `native` is an error where no GPU answers, so it is only the default where one does.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET)
    if(no_gpu)
      set(CMAKE_CUDA_ARCHITECTURES all-major)
    else()
      set(CMAKE_CUDA_ARCHITECTURES native)
    endif()
  endif()
  find_program(LABS_NVCC nvcc PATHS ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(LABS_NVCC)
  if(LABS_NVCC AND NOT DEFINED ENV{CUDACXX})
    set(ENV{CUDACXX} "${LABS_NVCC}")
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER AND CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
    set(LABS_WHY_NO_CUDA
        "built without CUDA: version 12 is needed, this is ${CMAKE_CUDA_COMPILER_VERSION}")
  elseif(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    endif()
    find_package(CUDAToolkit REQUIRED)
  elseif(LABS_NVCC)
    set(LABS_WHY_NO_CUDA "built without CUDA: nvcc does not work with this host compiler")
    message(WARNING "${LABS_NVCC} fails to compile a test program; the newest g++ that it accepts "
                    "can be named with CUDAHOSTCXX=g++-12, say. Building without CUDA.")
  else()
    set(LABS_WHY_NO_CUDA "built without CUDA: no nvcc was found")
  endif()
  if(LABS_WHY_NO_CUDA AND LABS_CUDA STREQUAL "ON")
    message(FATAL_ERROR "LABS_CUDA is ON, but ${LABS_WHY_NO_CUDA}")
  endif()
endif()
if(LABS_WHY_NO_CUDA)
  message(STATUS "CUDA variants: no (${LABS_WHY_NO_CUDA})")
elseif(LABS_EMULATED)
  message(STATUS "CUDA variants: emulated on the CPU, checked, never timed")
else()
  message(STATUS "CUDA variants: yes, for architecture(s) ${CMAKE_CUDA_ARCHITECTURES}")
endif()

# --- packages --------------------------------------------------------------------------------

include(CTest)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(OpenCV REQUIRED COMPONENTS core imgproc imgcodecs)
find_package(OpenMP REQUIRED COMPONENTS CXX)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

# --- warnings and sanitizers -----------------------------------------------------------------

add_library(labs_flags INTERFACE)
target_compile_options(
  labs_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion>
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${LABS_WERROR}>>:-Werror>
            # constexpr functions, those of View among them, may be called in kernels
            $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=-Wall,-Wextra>
            $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${LABS_WERROR}>>:-Werror=all-warnings>)
if(LABS_SANITIZE)
  target_compile_options(
    labs_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${LABS_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(labs_flags INTERFACE -fsanitize=${LABS_SANITIZE})
endif()

# --- emulation -------------------------------------------------------------------------------

# Kernels that run on the CPU: the compiler calls the emulation before every load and store
# (-fsanitize=thread, without its library), and where an address or an index is wrong in itself. The
# last -O2 and -g count, so that faults have lines in all kinds of builds.
add_library(labs_emulated_kernels INTERFACE)
target_compile_options(
  labs_emulated_kernels
  INTERFACE -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -ffp-contract=off
            -fsanitize=thread --param=tsan-distinguish-volatile=1
            --param=tsan-instrument-func-entry-exit=0 -fsanitize=alignment,bounds
            # nvcc takes bytes for words and words for bytes, and does not warn of these either
            # a load of a uint4 stays one access of 16 bytes, as on a GPU
            -fno-tree-sra
            -fno-strict-aliasing -Wno-conversion -Wno-shadow -Wno-unused-function -Wno-pedantic)

# labs_translate(OUT FOLDER FILES...): CUDA source files in FOLDER become C++ files in the build
# folder, with the same lines. OUT gets the names of the .cu files' translations.
function(labs_translate out folder)
  set(sources "")
  set(headers "")
  foreach(file IN LISTS ARGN)
    file(RELATIVE_PATH name "${folder}" "${file}")
    set(translation "${CMAKE_CURRENT_BINARY_DIR}/emulated/${name}")
    if(name MATCHES "\\.cu$")
      string(APPEND translation ".cpp")
      list(APPEND sources "${translation}")
    else()
      list(APPEND headers "${translation}")
    endif()
    add_custom_command(
      OUTPUT "${translation}"
      COMMAND cuda_to_cpp "${file}" "${translation}"
      DEPENDS "${file}" cuda_to_cpp
      COMMENT "Translating ${name}"
      VERBATIM)
  endforeach()
  add_custom_target(${PROJECT_NAME}-emulated-headers DEPENDS ${headers})
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# --- harness ---------------------------------------------------------------------------------

# Provides labs::harness and labs::testing to a lab: from the build that it is a part of, from a
# build of the harness that there is already (which saves compiling it again), or from its sources.
macro(use_harness)
  if(LABS_HARNESS_BUILD AND NOT TARGET labs::harness)
    include("${LABS_HARNESS_BUILD}/labs_harness.cmake")
    foreach(library common harness testing)
      add_library(labs::${library} ALIAS prebuilt_labs_${library})
    endforeach()
    if(LABS_EMULATED)
      add_executable(cuda_to_cpp ALIAS prebuilt_cuda_to_cpp)
    endif()
  elseif(NOT TARGET labs::harness)
    add_subdirectory(../harness harness)
  endif()
endmacro()

include("${CMAKE_CURRENT_LIST_DIR}/AddLab.cmake")
