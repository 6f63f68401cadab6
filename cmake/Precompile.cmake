# Precompiled headers: they take a quarter off the first build, which a user waits for. Only the presets that the launcher
# builds ask for them; `dev` compiles without, and so notices a source that forgets an include.
option(CELLPROOF_PRECOMPILE "Precompile the standard library's and fmt's headers (and GoogleTest's, for the tests)" OFF)
if(NOT CELLPROOF_PRECOMPILE)
  function(cellproof_precompile target)
  endfunction()
  return()
endif()

# gcc's precompiled headers and ccache need each other's special options; what is built once gains nothing from a cache.
unset(CMAKE_CXX_COMPILER_LAUNCHER)

# nlohmann-json is not among them: it adds 0.6 s to every file that merely could use it, and few do.
set(cellproof_precompiled_standard
  <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span> <stdexcept> <string> <string_view>
  <utility> <variant> <vector> <fmt/format.h>)
set(cellproof_precompiled_tests <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>)

# The compiler takes a precompiled header only with the options it was made with: one for libraries, one for test programs.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "int main() {}\n")
add_library(cellproof_precompiled_library STATIC ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(cellproof_precompiled_library PRIVATE cellproof_flags fmt::fmt)
target_precompile_headers(cellproof_precompiled_library PRIVATE ${cellproof_precompiled_standard})
if(CELLPROOF_TESTS)
  add_executable(cellproof_precompiled_test ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(cellproof_precompiled_test PRIVATE cellproof_flags cellproof_test_flags fmt::fmt GTest::gtest GTest::gmock rapidcheck rapidcheck_gtest)
  target_precompile_headers(cellproof_precompiled_test PRIVATE ${cellproof_precompiled_standard} ${cellproof_precompiled_tests})
endif()

# cellproof_precompile(TARGET library|test): use the one of that kind.
function(cellproof_precompile target kind)
  target_precompile_headers(${target} REUSE_FROM cellproof_precompiled_${kind})
endfunction()
