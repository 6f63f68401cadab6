# The three kinds of target that the project has. Sources are listed by name; nothing is globbed.
# All of them see CELLPROOF_SOURCE_DIR, the checkout: where .deps and the Python workers are, unless the environment variable
# CELLPROOF_ROOT says otherwise.

# What every target needs of us.
function(cellproof_common target)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
  target_compile_definitions(${target} PRIVATE CELLPROOF_SOURCE_DIR="${CELLPROOF_ROOT_DIRECTORY}")
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:cellproof_flags>)
endfunction()

# cellproof_library(NAME SOURCES a.cpp ... [LINKS target ...] [PLAIN]): static library cellproof_NAME.
# PLAIN: is compiled source by source without precompiled headers.
function(cellproof_library name)
  cmake_parse_arguments(arg "PLAIN" "" "SOURCES;LINKS" ${ARGN})
  add_library(cellproof_${name} STATIC ${arg_SOURCES})
  cellproof_common(cellproof_${name})
  target_link_libraries(cellproof_${name} PUBLIC ${arg_LINKS})
  if(arg_PLAIN)
    return()
  endif()
  set_target_properties(cellproof_${name} PROPERTIES UNITY_BUILD ${CELLPROOF_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  cellproof_precompile(cellproof_${name} library)
endfunction()

# cellproof_program(NAME SOURCES main.cpp ... [LINKS target ...] [ON_DEMAND]): executable NAME in the build's bin/. The target
# `programs` builds all of them and no more than they need, but for those that are built ON_DEMAND.
add_custom_target(programs)
function(cellproof_program name)
  cmake_parse_arguments(arg "ON_DEMAND" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  cellproof_common(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINKS})
  if(CELLPROOF_PORTABLE)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/portable/arc4random.c)
  endif()
  if(NOT arg_ON_DEMAND)
    add_dependencies(programs ${name})
  endif()
endfunction()

# cellproof_tests(NAME SOURCES a_test.cpp ... [LINKS target ...] [LONG Suite.Test ...] [PLAIN] [ONNX_SCHEMAS]): one GoogleTest program
# NAME_test, one ctest entry a test. LONG: GoogleTest's patterns of those that only run with CELLPROOF_LAB, since they take long, most of all sanitized.
# ONNX_SCHEMAS: they see CELLPROOF_ONNX_SCHEMAS, the file of the schemas that ONNX has registered.
# The tests also see CELLPROOF_BINARY_DIR, where bin/ holds the programs.
function(cellproof_tests name)
  if(NOT CELLPROOF_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "PLAIN;ONNX_SCHEMAS" "" "SOURCES;LINKS;LONG" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES})
  cellproof_common(${name}_test)
  target_link_libraries(${name}_test PRIVATE ${arg_LINKS} cellproof_test_flags GTest::gtest_main GTest::gmock rapidcheck rapidcheck_gtest)
  target_compile_definitions(${name}_test PRIVATE CELLPROOF_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(arg_ONNX_SCHEMAS)
    target_compile_definitions(${name}_test PRIVATE CELLPROOF_ONNX_SCHEMAS="${ONNX_SCHEMAS}")
  endif()
  if(NOT arg_PLAIN)
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD ${CELLPROOF_UNITY} UNITY_BUILD_BATCH_SIZE 0)
    cellproof_precompile(${name}_test test)
  endif()
  # Sanitized, a property costs ten times as much, and what a sanitizer finds it finds in the first few cases.
  set(properties_succeed_after 200)
  if(CELLPROOF_SANITIZE)
    set(properties_succeed_after 25)
  endif()
  set(filter "")
  if(arg_LONG AND NOT CELLPROOF_LAB)
    string(JOIN ":" long ${arg_LONG})
    set(filter TEST_FILTER "-${long}")
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 ${filter}
                       PROPERTIES ENVIRONMENT "RC_PARAMS=seed=20261121 max_success=${properties_succeed_after}")
endfunction()
