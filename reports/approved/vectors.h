/* Vectors of ONNX's recurrent operators, version 1.2.3: float tensors, no file, no library. Made by `cellproof vectors`.
   An element is right if it lies in its interval; there is no tolerance to choose. C99.

     struct cellproof_mistake mistake;
     for (int k = 0; k < CELLPROOF_VECTORS; ++k) {
       const void *outputs[3] = {my_Y, my_Y_h, my_Y_c};
       if (!cellproof_check(&cellproof_vectors[k], outputs, &mistake))
         printf("%s: %s[%u], step %d\n", cellproof_vectors[k].name, mistake.output, mistake.element, mistake.step);
     } */
#ifndef CELLPROOF_VECTORS_H
#define CELLPROOF_VECTORS_H

#include <stdint.h>
#include <string.h>

/* `bits`: of float, or of the bytes of uint8, int8 and int32, one a word. */
struct cellproof_input { const char *name, *type; uint32_t rank, shape[4], count; const uint32_t *bits; };
/* `nan`: one word for each element that may be NaN. Null bounds: those of the first way. */
struct cellproof_output { const uint32_t *lo, *hi, *nan; uint32_t nans; };
/* Outputs that are right as a whole under these readings. */
struct cellproof_way { const char *readings; struct cellproof_output outputs[3]; };
struct cellproof_vector {
  const char *name, *operator_name, *line, *clauses; /* `line`: the case, attributes included (docs/case-text.md) */
  uint32_t inputs; const struct cellproof_input *input;
  uint32_t counts[3]; /* elements of Y, Y_h and Y_c; 0: not asked for, or empty */
  uint32_t steps, step_stride; /* element / step_stride % steps is Y's step */
  uint32_t ways; const struct cellproof_way *way;
};
struct cellproof_mistake { const char *output; uint32_t element; int step; const char *clauses; };

static const uint32_t RNN_01_X[] = {0x3f3de827,0xbfd59daf};
static const uint32_t RNN_01_W[] = {0x3ed7bfab,0x3f628971};
static const uint32_t RNN_01_R[] = {0xbec00646,0xbf33eb59,0xbf000fd9,0xbe9868b2};
static const uint32_t RNN_01_way0_Y_lo[] = {0x3e000000,0x3e000000,0x3e000000,0x3e000000};
static const uint32_t RNN_01_way0_Y_hi[] = {0x3ec00000,0x3ec00000,0x3ec00000,0x3ec00000};
static const uint32_t RNN_01_way0_Y_h_lo[] = {0xbf100000,0xbf100000};
static const uint32_t RNN_01_way0_Y_h_hi[] = {0xbee00000,0xbee00000};
static const uint32_t RNN_01_way1_Y_nan[] = {0x0,0x3};
static const uint32_t RNN_01_way1_Y_lo[] = {0x7f800000,0x3e000000,0x3e000000,0x3e000000};
static const uint32_t RNN_01_way1_Y_hi[] = {0xff800000,0x3ec00000,0x3ec00000,0x3ec00000};
static const struct cellproof_input RNN_01_inputs[] = {
  {"X", "float", 3, {2, 1, 1}, 2, RNN_01_X},
  {"W", "float", 3, {1, 2, 1}, 2, RNN_01_W},
  {"R", "float", 3, {1, 2, 2}, 4, RNN_01_R},
};
static const struct cellproof_way RNN_01_ways[] = {
  {"default", {{RNN_01_way0_Y_lo, RNN_01_way0_Y_hi, 0, 0}, {RNN_01_way0_Y_h_lo, RNN_01_way0_Y_h_hi, 0, 0}, {0, 0, 0, 0}}},
  {"padding-of-y=carry", {{RNN_01_way1_Y_lo, RNN_01_way1_Y_hi, RNN_01_way1_Y_nan, 2}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
};

#define CELLPROOF_VECTORS 1
static const struct cellproof_vector cellproof_vectors[] = {
  {"RNN-01", "RNN", "cellproof-case/1 op=RNN-22 type=float T=2 N=1 I=1 H=2 clip=0.5 B=empty", "padding-of-y", 3, RNN_01_inputs, {4, 2, 0}, 2, 2, 2, RNN_01_ways},
};

/* The order of numbers as an order of integers; both zeros are one. */
static int64_t cellproof_order(uint32_t bits) {
  return bits & 0x80000000u ? -(int64_t)(bits & 0x7fffffffu) : (int64_t)bits;
}

static int cellproof_admits(const struct cellproof_output *output, uint32_t element, uint32_t bits) {
  uint32_t k;
  if ((bits & 0x7fffffffu) > 0x7f800000u) { /* NaN */
    for (k = 0; k < output->nans; ++k)
      if (output->nan[k] == element) return 1;
    return 0;
  }
  return cellproof_order(output->lo[element]) <= cellproof_order(bits) &&
         cellproof_order(bits) <= cellproof_order(output->hi[element]);
}

/* 1 where the outputs (floats; Y, Y_h, Y_c; null where not asked for) are right under one of the ways. Otherwise 0, and
   the first element that is wrong under the default. */
static int cellproof_check(const struct cellproof_vector *vector, const void *const outputs[3],
                           struct cellproof_mistake *mistake) {
  static const char *const names[3] = {"Y", "Y_h", "Y_c"};
  uint32_t way, k, element;
  mistake->output = 0;
  for (way = 0; way < vector->ways; ++way) {
    int right = 1;
    for (k = 0; k < 3 && right; ++k) {
      const struct cellproof_output *wanted = &vector->way[way].outputs[k];
      if (!wanted->lo) wanted = &vector->way[0].outputs[k];
      for (element = 0; element < vector->counts[k] && right; ++element) {
        uint32_t bits = 0;
        if (outputs[k]) memcpy(&bits, (const char *)outputs[k] + 4 * (size_t)element, 4);
        right = outputs[k] && cellproof_admits(wanted, element, bits);
        if (right || mistake->output) continue;
        mistake->output = names[k];
        mistake->element = element;
        mistake->step = k == 0 ? (int)(element / vector->step_stride % vector->steps) : -1;
        mistake->clauses = vector->clauses;
      }
    }
    if (right) return 1;
  }
  return 0;
}

#endif
