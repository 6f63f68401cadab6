# CUDA, where there is a toolkit. Everything else is built alike with and without it.
#   CELLPROOF_CUDA=AUTO|ON|OFF   AUTO (default): where a toolkit compiles; ON: fail without one; OFF: do not look
#   CELLPROOF_CUDA_WHEELS=ON     use the toolkit of setup/cuda.lock (PyPI's wheels, more than a gigabyte) instead of the machine's
# The compiler: -DCMAKE_CUDA_COMPILER, CUDACXX, CUDA_HOME, CUDA_PATH, nvcc on the PATH, /usr/local/cuda; the first that is named counts.
# For the rest of the project:
#   CELLPROOF_HAVE_CUDA          whether device code is compiled
#   CELLPROOF_CUDA_WHY_NOT       if not: why, in a few words
#   CELLPROOF_CUDNN_INCLUDE      the folder of cudnn.h (only headers: cuDNN and cuBLAS are opened at run time), or empty
#   cellproof_device_library()   a static library of .cu sources
#   CUDA::cudart_static          the runtime, linked statically, so that a program starts where there is neither toolkit nor driver
set(CELLPROOF_CUDA AUTO CACHE STRING "Compile device code: AUTO, ON or OFF")
set_property(CACHE CELLPROOF_CUDA PROPERTY STRINGS AUTO ON OFF)
option(CELLPROOF_CUDA_WHEELS "Take the CUDA toolkit from PyPI's wheels (setup/cuda.lock)" OFF)
set(CELLPROOF_HAVE_CUDA OFF)
set(CELLPROOF_CUDA_WHY_NOT "")
if(NOT CELLPROOF_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "CELLPROOF_CUDA is '${CELLPROOF_CUDA}', expected AUTO, ON or OFF")
endif()

# Real code for the two architectures, and PTX of the newer one for those that come after it.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
endif()

# cellproof_find_nvcc(OUT): the compiler that is to be used, or empty.
function(cellproof_find_nvcc out)
  if(CELLPROOF_CUDA_WHEELS)
    execute_process(COMMAND bash ${CMAKE_SOURCE_DIR}/setup/dependencies.sh cuda RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "CELLPROOF_CUDA_WHEELS=ON: the CUDA toolkit's wheels are not there; the reason is above")
    endif()
    set(nvcc ${CMAKE_SOURCE_DIR}/.deps/cuda-13.0/nvidia/cu13/bin/nvcc)
  elseif(CMAKE_CUDA_COMPILER)
    set(nvcc ${CMAKE_CUDA_COMPILER})
  elseif(DEFINED ENV{CUDACXX})
    set(nvcc $ENV{CUDACXX})
  else()
    # The toolkit that the environment names goes before whatever is on the PATH.
    find_program(CELLPROOF_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin PATHS /usr/local/cuda/bin)
    mark_as_advanced(CELLPROOF_NVCC)
    set(nvcc ${CELLPROOF_NVCC})
  endif()
  if(NOT nvcc)
    set(nvcc "")
  endif()
  set(${out} "${nvcc}" PARENT_SCOPE)
endfunction()

# cellproof_try_nvcc(NVCC OUT): "" if it compiles and links for our architectures, else why not. enable_language stops the whole configuration
# at a wrapper without a toolkit behind it, so that one program is built first.
function(cellproof_try_nvcc nvcc out)
  set(folder ${CMAKE_BINARY_DIR}/nvcc_try)
  file(WRITE ${folder}/try.cu "#include <cuda_runtime.h>\n__global__ void nothing() {}\nint main() { nothing<<<1, 1>>>(); return 0; }\n")
  set(code "")
  foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    if(architecture MATCHES "^([0-9]+[af]?)")
      list(APPEND code -gencode arch=compute_${CMAKE_MATCH_1},code=sm_${CMAKE_MATCH_1})
    endif()
  endforeach()
  execute_process(COMMAND ${nvcc} -std=c++17 ${code} ${folder}/try.cu -o ${folder}/try
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(reason "")
  if(failed)
    string(REGEX REPLACE "\n.*" "" said "${said}")
    set(reason "${nvcc} does not build for architectures ${CMAKE_CUDA_ARCHITECTURES} (${failed}: ${said})")
    string(REPLACE ";" " and " reason "${reason}")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

if(CELLPROOF_CUDA STREQUAL "OFF")
  set(CELLPROOF_CUDA_WHY_NOT "CELLPROOF_CUDA is OFF")
elseif(CELLPROOF_CUDA STREQUAL "AUTO" AND (CELLPROOF_SANITIZE OR CELLPROOF_FUZZ))
  # A driver maps addresses that AddressSanitizer keeps for itself; what can be checked without a device is the host's code.
  set(CELLPROOF_CUDA_WHY_NOT "sanitizers look at the host's code only")
else()
  cellproof_find_nvcc(cellproof_nvcc)
  if(cellproof_nvcc STREQUAL "")
    set(CELLPROOF_CUDA_WHY_NOT "there is no nvcc: neither CUDACXX nor CUDA_HOME names one, and none is on the PATH or in /usr/local/cuda")
  else()
    cellproof_try_nvcc(${cellproof_nvcc} CELLPROOF_CUDA_WHY_NOT)
  endif()
  if(CELLPROOF_CUDA_WHY_NOT STREQUAL "")
    set(CMAKE_CUDA_COMPILER ${cellproof_nvcc})
    enable_language(CUDA)
    find_package(CUDAToolkit)
    if(TARGET CUDA::cudart_static)
      set(CELLPROOF_HAVE_CUDA ON)
    else()
      set(CELLPROOF_CUDA_WHY_NOT "the toolkit of ${cellproof_nvcc} lacks the static runtime")
    endif()
  elseif(CELLPROOF_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CELLPROOF_CUDA=ON, but ${CELLPROOF_CUDA_WHY_NOT}")
  else()
    unset(CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)
  endif()
endif()
if(CELLPROOF_CUDA STREQUAL "ON" AND NOT CELLPROOF_HAVE_CUDA)
  message(FATAL_ERROR "CELLPROOF_CUDA=ON, but ${CELLPROOF_CUDA_WHY_NOT}")
endif()

set(CELLPROOF_CUDNN_INCLUDE "")
if(CELLPROOF_HAVE_CUDA)
  # The wheels keep cudnn.h beside the toolkit's folder.
  list(GET CUDAToolkit_INCLUDE_DIRS 0 cellproof_toolkit_include)
  find_path(CELLPROOF_CUDNN_HEADER_DIR cudnn.h HINTS $ENV{CUDNN_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS} ${cellproof_toolkit_include}/../../cudnn/include)
  mark_as_advanced(CELLPROOF_CUDNN_HEADER_DIR)
  if(CELLPROOF_CUDNN_HEADER_DIR)
    set(CELLPROOF_CUDNN_INCLUDE ${CELLPROOF_CUDNN_HEADER_DIR})
  endif()
  # CMake 3.25 knows no CUDA20; device code includes no C++20 header of ours.
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  foreach(configuration DEBUG RELEASE MINSIZEREL RELWITHDEBINFO)
    string(REGEX REPLACE "(^| )-O[0-3s]( |$)" " " CMAKE_CUDA_FLAGS_${configuration} "${CMAKE_CUDA_FLAGS_${configuration}}")
  endforeach()
  message(STATUS "CUDA: ${CMAKE_CUDA_COMPILER} ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "CUDA: off (${CELLPROOF_CUDA_WHY_NOT})")
endif()

# cellproof_device_library(NAME SOURCES a.cu ...): static library cellproof_NAME of device code; only where CELLPROOF_HAVE_CUDA.
# It takes none of the host compiler's flags: neither sanitizers nor warnings that nvcc's own output would break.
# How far it is optimised is said here alone: nvcc minds a second -O, and the presets' flags for CUDA bring one.
# No fast math: division and square root rounded once, subnormals kept, and a product and a sum only fused where the source says fma.
function(cellproof_device_library name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  add_library(cellproof_${name} STATIC ${arg_SOURCES})
  target_include_directories(cellproof_${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(cellproof_${name} PRIVATE -O2 -ftz=false -prec-div=true -prec-sqrt=true -fmad=false
                         --Werror=all-warnings -Xcompiler=-Wall,-Wextra,-ffp-contract=off)
  target_link_libraries(cellproof_${name} PUBLIC CUDA::cudart_static)
endfunction()
