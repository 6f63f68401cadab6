/* Recurrent operators of ONNX on a CUDA device: LSTM, GRU and RNN of every version, and com.microsoft
 * DynamicQuantizeLSTM. Every valid node is computed by kernels of this library; cuBLAS, opened at run time where it is,
 * serves for products of more than a few rows.
 *
 * A node is described once (cellproof_cuda_prepare checks it, reserves memory and packs constant weights) and run many
 * times. Plain C. The library starts where there is neither toolkit nor driver: cellproof_cuda_probe says what is
 * there. The node and its status are those of cellproof_node.h. Statuses: OK; INVALID; OUT_OF_MEMORY; UNAVAILABLE where
 * there is no device, no driver, or no device code in this build; FAILED where a device that is there failed, whose
 * process should not go on. Constant data must stay where it is as long as the plan.
 *
 * Machines: DEVICE is the CUDA device that is current when the plan is made; it may be run from any thread. HOST runs
 * the same plan, index arithmetic and cell arithmetic as plain loops on the CPU, so that they can be checked without a
 * device; it is not meant to be fast. Tensors are dense, row-major, no output overlaps an input, and they are in the
 * host's memory, or with options.tensors_on_device all but sequence_lens in the device's. sequence_lens is always in
 * the host's memory: its values decide what is launched. Threads: a plan is used by one caller at a time; different
 * plans are independent. run returns when all is computed, but with options.asynchronous. Determinism: the same inputs
 * give the same bits in every run of a plan. Arithmetic: float and double in their own type, without fast math or TF32.
 * float16 and bfloat16: products and sums in float (by tensor cores where the batch is larger than four and cuBLAS is
 * there), everything else in float, and each output rounded once; for larger batches what R is multiplied with is the
 * last state as it is rounded, while all else that a step takes from the last one stays float. Attributes are taken as
 * their float values. The integer products of DynamicQuantizeLSTM are exact. Where ONNX leaves a choice: clip bounds
 * the arguments of f, g and h, but not the stored cell; input_forget is f = 1 - i without the forget gate's weights;
 * activation_alpha and activation_beta are streams that run on from the forward to the reverse direction;
 * ThresholdedRelu passes x == alpha; Y is zero past a sequence's length; a sequence of length zero hands its initial
 * state on; DynamicQuantizeLSTM quantises X by its range over the steps up to the longest length, padding included, and
 * H before each step by its range over the batch, where a finished sequence counts as zero when Y is wanted and with
 * its last H when not.
 */
#ifndef CELLPROOF_CUDA_H
#define CELLPROOF_CUDA_H

#include <stddef.h>
#include <stdint.h>

#include "optimized/node/cellproof_node.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cellproof_cuda_machine { CELLPROOF_CUDA_DEVICE, CELLPROOF_CUDA_HOST } cellproof_cuda_machine;

/* How the steps are driven. PERSISTENT: one kernel that keeps R on the chip and takes all steps; where the batch is too
 * large or R does not fit it is STEPS, as for DynamicQuantizeLSTM. Its blocks wait for the numbers that they need, or,
 * with more than 1024 hidden units, at a barrier of all; BARRIER: always at a barrier. AUTO: PERSISTENT, but for a node
 * of a single step and a small batch, which one launch computes (of GRU without linear_before_reset: two); or what the
 * environment variable CELLPROOF_CUDA_PATH names, "steps", "persistent" or "barrier", so that paths can be compared. */
typedef enum cellproof_cuda_path {
  CELLPROOF_CUDA_PATH_AUTO,
  CELLPROOF_CUDA_PATH_STEPS,
  CELLPROOF_CUDA_PATH_PERSISTENT,
  CELLPROOF_CUDA_PATH_BARRIER
} cellproof_cuda_path;

typedef struct cellproof_cuda_options {
  cellproof_cuda_machine machine;
  cellproof_cuda_path path;
  int32_t tensors_on_device; /* 0: all tensors are in the host's memory */
  int32_t asynchronous; /* with tensors_on_device: run only issues the work on cellproof_cuda_stream; the caller waits
                           for it before he reads an output or releases the plan */
} cellproof_cuda_options;

typedef struct cellproof_cuda_plan cellproof_cuda_plan;

/* Whether a machine can be used: OK; UNAVAILABLE where it is not there; FAILED where it is and does not work. `message`
 * (if not NULL) says why in one line, cut to message_size, always terminated. HOST is always OK. */
cellproof_status cellproof_cuda_probe(cellproof_cuda_machine machine, char* message, size_t message_size);

/* What will compute: the device's name, its compute capability and which products it uses; "host" for HOST. One line,
 * empty where the machine cannot be used. */
void cellproof_cuda_describe(cellproof_cuda_machine machine, char* text, size_t text_size);

/* Checks the node, reserves memory, packs its constant weights. options == NULL: DEVICE, AUTO, tensors in the host's
 * memory. Where the status is not OK, *plan is NULL and `message` holds one line as for cellproof_cuda_probe. The node
 * is checked first: an invalid one is INVALID on a machine without a device, too. */
cellproof_status cellproof_cuda_prepare(const cellproof_node* node, const cellproof_cuda_options* options,
                                        cellproof_cuda_plan** plan, char* message, size_t message_size);

/* Computes the node. inputs: by position the data of every input that the node has and that was not constant (other
 * entries are not read). outputs: by position where to write, in the shapes of the specification; NULL: not wanted.
 * INVALID: a sequence length is out of range; nothing has been written then. */
cellproof_status cellproof_cuda_run(cellproof_cuda_plan* plan, const void* const inputs[CELLPROOF_INPUTS],
                                    void* const outputs[CELLPROOF_OUTPUTS], char* message, size_t message_size);

/* How a plan's steps are driven: "steps", "persistent", "persistent with a barrier" or "single step". What turned out
 * in a run is said behind it: "steps, as a persistent kernel was refused", "persistent, not recorded". The text is the
 * plan's, until the next call. */
const char* cellproof_cuda_path_of(const cellproof_cuda_plan* plan);

/* The stream that a plan's runs are issued on (a cudaStream_t), to be timed by events; NULL for HOST. */
void* cellproof_cuda_stream(const cellproof_cuda_plan* plan);

/* NULL is allowed. */
void cellproof_cuda_release(cellproof_cuda_plan* plan);

#ifdef __cplusplus
}
#endif
#endif
