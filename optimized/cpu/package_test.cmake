# Installs the package from BINARY_DIR, builds the example against nothing but that, in WORK_DIR, and compares what it prints.
# cmake -DBINARY_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DFLAGS=... -DGENERATOR=... -P package_test.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE printed ERROR_VARIABLE complaint RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: ${result}\n${printed}${complaint}")
  endif()
  set(printed "${printed}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${WORK_DIR}/prefix --component cellproof-cpu)
file(GLOB_RECURSE installed RELATIVE ${WORK_DIR}/prefix ${WORK_DIR}/prefix/*)
list(SORT installed)
foreach(expected include/cellproof_cpu.h include/cellproof_node.h lib/cmake/cellproof-cpu/cellproof-cpu-config.cmake lib/libcellproof_cpu.a
        lib/libcellproof_node.a)
  if(NOT expected IN_LIST installed)
    message(FATAL_ERROR "${expected} was not installed; there is: ${installed}")
  endif()
endforeach()
foreach(file IN LISTS installed)
  if(file MATCHES "\\.cmake$")
    file(READ ${WORK_DIR}/prefix/${file} text)
    if(text MATCHES "${SOURCE_DIR}|${BINARY_DIR}")
      message(FATAL_ERROR "${file} names the folder that it was built in")
    endif()
  endif()
endforeach()

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}/optimized/cpu/example -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_EXE_LINKER_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/rnn)
if(NOT printed STREQUAL "0.4621 -0.6463\n")
  message(FATAL_ERROR "the example printed ${printed}")
endif()
