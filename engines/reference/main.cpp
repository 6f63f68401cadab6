#include "engines/reference/reference_engine.hpp"
#include "engines/serve.hpp"

int main() {
  cellproof::engines::ReferenceEngine engine;
  return cellproof::engines::serve(engine);
}
