# Programs of one variant, compiled with a sanitizer, for verdicts: data races, and accesses out of
# bounds.

# labs_races: the check for data races but for its main() (testing/races_main.cpp), which calls a lab's
# variants. Without the emulation, which has functions of ThreadSanitizer's names.
function(labs_add_races_check)
  set(sources races_libgomp.cpp races_order.cpp races_tasks.cpp races_report.cpp races_share.cpp
      races_source.cpp)
  list(TRANSFORM sources PREPEND "${labs_races_folder}/")
  add_library(labs_races OBJECT EXCLUDE_FROM_ALL ${sources})
  add_library(labs::races ALIAS labs_races)
  target_include_directories(labs_races PRIVATE "${labs_races_folder}/../include"
                                                "${labs_races_folder}/../../common/include")
  target_link_libraries(labs_races PRIVATE labs_flags fmt::fmt OpenMP::OpenMP_CXX)
  labs_compile_quickly(labs_races -O1)
endfunction()
set(labs_races_folder "${CMAKE_CURRENT_LIST_DIR}/../testing")

# The check for races opens the file whose name the compiler has noted: ccache must not make it
# relative (CCACHE_BASEDIR).
function(labs_keep_absolute_names target)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(
      ${target} PROPERTIES CXX_COMPILER_LAUNCHER
                           "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

# LAB_FOLDER-VARIANT-races: the OpenMP variant in `file`, compiled again with ThreadSanitizer, in a
# program that runs it once and reports a data race (harness/testing/races_main.cpp). The test
# `races` of the variant runs it if it is built; LAB_FOLDER-races builds all of them.
function(_labs_add_races name variant file needs)
  if(NOT variant MATCHES "^omp_" OR LABS_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(target ${PROJECT_NAME}-${variant}-races)
  add_library(${target}-object OBJECT EXCLUDE_FROM_ALL "${file}")
  target_include_directories(${target}-object PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target}-object PRIVATE labs::common ${needs})
  target_compile_options(${target}-object PRIVATE -Og -g1 -fsanitize=thread -w)
  labs_keep_absolute_names(${target}-object)
  if(NOT TARGET ${PROJECT_NAME}-races-main)
    add_library(${PROJECT_NAME}-races-main OBJECT EXCLUDE_FROM_ALL
                                           "${labs_races_folder}/races_main.cpp")
    target_link_libraries(${PROJECT_NAME}-races-main PRIVATE ${name}_lab)
    target_compile_options(${PROJECT_NAME}-races-main PRIVATE -O1)
  endif()
  add_executable(${target} EXCLUDE_FROM_ALL)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/races" OUTPUT_NAME ${variant}
    LABS_WITHOUT_DEVICE ON)
  target_link_libraries(${target} PRIVATE ${target}-object ${PROJECT_NAME}-races-main
                                          labs::races ${name}_lab ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -fsanitize=thread)
  add_dependencies(${PROJECT_NAME}-races ${target})
endfunction()

# LAB_FOLDER-VARIANT-sanitized: the lab's tests with only the CPU variant in `file`, which is compiled
# with AddressSanitizer: driver/run/sanitized.py names the line of an access out of bounds. An index
# beyond its array traps; the handlers of UndefinedBehaviorSanitizer would be the emulation's.
function(_labs_add_sanitized name variant file needs)
  if(NOT variant MATCHES "^(seq|omp|mpi)(_|$)" OR NOT file MATCHES "\\.cpp$" OR LABS_SANITIZE
     OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(target ${PROJECT_NAME}-${variant}-sanitized)
  add_library(${target}-object OBJECT EXCLUDE_FROM_ALL "${file}")
  target_include_directories(${target}-object PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target}-object PRIVATE labs::common ${needs})
  target_compile_options(${target}-object PRIVATE -O1 -g1 -fno-omit-frame-pointer -w
    -fsanitize=address,bounds -fsanitize-undefined-trap-on-error -fsanitize-recover=address)
  labs_keep_absolute_names(${target}-object)
  add_executable(${target} EXCLUDE_FROM_ALL)
  set_target_properties(${target} PROPERTIES LABS_WITHOUT_DEVICE ON)
  target_link_libraries(${target} PRIVATE ${name}_tests_objects ${target}-object
                                          ${PROJECT_NAME}-cpu-archive ${name}_lab labs::testing)
  target_link_options(${target} PRIVATE -fsanitize=address)
endfunction()
