# add_lab(): the programs and tests of a lab. Included by Labs.cmake.

# The name of the variant in a file: ladder/07_omp_simd.cpp has omp_simd, libraries/npp.cpp has
# peer_npp. Of the files in expert/IDEA/, variants are those that begin with a backend.
function(_labs_variant_name file result)
  get_filename_component(name "${file}" NAME_WE)
  if(file MATCHES "/libraries/")
    set(name "peer_${name}")
  else()
    string(REGEX REPLACE "^[0-9]+_" "" name "${name}")
  endif()
  if(NOT name MATCHES "^(seq|omp|cuda|mpi|peer)(_|$)")
    set(name "")
  endif()
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

# The files of all variants of the lab in this folder, in the order in which `list` shows them: CPU,
# GPU, MPI, libraries; in each the ladder by number, then the expert variants, then those that only an
# experiment needs.
function(_labs_variant_files result)
  file(GLOB ladder CONFIGURE_DEPENDS ladder/*.cpp ladder/*.cu)
  file(GLOB expert CONFIGURE_DEPENDS expert/*/*.cpp expert/*/*.cu)
  file(GLOB experiments CONFIGURE_DEPENDS experiments/*.cpp experiments/*.cu)
  file(GLOB libraries CONFIGURE_DEPENDS libraries/*.cpp libraries/*.cu)
  set(files "")
  foreach(backend "seq|omp" cuda mpi peer)
    foreach(file IN LISTS ladder expert experiments libraries)
      _labs_variant_name("${file}" name)
      if(name MATCHES "^(${backend})")
        list(APPEND files "${file}")
      endif()
    endforeach()
  endforeach()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# The idea with which the variant in `file` registers, or the file's first comment: for `list`, where
# the file is not in the build.
function(_labs_idea file result)
  file(STRINGS "${file}" line REGEX "\\.idea = \"" LIMIT_COUNT 1)
  if(NOT line)
    file(STRINGS "${file}" line REGEX "^// " LIMIT_COUNT 1)
  endif()
  string(REGEX REPLACE "^// |.*\\.idea = \"|\",?.*$" "" idea "${line}")
  string(REPLACE "\"" "'" idea "${idea}")
  string(REPLACE "\\;" "," idea "${idea}")  # CMake's lists have semicolons between their members
  set(${result} "${idea}" PARENT_SCOPE)
endfunction()

# Sets `result` to the reason why one of `entries` (NAME, or NAME=reason) leaves `variant` out, or to "".
function(_labs_skip_reason variant entries result)
  set(reason "")
  foreach(entry IN LISTS entries)
    if(entry STREQUAL variant)
      set(reason "does not compile")
    elseif(entry MATCHES "^${variant}=(.*)$")
      set(reason "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${result} "${reason}" PARENT_SCOPE)
endfunction()

# Facts about a variant for variants.json in the build folder, which the driver reads.
function(_labs_variant_json variant file idea reason result)
  file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}" "${file}")
  string(REGEX MATCH "^[a-z]+" backend "${variant}")
  set(built true)
  if(reason)
    set(built false)
  endif()
  foreach(text IN ITEMS idea reason)
    string(REPLACE "\\" "\\\\" ${text} "${${text}}")
    string(REPLACE "\"" "\\\"" ${text} "${${text}}")
  endforeach()
  set(${result} "  {\"name\": \"${variant}\", \"backend\": \"${backend}\", \"file\": \"${path}\",
   \"idea\": \"${idea}\",
   \"built\": ${built}, \"why\": \"${reason}\"}" PARENT_SCOPE)
endfunction()

# A variant's file may end a program before main(), and then the programs of the lab say nothing.
# LAB_FOLDER-loads builds, per variant, a program LAB_FOLDER-VARIANT-loads that contains that variant
# and prints `loaded`. Other variants come from an archive: those that the variant calls, no others.
# A CPU variant's archive has no kernels, and does not wait for them.
function(_labs_add_loads name objects cpu_objects needs)
  set(main "${CMAKE_CURRENT_BINARY_DIR}/generated/loads.cpp")
  file(CONFIGURE OUTPUT "${main}" CONTENT "#include <cstdio>
int main() { std::puts(\"loaded\"); }
" @ONLY)
  add_library(${PROJECT_NAME}-loads-main OBJECT EXCLUDE_FROM_ALL "${main}")
  add_custom_target(${PROJECT_NAME}-loads)
  set(archives archive)
  if(cpu_objects)
    list(APPEND archives cpu-archive)
  endif()
  foreach(archive IN LISTS archives)
    add_library(${PROJECT_NAME}-${archive} STATIC EXCLUDE_FROM_ALL)
    target_link_libraries(${PROJECT_NAME}-${archive} PRIVATE ${needs})
  endforeach()
  foreach(object IN LISTS objects)
    target_sources(${PROJECT_NAME}-archive PRIVATE $<TARGET_OBJECTS:${object}>)
    set(archive ${PROJECT_NAME}-archive)
    add_executable(${object}-loads EXCLUDE_FROM_ALL)
    if(object IN_LIST cpu_objects)
      target_sources(${PROJECT_NAME}-cpu-archive PRIVATE $<TARGET_OBJECTS:${object}>)
      set(archive ${PROJECT_NAME}-cpu-archive)
      set_target_properties(${object}-loads PROPERTIES LABS_WITHOUT_DEVICE ON)
    endif()
    target_link_libraries(${object}-loads PRIVATE ${PROJECT_NAME}-loads-main ${object} ${archive}
                                                  ${name}_lab)
    add_dependencies(${PROJECT_NAME}-loads ${object}-loads)
  endforeach()
endfunction()

# A copy of the library that reads images beside the programs, so that the folder can be moved.
function(_labs_add_codecs)
  set(copy "${CMAKE_CURRENT_BINARY_DIR}/liblabs_codecs.so")
  add_custom_command(
    OUTPUT "${copy}"
    COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_FILE:labs_codecs>" "${copy}"
    DEPENDS labs_codecs
    VERBATIM)
  add_custom_target(${PROJECT_NAME}-codecs DEPENDS "${copy}")
  foreach(program IN LISTS ARGN)
    add_dependencies(${program} ${PROJECT_NAME}-codecs)
  endforeach()
endfunction()

# add_lab(NAME LABEL labN [NAMESPACE namespace] [NEEDS variant=target ...] [LEFT_OUT variant=reason ...])
#
# Defines the executable NAME from *.cpp, problem/, the parts of the ladder and the variants in
# ladder/, expert/, experiments/ and libraries/, and NAME_tests from tests/*.cpp; and NAME_cpu and
# NAME_cpu_tests with the variants for the CPU only. Each variant is an object library of its own,
# LAB_FOLDER-VARIANT, so that one that does not compile can be built, or left out, alone.
# LABS_SKIP_LAB_FOLDER lists variants to leave out: NAME, or NAME=reason. NAMESPACE is that of
# problem/variant.hpp if it is not NAME. NEEDS names the library targets without which a variant is
# left out (peer_npp=CUDA::nppif). LAB_FOLDER-all builds NAME and its tests.
function(add_lab name)
  cmake_parse_arguments(arg "" "LABEL;NAMESPACE" "NEEDS;LEFT_OUT" ${ARGN})
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE ${name})
  endif()
  set_property(GLOBAL PROPERTY LABS_PROGRAM_${arg_LABEL} ${name})  # for grading/
  set_property(GLOBAL PROPERTY LABS_NAMESPACE_${arg_LABEL} ${arg_NAMESPACE})
  _labs_variant_files(variants)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  file(GLOB parts CONFIGURE_DEPENDS problem/*.cpp ladder/parts/*.cpp expert/*/*.cpp)
  file(GLOB tests CONFIGURE_DEPENDS tests/*.cpp)
  list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/main.cpp"
       "${CMAKE_CURRENT_SOURCE_DIR}/one.cpp")  # a main() for one rung, without CMake
  list(REMOVE_ITEM parts ${variants})
  if(LABS_EMULATED)
    file(GLOB headers CONFIGURE_DEPENDS problem/*.cuh ladder/parts/*.cuh expert/*/*.cuh)
    set(kernels ${variants})
    list(FILTER kernels INCLUDE REGEX "/([0-9]+_)?(mpi_)?cuda_[a-z0-9_]*\\.cu$|/[0-9]+_mpi_(cuda|nccl)\\.cu$")
    labs_translate(translated "${CMAKE_CURRENT_SOURCE_DIR}" ${headers} ${kernels})
  endif()

  if(BUILD_TESTING)  # the first target: its file takes longest, and Ninja starts in this order
    add_library(${name}_tests_objects OBJECT ${tests})
  endif()
  foreach(list objects built_files cpu_objects all_needs rows json separator)
    set(${list} "")
  endforeach()
  foreach(file IN LISTS variants)
    _labs_variant_name("${file}" variant)
    _labs_idea("${file}" idea)
    set(needs "")
    set(missing "")
    if(variant MATCHES "^mpi_")
      list(APPEND needs MPI::MPI_CXX)
      if(NOT MPI_CXX_FOUND)
        set(missing MPI::MPI_CXX)
      elseif(variant STREQUAL "mpi_nccl" AND NOT LABS_EMULATED)
        list(APPEND needs NCCL::nccl)
        if(NOT TARGET NCCL::nccl)
          set(missing NCCL::nccl)
        endif()
      endif()
    endif()
    foreach(need IN LISTS arg_NEEDS)
      if(need MATCHES "^${variant}=(.*)$")
        list(APPEND needs "${CMAKE_MATCH_1}")
        if(NOT TARGET ${CMAKE_MATCH_1})
          set(missing "${CMAKE_MATCH_1}")
        endif()
      endif()
    endforeach()
    _labs_skip_reason(${variant} "${LABS_SKIP_${PROJECT_NAME}};${arg_LEFT_OUT}" reason)
    if(TARGET ${PROJECT_NAME}-${variant})
      set(reason "another file has this name, too")
    endif()
    if(reason)
      # nothing to build
    elseif(LABS_WHY_NO_CUDA AND (file MATCHES "\\.cu$" OR needs MATCHES "CUDA::"))
      set(reason "${LABS_WHY_NO_CUDA}")
    elseif(LABS_EMULATED AND variant MATCHES "^peer_"
           AND (file MATCHES "\\.cu$" OR needs MATCHES "CUDA::"))
      set(reason "emulated build: NVIDIA's libraries need a GPU")
    elseif(missing)
      set(reason "${missing} was not found when this was built")
      if(LABS_SOURCE_OF_${missing})
        string(APPEND reason " (${LABS_SOURCE_OF_${missing}})")
      endif()
    else()
      _labs_add_variant(${variant} "${file}" "${needs}")
      list(APPEND objects ${PROJECT_NAME}-${variant})
      list(APPEND built_files "${file}")
      if(NOT file MATCHES "\\.cu$" AND NOT needs MATCHES "CUDA::")
        list(APPEND cpu_objects ${PROJECT_NAME}-${variant})
      endif()
      list(APPEND all_needs ${needs})
    endif()
    string(APPEND rows "    {\"${variant}\", \"${idea}\", \"${reason}\"},\n")
    _labs_variant_json("${variant}" "${file}" "${idea}" "${reason}" object)
    string(APPEND json "${separator}${object}")
    set(separator ",\n")
  endforeach()
  file(CONFIGURE OUTPUT generated/variant_files.hpp CONTENT "#pragma once
// Made by CMake: the files of the variants.
#include \"harness/variants.hpp\"
inline constexpr harness::VariantFile variant_files[] = {
@rows@};
" @ONLY)
  file(CONFIGURE OUTPUT variants.json CONTENT "[\n@json@\n]\n" @ONLY)
  labs_write_facts(program "\"${name}\"")

  add_library(${name}_lab STATIC ${sources} ${parts})
  labs_compile_quickly(${name}_lab -O1)
  labs_optimise(${parts})
  target_include_directories(${name}_lab PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}"
                             PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/generated")
  target_link_libraries(${name}_lab PUBLIC labs::harness)
  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE ${name}_lab ${objects})
  add_custom_target(${PROJECT_NAME}-all)
  add_dependencies(${PROJECT_NAME}-all ${name})
  # For the first look and for --variant of run_all.sh, which do not wait for kernels.
  add_executable(${name}_cpu EXCLUDE_FROM_ALL main.cpp)
  target_link_libraries(${name}_cpu PRIVATE ${name}_lab ${cpu_objects})
  set_target_properties(${name}_cpu PROPERTIES LABS_WITHOUT_DEVICE ON)
  _labs_add_codecs(${name} ${name}_cpu)
  _labs_add_loads(${name} "${objects}" "${cpu_objects}" "${all_needs}")
  add_custom_target(${PROJECT_NAME}-races)
  foreach(file IN LISTS built_files)
    _labs_variant_name("${file}" variant)
    _labs_add_races(${name} ${variant} "${file}" "${all_needs}")
  endforeach()

  if(BUILD_TESTING)
    target_link_libraries(${name}_tests_objects PUBLIC ${name}_lab labs::testing)
    target_compile_definitions(
      ${name}_tests_objects PRIVATE LAB_EXECUTABLE="$<TARGET_FILE:${name}>"
                                    LAB_RACES="${CMAKE_CURRENT_BINARY_DIR}/races")
    labs_compile_quickly(${name}_tests_objects -O1)
    add_executable(${name}_tests)
    target_link_libraries(${name}_tests PRIVATE ${name}_tests_objects ${objects})
    add_executable(${name}_cpu_tests EXCLUDE_FROM_ALL)
    target_link_libraries(${name}_cpu_tests PRIVATE ${name}_tests_objects ${cpu_objects})
    set_target_properties(${name}_cpu_tests PROPERTIES LABS_WITHOUT_DEVICE ON)
    # not of the objects, which would wait for the programs
    add_dependencies(${name}_tests ${name})
    add_dependencies(${PROJECT_NAME}-all ${name}_tests)
    add_dependencies(${name}_cpu_tests ${name}_cpu)
    foreach(file IN LISTS built_files)
      _labs_variant_name("${file}" variant)
      _labs_add_sanitized(${name} ${variant} "${file}" "${all_needs}")
    endforeach()
    labs_discover_tests(${name}_tests ${arg_LABEL})
  endif()
endfunction()

# The object library of one variant.
function(_labs_add_variant variant file needs)
  set(target ${PROJECT_NAME}-${variant})
  set(includes "${CMAKE_CURRENT_SOURCE_DIR}")
  set(emulated_kernels "")
  if(LABS_EMULATED AND file MATCHES "\\.cu$")
    set(emulated_kernels labs_emulated_kernels labs::emulation)
    get_filename_component(folder "${file}" DIRECTORY)
    list(PREPEND includes "${CMAKE_CURRENT_BINARY_DIR}/emulated")
    list(APPEND includes "${folder}")
    file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}" "${file}")
    set(file "${CMAKE_CURRENT_BINARY_DIR}/emulated/${path}.cpp")
  endif()
  add_library(${target} OBJECT "${file}")
  # Line numbers, so that a test that crashes can name the line.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-g1>)
  target_include_directories(${target} PRIVATE ${includes})
  target_link_libraries(${target} PRIVATE labs::common ${emulated_kernels} ${needs})
  # The fastest variants have versions for newer CPUs; this is that for the oldest.
  if(file MATCHES "/expert/" AND variant MATCHES "^omp_"
     AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${target} PRIVATE -march=x86-64-v2)
  endif()
  if(emulated_kernels)
    add_dependencies(${target} ${PROJECT_NAME}-emulated-headers)
  endif()
endfunction()

# Every GoogleTest case becomes a CTest test, so that a crash or a hang costs one case. The cases of
# device variants carry the label `cuda` and never run two at a time. Tests share the cores, so
# threads sleep at a barrier: one that waited for a sleeping one in a loop would keep it from
# running, and a variant with a parallel region per pixel would take minutes.
#
# A test has passed only if GoogleTest says so at its end: a variant that ends the program with exit
# code 0 has not. (With PASS_REGULAR_EXPRESSION, CTest does not look at exit codes, so what else a
# program may end with is in FAIL_REGULAR_EXPRESSION.) gtest_discover_tests makes a skipped test of
# one that prints "[  SKIPPED ]".
function(labs_discover_tests target label)
  set(device "*/cuda_*:*/mpi_cuda*:*/mpi_nccl*:*/peer_npp*:*/peer_cub*:*/peer_cvcuda*")
  foreach(kind cpu cuda)
    if(kind STREQUAL "cuda")
      set(filter "${device}")
    else()
      set(filter "-${device}")
    endif()
    gtest_discover_tests(
      ${target}
      TEST_PREFIX "${label}."
      TEST_FILTER "${filter}"
      TEST_LIST ${target}_${kind}
      NO_PRETTY_VALUES
      DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT ${LABS_TEST_TIMEOUT}
                 LABELS ${label}
                 ENVIRONMENT OMP_WAIT_POLICY=passive
                 PASS_REGULAR_EXPRESSION "\\[  PASSED  \\] 1 test\\."
                 FAIL_REGULAR_EXPRESSION "\\[  FAILED  \\]|Sanitizer: ")
  endforeach()
  set(lock "RESOURCE_LOCK gpu")
  if(LABS_EMULATED)
    set(lock "")
  endif()
  # gtest_discover_tests takes no property that is a list, as two labels are.
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}_cuda_properties.cmake")
  file(WRITE "${file}" "foreach(test IN LISTS ${target}_cuda)
  set_tests_properties(\"\${test}\" PROPERTIES LABELS \"${label};cuda\" ${lock})
endforeach()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

# A test that says why others are not in this build: what is absent without a word looks passed.
function(labs_cannot_run_here name reason)
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "cannot run here: ${reason}")
  set_tests_properties(${name} PROPERTIES LABELS common SKIP_REGULAR_EXPRESSION "cannot run here: ")
endfunction()
