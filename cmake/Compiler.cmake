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

# Jumbo compilation: all sources of a target at once. Most of compiling is reading headers, and a user waits for the first build. What a source keeps to
# itself must then have a name that no other has; `dev` compiles one by one, and so notices a forgotten include.
option(CELLPROOF_UNITY "Compile all sources of a target at once" OFF)

# Where programs look for .deps and for what suites read, unless the environment variable CELLPROOF_ROOT says otherwise.
set(CELLPROOF_ROOT_DIRECTORY ${CMAKE_SOURCE_DIR})
if(CELLPROOF_PORTABLE)
  set(CELLPROOF_ROOT_DIRECTORY /usr/share/cellproof)
  add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
  add_link_options(-static-libstdc++) # not libgcc, whose static part asks for a newer glibc
endif()

add_library(cellproof_flags INTERFACE)
# -ffp-contract=off: spec, reference and oracle must give the same bits on every machine.
target_compile_options(cellproof_flags INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -ffp-contract=off)
# A sanitizer rewrites arithmetic before gcc looks at its conversions, and then sees some that the source does not have.
if(NOT CELLPROOF_SANITIZE)
  target_compile_options(cellproof_flags INTERFACE -Wconversion)
endif()
# Hiding the private name of a neighbour is no offence, and only gcc can tell it from hiding a local one.
if(NOT CELLPROOF_UNITY)
  target_compile_options(cellproof_flags INTERFACE -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(cellproof_flags INTERFACE -Wshadow=local)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT CELLPROOF_SANITIZE)
  target_compile_options(cellproof_flags INTERFACE -Wno-sign-conversion) # which gcc does not count among conversions
endif()
if(CELLPROOF_FUZZ)
  # clang complains of what libstdc++ 12 calls inside itself, and of & between comparisons, without which a loop is not vectorised.
  target_compile_options(cellproof_flags INTERFACE -fsanitize=fuzzer-no-link -Wno-deprecated-declarations -Wno-bitwise-instead-of-logical)
  target_compile_definitions(cellproof_flags INTERFACE CELLPROOF_FUZZ)
  # libFuzzer reads every counter of a program after each input: neither those of functions that it never calls nor those of the standard
  # library's say anything.
  target_compile_options(cellproof_flags INTERFACE -ffunction-sections
    -fsanitize-coverage-ignorelist=${CMAKE_SOURCE_DIR}/lab/fuzz_targets/coverage_ignorelist.txt)
  target_link_options(cellproof_flags INTERFACE -Wl,--gc-sections,-z,start-stop-gc)
endif()
if(CELLPROOF_SANITIZE)
  target_compile_options(cellproof_flags INTERFACE -fsanitize=${CELLPROOF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cellproof_flags INTERFACE -fsanitize=${CELLPROOF_SANITIZE})
  # A null pointer that is used ends in AddressSanitizer's report anyway. These two checks stand before every access: a quarter of the compiling.
  target_compile_options(cellproof_flags INTERFACE -fno-sanitize=null,alignment)
endif()

# Test code runs once for each time it is compiled: what it costs is the compiling, which UndefinedBehaviorSanitizer makes almost twice as long.
add_library(cellproof_test_flags INTERFACE)
target_compile_options(cellproof_test_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O0>)
if(CELLPROOF_SANITIZE)
  target_compile_options(cellproof_test_flags INTERFACE -fno-sanitize=undefined)
endif()
