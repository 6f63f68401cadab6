# ONNX, built once for all presets by setup/dependencies.sh into .deps (it does nothing when that is done).
#   ONNX::onnx_proto   the messages that models are made of: all that the program needs
#   ONNX::onnx         the whole C++ library (checker, schemas): tests only, and there only with CELLPROOF_TESTS
# -DONNX_SDIST=FILE takes ONNX's source package from a file instead of from PyPI.
set(ONNX_VERSION_PIN 1.23.2)
set(ONNX_SDIST "" CACHE FILEPATH "ONNX's source package (onnx-1.23.2.tar.gz), for a build without a network")
set(onnx_part onnx-messages)
if(CELLPROOF_TESTS)
  set(onnx_part onnx)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env "ONNX_SDIST=${ONNX_SDIST}" "CXX=${CMAKE_CXX_COMPILER}" bash ${CMAKE_SOURCE_DIR}/setup/dependencies.sh ${onnx_part}
                RESULT_VARIABLE onnx_result)
if(onnx_result)
  message(FATAL_ERROR "ONNX ${ONNX_VERSION_PIN} is not there; the reason is above")
endif()
find_package(Protobuf REQUIRED)   # module mode, before ONNX: Debian ships no protobuf-config.cmake
set(onnx_prefix ${CMAKE_SOURCE_DIR}/.deps/${onnx_part}-${ONNX_VERSION_PIN})
if(CELLPROOF_TESTS)
  find_package(ONNX ${ONNX_VERSION_PIN} CONFIG REQUIRED PATHS ${onnx_prefix} NO_DEFAULT_PATH)
else()
  # As ONNX's own package describes it.
  add_library(ONNX::onnx_proto STATIC IMPORTED)
  set_target_properties(ONNX::onnx_proto PROPERTIES
    IMPORTED_LOCATION ${onnx_prefix}/lib/libonnx_proto.a
    INTERFACE_INCLUDE_DIRECTORIES ${onnx_prefix}/include
    INTERFACE_COMPILE_DEFINITIONS "ONNX_NAMESPACE=onnx;ONNX_ML=1"
    INTERFACE_LINK_LIBRARIES protobuf::libprotobuf)
endif()
