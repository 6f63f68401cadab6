# One place for everything that we ask of the compiler.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_program(CELLPROOF_CCACHE ccache)
if(CELLPROOF_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CELLPROOF_CCACHE})
endif()

add_library(cellproof_flags INTERFACE)
# -ffp-contract=off: spec, reference and oracle must give the same bits on every machine.
# gcc 12 sees overlapping copies where a string is added to a literal (its bug 105651): -Wno-restrict.
target_compile_options(cellproof_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-restrict -Werror -ffp-contract=off)
if(CELLPROOF_SANITIZE)
  target_compile_options(cellproof_flags INTERFACE -fsanitize=${CELLPROOF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cellproof_flags INTERFACE -fsanitize=${CELLPROOF_SANITIZE})
endif()
