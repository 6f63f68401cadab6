/* An RNN of one unit over two steps, with the installed package: see CMakeLists.txt beside this file. */
#include <cellproof_cpu.h>
#include <stdio.h>

int main(void) {
  const float W[1] = {1}, R[1] = {0.5F}, X[2] = {0.5F, -1};
  float Y[2];
  char message[256];
  cellproof_node node = {.op = CELLPROOF_RNN}; /* everything else at its default */
  node.inputs[CELLPROOF_X] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {2, 1, 1}, NULL};
  node.inputs[CELLPROOF_W] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {1, 1, 1}, W};
  node.inputs[CELLPROOF_R] = (cellproof_tensor){CELLPROOF_FLOAT, 3, {1, 1, 1}, R};
  cellproof_cpu_plan* plan = NULL;
  int status = cellproof_cpu_prepare(&node, NULL, &plan, message, sizeof message);
  const void* inputs[CELLPROOF_INPUTS] = {X};
  void* outputs[CELLPROOF_OUTPUTS] = {Y};
  if (status == CELLPROOF_OK) status = cellproof_cpu_run(plan, inputs, outputs, message, sizeof message);
  if (status != CELLPROOF_OK) return puts(message), 1;
  printf("%.4f %.4f\n", Y[0], Y[1]); /* tanh(0.5) and tanh(-1 + 0.5 tanh(0.5)) */
  cellproof_cpu_release(plan);
  return 0;
}
