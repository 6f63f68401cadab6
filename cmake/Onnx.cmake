# ONNX::messages: what a model is made of, from the onnx-ml.proto of the pinned onnx package. setup/dependencies.sh puts that
# file into .deps, beside the schemas that tests compare our tables with (ONNX_SCHEMAS), and does nothing when it is there.
execute_process(COMMAND bash ${CMAKE_SOURCE_DIR}/setup/dependencies.sh onnx-definitions RESULT_VARIABLE onnx_result)
if(onnx_result)
  message(FATAL_ERROR "ONNX's messages are not there; the reason is above")
endif()
set(onnx_definitions ${CMAKE_SOURCE_DIR}/.deps/onnx-definitions-1.23.2)
set(ONNX_SCHEMAS ${onnx_definitions}/schemas.json)
set(Protobuf_USE_STATIC_LIBS ${CELLPROOF_PORTABLE})
find_package(Protobuf REQUIRED)
set(onnx_generated ${CMAKE_BINARY_DIR}/onnx-messages)
file(MAKE_DIRECTORY ${onnx_generated})
add_custom_command(
  OUTPUT ${onnx_generated}/onnx/onnx-ml.pb.cc ${onnx_generated}/onnx/onnx-ml.pb.h
  COMMAND protobuf::protoc --proto_path=${onnx_definitions} --cpp_out=${onnx_generated} onnx/onnx-ml.proto
  DEPENDS ${onnx_definitions}/onnx/onnx-ml.proto
  VERBATIM)
add_library(onnx_messages STATIC ${onnx_generated}/onnx/onnx-ml.pb.cc)
set_target_properties(onnx_messages PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(onnx_messages SYSTEM PUBLIC ${onnx_generated})
target_link_libraries(onnx_messages PUBLIC protobuf::libprotobuf)
add_library(ONNX::messages ALIAS onnx_messages)
