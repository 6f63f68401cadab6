/* One recurrent node of ONNX as it is handed to cellproof_cpu.h, cellproof_cuda.h and cellproof_cudnn.h: LSTM, GRU and
 * RNN of every version, and com.microsoft DynamicQuantizeLSTM. Plain C, no dependency. */
#ifndef CELLPROOF_NODE_H
#define CELLPROOF_NODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. Each library's header says which of them it gives. */
typedef enum cellproof_status {
  CELLPROOF_OK = 0,
  CELLPROOF_INVALID = 1,       /* the node or its data break the specification; the message names the clause */
  CELLPROOF_NOT_SUPPORTED = 2, /* the node is valid, and this library cannot express it */
  CELLPROOF_OUT_OF_MEMORY = 3,
  CELLPROOF_UNAVAILABLE = 4, /* this machine or this build lacks what was asked for: a processor's feature, a thread,
                                a device, its driver, a shared library */
  CELLPROOF_FAILED = 5       /* a device or its library that is there failed, and is of no more use to the process */
} cellproof_status;

typedef enum cellproof_operator {
  CELLPROOF_LSTM,
  CELLPROOF_GRU,
  CELLPROOF_RNN,
  CELLPROOF_DYNAMIC_QUANTIZE_LSTM
} cellproof_operator;

/* NONE: there is no such input. */
typedef enum cellproof_type {
  CELLPROOF_NONE,
  CELLPROOF_FLOAT16,
  CELLPROOF_BFLOAT16,
  CELLPROOF_FLOAT,
  CELLPROOF_DOUBLE,
  CELLPROOF_INT8,
  CELLPROOF_UINT8,
  CELLPROOF_INT32,
  CELLPROOF_OTHER /* a type that no input can have */
} cellproof_type;

/* Positions of inputs and outputs as in the ONNX node. GRU and RNN end at INITIAL_H, LSTM at P. */
enum {
  CELLPROOF_X,
  CELLPROOF_W,
  CELLPROOF_R,
  CELLPROOF_B,
  CELLPROOF_SEQUENCE_LENS,
  CELLPROOF_INITIAL_H,
  CELLPROOF_INITIAL_C,
  CELLPROOF_P,
  CELLPROOF_W_SCALE,
  CELLPROOF_W_ZERO_POINT,
  CELLPROOF_R_SCALE,
  CELLPROOF_R_ZERO_POINT,
  CELLPROOF_INPUTS
};
enum { CELLPROOF_Y, CELLPROOF_Y_H, CELLPROOF_Y_C, CELLPROOF_OUTPUTS };

/* A dense row-major tensor. In a node, data == NULL says that the values come with each run. Where constant data lies,
 * and for how long it must, is said by each library. An empty tensor has no data to give. */
typedef struct cellproof_tensor {
  cellproof_type type;
  int32_t rank; /* up to 4; a greater rank is stated, and its shape not read */
  int64_t shape[4];
  const void* data;
} cellproof_tensor;

/* A list attribute: names == NULL is "not written"; values == NULL goes with count == 0. */
typedef struct cellproof_names {
  const char* const* names;
  size_t count;
} cellproof_names;
typedef struct cellproof_values {
  const float* values;
  size_t count;
} cellproof_values;

/* A node as ONNX writes it. All bits zero: every attribute at its default, no input. */
typedef struct cellproof_node {
  cellproof_operator op;
  const char* direction; /* NULL: forward */
  cellproof_names activations;
  cellproof_values activation_alpha;
  cellproof_values activation_beta;
  int32_t has_clip;
  float clip;
  int32_t has_hidden_size; /* 0: the size is read from R */
  int64_t hidden_size;
  int64_t input_forget;        /* LSTM; non-zero is 1 */
  int64_t linear_before_reset; /* GRU; non-zero is 1 */
  int64_t layout;              /* non-zero is 1: batch before time */
  cellproof_tensor inputs[CELLPROOF_INPUTS];
} cellproof_node;

#ifdef __cplusplus
}
#endif
#endif
