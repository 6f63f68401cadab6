# ONNX's C++ library: from .deps if it is there, else built once from the source package that PyPI keeps.
# Everything that runs is pinned by hash: tools.txt (CMake >= 3.26, which ONNX asks for, and the sdist's build back-end) and onnx.txt.
set(ONNX_VERSION_PIN 1.23.2)
set(onnx_prefix ${CMAKE_SOURCE_DIR}/.deps/onnx-${ONNX_VERSION_PIN})
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(Protobuf REQUIRED)   # module mode, before ONNX: Debian ships no protobuf-config.cmake
find_package(ONNX ${ONNX_VERSION_PIN} CONFIG QUIET PATHS ${onnx_prefix} NO_DEFAULT_PATH)
if(NOT ONNX_FOUND)
  set(work ${CMAKE_SOURCE_DIR}/.deps/work)
  set(src ${work}/onnx-${ONNX_VERSION_PIN})
  file(MAKE_DIRECTORY ${work})
  set(bin ${work}/tools/bin)
  set(pip_flags --quiet --disable-pip-version-check --require-hashes --no-deps)
  message(STATUS "Fetching the ONNX ${ONNX_VERSION_PIN} source package with pip")
  execute_process(COMMAND ${Python3_EXECUTABLE} -m venv ${work}/tools COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${bin}/python -m pip install ${pip_flags} --only-binary :all: -r ${CMAKE_SOURCE_DIR}/tools.txt COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "PATH=${bin}:$ENV{PATH}" ${bin}/python -m pip download ${pip_flags} --no-build-isolation
                          --no-binary onnx -d ${work} -r ${CMAKE_SOURCE_DIR}/onnx.txt COMMAND_ERROR_IS_FATAL ANY)
  file(ARCHIVE_EXTRACT INPUT ${src}.tar.gz DESTINATION ${work})
  message(STATUS "Building ONNX ${ONNX_VERSION_PIN}, once")
  execute_process(COMMAND ${bin}/cmake -S ${src} -B ${work}/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1
                          -DCMAKE_INSTALL_PREFIX=${onnx_prefix} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_POSITION_INDEPENDENT_CODE=ON
                          -DONNX_BUILD_PYTHON=OFF -DONNX_USE_PROTOBUF_SHARED_LIBS=ON -DONNX_USE_UNITY_BUILD=ON
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND bash -c "time $0 --build ${work}/build" ${bin}/cmake COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${bin}/cmake --install ${work}/build COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
  find_package(ONNX ${ONNX_VERSION_PIN} CONFIG REQUIRED PATHS ${onnx_prefix} NO_DEFAULT_PATH)
endif()
