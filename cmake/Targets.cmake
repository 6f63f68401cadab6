# The three kinds of target that the project has. Sources are listed by name; nothing is globbed.
# All of them see CELLPROOF_SOURCE_DIR, the checkout: where .deps and the Python workers are, unless the environment variable
# CELLPROOF_ROOT says otherwise.

# cellproof_library(NAME SOURCES a.cpp ... [LINKS target ...]): static library cellproof_NAME.
function(cellproof_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(cellproof_${name} STATIC ${arg_SOURCES})
  target_include_directories(cellproof_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_definitions(cellproof_${name} PRIVATE CELLPROOF_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(cellproof_${name} PUBLIC ${arg_LINKS} PRIVATE cellproof_flags)
endfunction()

# cellproof_program(NAME SOURCES main.cpp ... [LINKS target ...]): executable NAME in the build's bin/.
function(cellproof_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE CELLPROOF_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} cellproof_flags)
endfunction()

# cellproof_tests(NAME SOURCES a_test.cpp ... [LINKS target ...]): one GoogleTest program NAME_test, one ctest entry a suite.
# The tests also see CELLPROOF_BINARY_DIR, where bin/ holds the programs.
function(cellproof_tests name)
  if(NOT CELLPROOF_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES})
  target_include_directories(${name}_test PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name}_test PRIVATE ${arg_LINKS} GTest::gtest_main GTest::gmock rapidcheck rapidcheck_gtest cellproof_flags)
  target_compile_definitions(${name}_test PRIVATE CELLPROOF_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CELLPROOF_BINARY_DIR="${CMAKE_BINARY_DIR}")
  include(GoogleTest)
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
                       PROPERTIES ENVIRONMENT "RC_PARAMS=seed=20261121 max_success=200")
endfunction()
