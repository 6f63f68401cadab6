# ONNX's C++ library, built once for all presets by setup/dependencies.sh into .deps (it does nothing when that is done).
# -DONNX_SDIST=FILE takes ONNX's source package from a file instead of from PyPI.
set(ONNX_VERSION_PIN 1.23.2)
set(ONNX_SDIST "" CACHE FILEPATH "ONNX's source package (onnx-1.23.2.tar.gz), for a build without a network")
execute_process(COMMAND ${CMAKE_COMMAND} -E env "ONNX_SDIST=${ONNX_SDIST}" "CXX=${CMAKE_CXX_COMPILER}" bash ${CMAKE_SOURCE_DIR}/setup/dependencies.sh onnx
                RESULT_VARIABLE onnx_result)
if(onnx_result)
  message(FATAL_ERROR "ONNX ${ONNX_VERSION_PIN} is not there; the reason is above")
endif()
find_package(Protobuf REQUIRED)   # module mode, before ONNX: Debian ships no protobuf-config.cmake
find_package(ONNX ${ONNX_VERSION_PIN} CONFIG REQUIRED PATHS ${CMAKE_SOURCE_DIR}/.deps/onnx-${ONNX_VERSION_PIN} NO_DEFAULT_PATH)
