# OpenCV's core, imgproc and imgcodecs, as targets opencv_core, …; sets OpenCV_FOUND. Included by
# Labs.cmake and by driver/tools/probe.
#
# OpenCV's own files for CMake are in Debian's libopencv-dev, which installs all of OpenCV: 190
# packages (Qt, VTK, FFmpeg) more than these libraries need. Without it, they are looked for by name.
find_package(OpenCV QUIET COMPONENTS core imgproc imgcodecs)
if(NOT OpenCV_FOUND)
  find_path(LABS_OPENCV_INCLUDE opencv2/imgcodecs.hpp PATH_SUFFIXES opencv4)
  set(OpenCV_FOUND ON)
  foreach(part core imgproc imgcodecs)
    find_library(LABS_OPENCV_${part} opencv_${part})
    if(NOT LABS_OPENCV_INCLUDE OR NOT LABS_OPENCV_${part})
      set(OpenCV_FOUND OFF)
    endif()
    add_library(opencv_${part} UNKNOWN IMPORTED)
    set_target_properties(opencv_${part} PROPERTIES IMPORTED_LOCATION "${LABS_OPENCV_${part}}"
                                                    INTERFACE_INCLUDE_DIRECTORIES
                                                    "${LABS_OPENCV_INCLUDE}")
  endforeach()
  target_link_libraries(opencv_imgproc INTERFACE opencv_core)
  target_link_libraries(opencv_imgcodecs INTERFACE opencv_imgproc)
  mark_as_advanced(OpenCV_DIR LABS_OPENCV_INCLUDE LABS_OPENCV_core LABS_OPENCV_imgproc
                   LABS_OPENCV_imgcodecs)
endif()
