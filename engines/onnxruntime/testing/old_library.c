/* A library that says it is ONNX Runtime 1.18.1 and has nothing else. Its GetApi must not be called. */
#include <stdint.h>
#include <stdlib.h>

struct api_base {
  const void* (*get_api)(uint32_t version);
  const char* (*get_version_string)(void);
};

static const void* get_api(uint32_t version) {
  (void)version;
  abort();
}

static const char* get_version_string(void) {
  return "1.18.1";
}

const struct api_base* OrtGetApiBase(void);

const struct api_base* OrtGetApiBase(void) {
  static const struct api_base base = {get_api, get_version_string};
  return &base;
}
