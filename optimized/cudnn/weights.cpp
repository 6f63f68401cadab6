#include "optimized/cudnn/weights.hpp"

namespace cellproof::cudnn {
namespace {

/// cuDNN's place of ONNX's gate: LSTM i o f c to i f c o, GRU z r h to r z h.
std::int64_t place_of(cellproof_operator op, std::int64_t gate) {
  constexpr std::int64_t lstm[] = {0, 3, 1, 2}, gru[] = {1, 0, 2};
  return op == CELLPROOF_LSTM ? lstm[gate] : op == CELLPROOF_GRU ? gru[gate] : gate;
}

}  // namespace

std::vector<WeightBlock> weight_blocks(const Node& node) {
  const auto [T, N, I, H, D] = sizes_of(node);
  const auto G = static_cast<std::int64_t>(node.gates());
  const std::int64_t matrices = G * H * (I + H);
  std::vector<WeightBlock> blocks;
  const auto add = [&](std::size_t input, std::int64_t from, std::int64_t to, std::int64_t count, std::int64_t d,
                       std::int64_t id) {
    blocks.push_back({input, from, to, count, static_cast<std::int32_t>(d), static_cast<std::int32_t>(id)});
  };
  for (std::int64_t d = 0; d < D; ++d) {
    for (std::int64_t gate = 0; gate < G; ++gate) {
      const std::int64_t place = place_of(node.op, gate);
      add(CELLPROOF_W, (d * G + gate) * H * I, d * matrices + place * H * I, H * I, d, place);
      add(CELLPROOF_R, (d * G + gate) * H * H, d * matrices + G * H * I + place * H * H, H * H, d, G + place);
      if (!node.has(CELLPROOF_B)) continue;
      // Both halves of B: the recurrent one of a GRU's h stands inside the product with the reset gate.
      for (const std::int64_t half : {std::int64_t{0}, G})
        add(CELLPROOF_B, (d * 2 * G + half + gate) * H, D * matrices + (d * 2 * G + half + place) * H, H, d,
            half + place);
    }
  }
  return blocks;
}

}  // namespace cellproof::cudnn
