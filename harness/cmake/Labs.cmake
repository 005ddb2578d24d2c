# Every CMakeLists.txt of the project includes this file first: language standard, warnings, CUDA or
# its emulation, the harness, and add_lab().
include_guard(GLOBAL)

option(LABS_WERROR "Treat warnings as errors" OFF)
set(LABS_SANITIZE "" CACHE STRING "Sanitizers for the C++ code, like address,undefined")
set(LABS_TEST_TIMEOUT 120 CACHE STRING "Seconds after which a test is killed")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)  # a library does not wait for others, which only programs link

include("${CMAKE_CURRENT_LIST_DIR}/Cuda.cmake")

# --- packages --------------------------------------------------------------------------------

include(CTest)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
include("${CMAKE_CURRENT_LIST_DIR}/OpenCV.cmake")
if(NOT OpenCV_FOUND)
  message(FATAL_ERROR "OpenCV was not found: apt-get install libopencv-imgcodecs-dev")
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(TIFF QUIET)
set(MPI_CXX_SKIP_MPICXX ON) # the C functions, not the C++ ones that MPI had once
find_package(MPI QUIET COMPONENTS CXX)
set(LABS_SOURCE_OF_MPI::MPI_CXX "apt-get install libopenmpi-dev openmpi-bin")

# labs_find_library(TARGET LIBRARIES name ... HEADERS path ...): defines an imported target for a
# library without a CMake package, if all of its libraries and headers are found.
function(labs_find_library target)
  cmake_parse_arguments(arg "" "" "LIBRARIES;HEADERS" ${ARGN})
  set(libraries "")
  set(folders "")
  foreach(name IN LISTS arg_LIBRARIES)
    find_library(LABS_LIBRARY_${name} ${name} PATH_SUFFIXES lib64)
    mark_as_advanced(LABS_LIBRARY_${name})
    list(APPEND libraries "${LABS_LIBRARY_${name}}")
  endforeach()
  foreach(header IN LISTS arg_HEADERS)
    string(MAKE_C_IDENTIFIER "LABS_FOLDER_OF_${header}" folder)
    find_path(${folder} ${header})
    mark_as_advanced(${folder})
    list(APPEND folders "${${folder}}")
  endforeach()
  if(NOT "${libraries};${folders}" MATCHES "NOTFOUND")
    add_library(${target} INTERFACE IMPORTED)
    target_link_libraries(${target} INTERFACE ${libraries})
    target_include_directories(${target} SYSTEM INTERFACE ${folders})
  endif()
endfunction()

# Libraries that are only measured beside the variants; `list` says where to get an absent one.
find_package(IPP QUIET CONFIG COMPONENTS ippi)
set(LABS_SOURCE_OF_IPP::ippi "pip install ipp-devel ipp-static, and CMAKE_PREFIX_PATH names the folder")
set(LABS_SOURCE_OF_Simd::Simd "https://github.com/ermig1979/Simd")
labs_find_library(Simd::Simd LIBRARIES Simd HEADERS Simd/SimdLib.h)
set(LABS_SOURCE_OF_CVCUDA::cvcuda
    "the lib and dev packages of https://github.com/CVCUDA/CV-CUDA, and CMAKE_PREFIX_PATH names the folder")
labs_find_library(CVCUDA::cvcuda LIBRARIES cvcuda nvcv_types HEADERS cvcuda/OpResize.hpp nvcv/Tensor.hpp)
if(TARGET CVCUDA::cvcuda)
  target_include_directories(CVCUDA::cvcuda SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
endif()
set(LABS_SOURCE_OF_opencv_dnn "apt-get install libopencv-dnn-dev")
labs_find_library(opencv_dnn LIBRARIES opencv_dnn HEADERS opencv2/dnn.hpp)
set(LABS_SOURCE_OF_NCCL::nccl
    "apt-get install libnccl-dev from NVIDIA, or pip install nvidia-nccl-cu13 and CMAKE_PREFIX_PATH names nvidia/nccl")
labs_find_library(NCCL::nccl LIBRARIES libnccl.so.2 HEADERS nccl.h)
labs_find_library(Halide::Halide LIBRARIES Halide HEADERS Halide.h)

# labs_halide_kernels(TARGET FILE function ...): if Halide is found, defines a target for functions
# that FILE, a program, writes when the project is built.
function(labs_halide_kernels target file)
  set(LABS_SOURCE_OF_${target} "pip install halide, and CMAKE_PREFIX_PATH names its folder"
      PARENT_SCOPE)
  if(TARGET Halide::Halide)
    string(MAKE_C_IDENTIFIER "${target}" name)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    file(MAKE_DIRECTORY "${folder}")
    list(TRANSFORM ARGN PREPEND "${folder}/" OUTPUT_VARIABLE functions)
    list(TRANSFORM functions APPEND ".a" OUTPUT_VARIABLE archives)
    list(TRANSFORM functions APPEND ".h" OUTPUT_VARIABLE headers)
    add_executable(${name}_kernels "${file}")
    target_link_libraries(${name}_kernels PRIVATE Halide::Halide)
    add_custom_command(
      OUTPUT ${archives} ${headers}
      COMMAND ${name}_kernels "${folder}"
      DEPENDS ${name}_kernels
      COMMENT "Halide compiles ${file}"
      VERBATIM)
    add_custom_target(${name}_files DEPENDS ${archives})
    add_library(${target} INTERFACE IMPORTED)
    add_dependencies(${target} ${name}_files)
    target_include_directories(${target} SYSTEM INTERFACE "${folder}"
                               "$<TARGET_PROPERTY:Halide::Halide,INTERFACE_INCLUDE_DIRECTORIES>")
    target_link_libraries(${target} INTERFACE ${archives} ${CMAKE_DL_LIBS})
  endif()
endfunction()
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

# labs_write_facts(KEY VALUE ...): what the driver asks of this build: facts.json in its folder. Each
# VALUE is JSON.
function(labs_write_facts)
  set(facts "{\"cuda\": \"${LABS_CUDA}\", \"generator\": \"${CMAKE_GENERATOR}\",
 \"build_type\": \"${CMAKE_BUILD_TYPE}\"")
  while(ARGN)
    list(POP_FRONT ARGN key value)
    string(APPEND facts ", \"${key}\": ${value}")
  endwhile()
  file(CONFIGURE OUTPUT facts.json CONTENT "${facts}}\n" @ONLY)
endfunction()

# --- warnings and sanitizers -----------------------------------------------------------------

add_library(labs_flags INTERFACE)
target_compile_options(
  labs_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion>
            # in files that are compiled together, a local name may be another file's
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>>:-Wshadow>
            $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow=local>
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${LABS_WERROR}>>:-Werror>
            # constexpr functions, those of View among them, may be called in kernels
            $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=-Wall,-Wextra>
            $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${LABS_WERROR}>>:-Werror=all-warnings>)
if(LABS_SANITIZE)
  # The address sanitizer reports null pointers and accesses outside an object.
  target_compile_options(
    labs_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${LABS_SANITIZE}
                         -fno-sanitize=null,object-size -fno-sanitize-recover=all
                         -fno-omit-frame-pointer>)
  target_link_options(labs_flags INTERFACE -fsanitize=${LABS_SANITIZE})
endif()

# labs_join_files(TARGET): compiles up to twenty C++ files of the target at once, and so the headers
# of libraries once for all of them. Names in anonymous namespaces differ in the files of a target.
# With CMAKE_UNITY_BUILD=OFF (as in CI), each file is compiled alone and has to include what it uses.
function(labs_join_files target)
  if(NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
  endif()
endfunction()

# labs_compile_quickly(TARGET LEVEL): for a target whose code is not timed. Its C++ files are
# optimised at LEVEL and compiled together. A sanitizer doubles the time to compile; then the files
# are not optimised.
function(labs_compile_quickly target level)
  if(LABS_SANITIZE)
    set(level -O0)
  endif()
  target_compile_options(${target}
                         PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:${level}>)
  labs_join_files(${target})
endfunction()

# For C++ files that are timed, or make and compare whole images.
set(labs_optimised "$<$<CONFIG:Release>:-O3>$<$<CONFIG:RelWithDebInfo>:-O1>")

# Such files of a target that is compiled quickly. Each has an object of its own: a program that needs
# one object of the lab's library does not link the others.
function(labs_optimise)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${labs_optimised}")
endfunction()

# --- emulation -------------------------------------------------------------------------------

# Kernels that run on the CPU: the compiler calls the emulation before every load and store
# (-fsanitize=thread, without its library), where an address or an index is wrong in itself, and, to
# count, at the beginning of every basic block and function. The last -O2 and -g1 count, so that
# faults have lines in all kinds of builds.
add_library(labs_emulated_kernels INTERFACE)
target_compile_options(
  labs_emulated_kernels
  INTERFACE -O2 -g1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -ffp-contract=off
            -fsanitize=thread --param=tsan-distinguish-volatile=1
            -fsanitize-coverage=trace-pc -fsanitize=alignment,bounds
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

# Adds the harness to a lab that is built alone.
macro(use_harness)
  if(NOT TARGET labs::harness)
    add_subdirectory(../harness harness)
  endif()
endmacro()

include("${CMAKE_CURRENT_LIST_DIR}/SanitizedVariants.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/AddLab.cmake")
