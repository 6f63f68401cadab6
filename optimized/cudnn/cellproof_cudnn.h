/* Recurrent operators of ONNX by cuDNN 9 on an NVIDIA GPU: what cuDNN can express of LSTM, GRU and RNN, of every
 * version.
 *
 * cuDNN is opened when a context is (never linked), so that a program with this library starts on any machine. A node
 * is described once (cellproof_cudnn_prepare checks it, packs its constant weights and reserves memory on the device)
 * and run many times. Plain C.
 *
 *   cellproof_cudnn_context* context = NULL;
 *   char message[512];
 *   if (cellproof_cudnn_open(NULL, &context, message, sizeof message) != CELLPROOF_OK) puts(message);
 *   cellproof_node node = {0};
 *   node.op = CELLPROOF_LSTM;
 *   node.inputs[0] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {T, N, I}, NULL};   // X comes with each run
 *   node.inputs[1] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {1, 4 * H, I}, W};  // W and R are packed once
 *   node.inputs[2] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {1, 4 * H, H}, R};
 *   cellproof_cudnn_plan* plan = NULL;
 *   cellproof_cudnn_prepare(context, &node, &plan, message, sizeof message);
 *   const void* inputs[CELLPROOF_INPUTS] = {X};
 *   void* outputs[CELLPROOF_OUTPUTS] = {Y, Y_h, NULL};
 *   cellproof_cudnn_run(plan, inputs, outputs, message, sizeof message);
 *   cellproof_cudnn_release(plan);
 *   cellproof_cudnn_close(context);
 *
 * The node and its status are those of cellproof_node.h. Statuses: OK; INVALID; OUT_OF_MEMORY; NOT_SUPPORTED where
 * cuDNN cannot express the node, or says that it cannot run it; UNAVAILABLE of open only: no driver, no device, no
 * cuDNN or a part of it, versions that do not go together, or this library was built without CUDA; FAILED where the
 * device or cuDNN failed, and the context is of no more use. Constant data lies on the host and is read by prepare
 * only. activation_alpha and activation_beta are not read: no function that cuDNN has takes any. What cuDNN cannot
 * express is NOT_SUPPORTED with the reason, and never approximated: cellproof_cudnn_limit lists it. Threads: a context
 * and its plans are used by one caller at a time, in any thread; different contexts are independent. Arithmetic: by the
 * context's math. FMA: products and sums of float in float, of double in double. float16 and bfloat16: each product is
 * summed in float, but what lies between steps is stored in their own type: the state, the cell and the products of X
 * (seen of float16, cuDNN 9.19.0), so that a pre-activation may be rounded, or overflow, in parts. Where ONNX leaves a
 * choice: Y is zero past a sequence's length, and a sequence of length zero hands its initial state on.
 */
#ifndef CELLPROOF_CUDNN_H
#define CELLPROOF_CUDNN_H

#include <stddef.h>
#include <stdint.h>

#include "optimized/node/cellproof_node.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In what the products are computed. */
typedef enum cellproof_cudnn_math {
  CELLPROOF_CUDNN_MATH_FMA,      /* every type summed in itself or wider; no tensor cores for float */
  CELLPROOF_CUDNN_MATH_TF32,     /* float only: tensor cores, which round the factors to TF32 */
  CELLPROOF_CUDNN_MATH_TENSOR_OP /* float16 and bfloat16 only: tensor cores, summed in float */
} cellproof_cudnn_math;

/* Where the data of a run's inputs and outputs lies, except that sequence_lens and P always lie on the host. */
typedef enum cellproof_cudnn_memory {
  CELLPROOF_CUDNN_MEMORY_HOST,
  CELLPROOF_CUDNN_MEMORY_DEVICE
} cellproof_cudnn_memory;

typedef struct cellproof_cudnn_options {
  cellproof_cudnn_math math;
  cellproof_cudnn_memory memory;
} cellproof_cudnn_options;

typedef struct cellproof_cudnn_context cellproof_cudnn_context;
typedef struct cellproof_cudnn_plan cellproof_cudnn_plan;

/* In all functions: where the status is not OK, `message` (if not NULL) holds one line, cut to message_size, always
 * terminated. */

/* Looks for a device (the current one), opens cuDNN, makes a handle and a stream. options == NULL: FMA, HOST.
 * cuDNN is looked for in the environment variable CELLPROOF_CUDNN_LIBRARY (a file; then nowhere else), in the folders
 * of CELLPROOF_CUDNN_DIRS (separated by ':'; a Python environment's site-packages will do; where one of them has it,
 * then nowhere else), by its soname, and in the toolkit. Its parts are taken from its own folder. */
cellproof_status cellproof_cudnn_open(const cellproof_cudnn_options* options, cellproof_cudnn_context** context,
                                      char* message, size_t message_size);
/* NULL is allowed. All plans of the context must have been released. */
void cellproof_cudnn_close(cellproof_cudnn_context* context);

/* "cuDNN 9.19.0 (FILE, CUDA 13.0) on DEVICE, sm_90" */
const char* cellproof_cudnn_description(const cellproof_cudnn_context* context);
/* The stream that runs are issued on (a cudaStream_t), to be timed by events. */
void* cellproof_cudnn_stream(const cellproof_cudnn_context* context);

/* Checks the node; INVALID or NOT_SUPPORTED before anything is done. */
cellproof_status cellproof_cudnn_prepare(cellproof_cudnn_context* context, const cellproof_node* node,
                                         cellproof_cudnn_plan** plan, char* message, size_t message_size);

/* Computes the node. inputs: by position the data of every input that the node has and that was not constant (other
 * entries are not read). outputs: by position where to write, in the shapes of the specification; NULL: not wanted.
 * HOST memory: the outputs are there on return. DEVICE memory: the run is issued on the context's stream, which waits
 * for no other one, and may still go on; every tensor begins at a multiple of 16 bytes, and no output is an input.
 * INVALID: a sequence length is out of range, or a pointer is none of those. NOT_SUPPORTED: P is not zero. Nothing has
 * been written then. */
cellproof_status cellproof_cudnn_run(cellproof_cudnn_plan* plan, const void* const inputs[CELLPROOF_INPUTS],
                                     void* const outputs[CELLPROOF_OUTPUTS], char* message, size_t message_size);
/* NULL is allowed. */
void cellproof_cudnn_release(cellproof_cudnn_plan* plan);

/* One thing that cuDNN cannot express: what of the node, and the reason that NOT_SUPPORTED gives. */
typedef struct cellproof_cudnn_limit {
  const char* what;
  const char* reason;
} cellproof_cudnn_limit;
/* All of them in the order in which they are looked for; *count says how many. */
const cellproof_cudnn_limit* cellproof_cudnn_limits(size_t* count);

/* The same answer that prepare would give to this node, without a context or a device. */
cellproof_status cellproof_cudnn_supports(const cellproof_node* node, cellproof_cudnn_math math, char* message,
                                          size_t message_size);

#ifdef __cplusplus
}
#endif
#endif
