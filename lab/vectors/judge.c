/* Judges outputs by cellproof_vectors.h, and needs nothing but C's own library. Reads records from standard input:
   32 bytes of a vector's name, then for Y, Y_h and Y_c the count of elements and that many floats. Prints a line for
   each record; the last word of a right one is "right". lab/vectors/other_runners.py writes such records. */
#include <cellproof_vectors.h> /* made by `cellproof vectors -o DIR`; compiled with -IDIR */
#include <stdio.h>

enum { MOST = 65536 };

static uint32_t numbers[3][MOST];

static const struct cellproof_vector* find(const char* name) {
  int k;
  for (k = 0; k < CELLPROOF_VECTORS; ++k)
    if (strcmp(cellproof_vectors[k].name, name) == 0) return &cellproof_vectors[k];
  return 0;
}

int main(void) {
  static const char* const names[3] = {"Y", "Y_h", "Y_c"};
  char name[33] = {0};
  while (fread(name, 32, 1, stdin) == 1) {
    const struct cellproof_vector* vector = find(name);
    const void* outputs[3] = {0, 0, 0};
    struct cellproof_mistake mistake;
    int k, miscounted = -1;
    for (k = 0; k < 3; ++k) {
      uint32_t count;
      if (fread(&count, 4, 1, stdin) != 1 || count > MOST || fread(numbers[k], 4, count, stdin) != count) {
        fprintf(stderr, "%s: its record is cut off or too long\n", name);
        return 2;
      }
      if (count > 0) outputs[k] = numbers[k];
      if (vector && miscounted < 0 && count != vector->counts[k]) miscounted = k;
    }
    if (!vector)
      printf("%s: no such vector\n", name);
    else if (miscounted >= 0)
      printf("%s: %s has another count of elements\n", name, names[miscounted]);
    else if (cellproof_check(vector, outputs, &mistake))
      printf("%s: right\n", name);
    else
      printf("%s: %s[%u], step %d\n", name, mistake.output, (unsigned)mistake.element, mistake.step);
  }
  return 0;
}
