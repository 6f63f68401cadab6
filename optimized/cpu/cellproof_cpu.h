/* Recurrent operators of ONNX on a CPU: LSTM, GRU and RNN of every version, and com.microsoft DynamicQuantizeLSTM.
 *
 * A node is described once (cellproof_cpu_prepare checks it, packs its constant weights and reserves all memory) and
 * run many times (cellproof_cpu_run allocates nothing). Plain C, no dependency.
 *
 *   cellproof_node node = {0};
 *   node.op = CELLPROOF_LSTM;
 *   node.inputs[0] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {T, N, I}, NULL};   // X comes with each run
 *   node.inputs[1] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {1, 4 * H, I}, W};  // W and R are packed once
 *   node.inputs[2] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {1, 4 * H, H}, R};
 *   cellproof_cpu_plan* plan = NULL;
 *   char message[256];
 *   if (cellproof_cpu_prepare(&node, NULL, &plan, message, sizeof message) != CELLPROOF_OK) puts(message);
 *   const void* inputs[CELLPROOF_INPUTS] = {X};
 *   void* outputs[CELLPROOF_OUTPUTS] = {Y, Y_h, NULL};
 *   cellproof_cpu_run(plan, inputs, outputs, message, sizeof message);
 *   cellproof_cpu_release(plan);
 *
 * The node and its status are those of cellproof_node.h. Statuses: OK; INVALID; OUT_OF_MEMORY; UNAVAILABLE where the
 * machine lacks what the chosen path needs, or a thread cannot be started.
 * Constant data must stay where it is as long as the plan.
 * AMX: bfloat16 and DynamicQuantizeLSTM take it by themselves. Asking for it, also whether it is missing, makes Linux
 * grant its registers to the whole process, whose signal frames grow by 8 KiB. A thread's are released after each run.
 * Alignment: tensors need that of their element type and no more.
 * Threads: a plan is used by one caller at a time; different plans are independent. With options.threads > 1 a plan
 * owns threads - 1 workers, which sleep between runs.
 * Determinism: the same inputs give the same bits in every run of a plan, whatever the number of threads. With constant
 * weights a sequence of LSTM, GRU and RNN has the same bits alone and in any batch. In float and double it has them,
 * too, in runs of some steps each, begun from the states before. All this holds within one path, OPENBLAS aside.
 * Weights that come with the run are not packed for few steps, which rounds differently. DynamicQuantizeLSTM quantises
 * by the range of all sequences and steps. Arithmetic: float and double in their own type; float16 and bfloat16 are
 * widened to float, the state stays float from step to step, and each output is rounded once. AVX512_BF16 and AMX
 * round H to bfloat16, as Y has it, where R multiplies it. Attributes are taken as
 * their float values. Where ONNX leaves a choice: clip bounds the arguments of f, g and h, but not the stored cell;
 * input_forget is f = 1 - i, and the forget gate's weights are ignored; activation_alpha and activation_beta are
 * consumed as streams that run on from the forward to the reverse direction; ThresholdedRelu passes x == alpha; Y is
 * zero past a sequence's length; a sequence of length zero hands its initial state on.
 */
#ifndef CELLPROOF_CPU_H
#define CELLPROOF_CPU_H

#include <stddef.h>
#include <stdint.h>

#include "optimized/node/cellproof_node.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a node is computed. AUTO chooses by the processor's features. */
typedef enum cellproof_cpu_path {
  CELLPROOF_CPU_PATH_AUTO,
  CELLPROOF_CPU_PATH_SCALAR,      /* portable C++, one element at a time */
  CELLPROOF_CPU_PATH_AVX2,        /* AVX2 and FMA */
  CELLPROOF_CPU_PATH_AVX512,      /* AVX-512 F, BW, CD, DQ and VL; VNNI where there is */
  CELLPROOF_CPU_PATH_OPENBLAS,    /* products by OpenBLAS (opened at run time), functions by the best of the others */
  CELLPROOF_CPU_PATH_AVX_VNNI,    /* AVX2, and AVX-VNNI for products of bytes */
  CELLPROOF_CPU_PATH_AVX512_BF16, /* AVX512, and AVX512_BF16 for products of bfloat16 */
  CELLPROOF_CPU_PATH_AMX          /* AVX512, and AMX's tiles for products of bfloat16 and for many rows of bytes */
} cellproof_cpu_path;

typedef struct cellproof_cpu_options {
  cellproof_cpu_path path;
  int32_t threads; /* 0 and 1: the caller's thread only */
} cellproof_cpu_options;

typedef struct cellproof_cpu_plan cellproof_cpu_plan;

/* Checks the node, packs its constant weights, reserves memory. options == NULL: AUTO, one thread. Where the status is
 * not OK, *plan is NULL and `message` (if not NULL) holds one line, cut to message_size, always terminated. */
cellproof_status cellproof_cpu_prepare(const cellproof_node* node, const cellproof_cpu_options* options,
                                       cellproof_cpu_plan** plan, char* message, size_t message_size);

/* Computes the node. inputs: by position the data of every input that the node has and that was not constant (other
 * entries are not read). outputs: by position where to write, in the shapes of the specification; NULL: not wanted.
 * INVALID: a sequence length is out of range; nothing has been written then. */
cellproof_status cellproof_cpu_run(cellproof_cpu_plan* plan, const void* const inputs[CELLPROOF_INPUTS],
                                   void* const outputs[CELLPROOF_OUTPUTS], char* message, size_t message_size);

/* The path that a plan takes: "scalar", "avx2", "avx-vnni", "avx512", "avx512-bf16", "amx", "openblas". */
const char* cellproof_cpu_path_of(const cellproof_cpu_plan* plan);

/* The path with such a name, which is one of these or "auto". Returns 0, and leaves *path alone, where there is none.
 */
int cellproof_cpu_path_named(const char* name, cellproof_cpu_path* path);

/* "" where this machine has what a path needs, else one line that says what is missing. */
const char* cellproof_cpu_path_missing(cellproof_cpu_path path);

/* NULL is allowed. */
void cellproof_cpu_release(cellproof_cpu_plan* plan);

#ifdef __cplusplus
}
#endif
#endif
