# find_package(cellproof-cpu): the target cellproof::cpu, a static library with the C interface <cellproof_cpu.h>.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/cellproof-cpu-targets.cmake)
