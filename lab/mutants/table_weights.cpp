// Mutants that misread W, R, B or P.
#include <fmt/format.h>

#include <algorithm>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

/// Blocks that stand in this order are read, each of `size` values.
void read_in_order(std::vector<double>& values, const std::string& order, const std::string& right, std::size_t size) {
  const std::vector<double> stored = values;
  for (std::size_t gate = 0; gate < right.size(); ++gate) {
    const std::size_t block = order.find(right[gate]);
    for (std::size_t k = 0; k < size && !values.empty(); ++k) values[gate * size + k] = stored[block * size + k];
  }
}

std::string as_words(const std::string& letters) {
  std::string text;
  for (const char letter : letters) text += std::string(text.empty() ? "" : " ") + letter;
  return text;
}

Sow reading(const std::string& order, bool W, bool R, bool B) {
  return each_direction([=](const ResolvedNode& node, ResolvedDirection& direction) {
    const std::string right = letters_of(node.op);
    if (W) read_in_order(direction.W, order, right, node.H * node.I);
    if (R) read_in_order(direction.R, order, right, node.H * node.H);
    for (auto* half : {&direction.Wb, &direction.Rb}) {
      if (B) read_in_order(*half, order, right, node.H);
    }
  });
}

void transpose_gate(ResolvedNode& node, std::size_t gate) {
  for (ResolvedDirection& direction : node.directions) {
    double* block = direction.R.data() + gate * node.H * node.H;
    for (std::size_t j = 0; j < node.H; ++j) {
      for (std::size_t k = j + 1; k < node.H; ++k) std::swap(block[j * node.H + k], block[k * node.H + j]);
    }
  }
}

/// Columns from..to of a matrix taken for 0.
void drop_columns(std::vector<double>& matrix, std::size_t columns, std::size_t from, std::size_t to) {
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    if (k % columns >= from && k % columns < to) matrix[k] = 0;
  }
}

Needs many_columns_of_W(std::size_t width) {
  return [width](const Facts& f) { return f.node.I > width && f.node.I % width != 0; };
}
Needs many_columns_of_R(std::size_t width) {
  return [width](const Facts& f) { return f.node.H > width && f.node.H % width != 0; };
}

void set_gate(std::vector<double>& values, std::size_t gate, std::size_t H, double value) {
  for (std::size_t j = 0; j < H && !values.empty(); ++j) values[gate * H + j] = value;
}

Mutant bias_mutant(std::string id, std::string what, Needs needs, double of_Wb, double of_Rb) {
  return {std::move(id), "input.B", std::move(what), has(input::B) && std::move(needs),
          each_direction([=](const ResolvedNode&, ResolvedDirection& direction) {
            scale(direction.Wb, of_Wb);
            scale(direction.Rb, of_Rb);
          })};
}

void add_first_unit(Table& table) {
  table.push_back({"bias-of-first-unit-for-all", "input.B", "adds the first unit's bias of a gate to all its units",
                   has(input::B), each_direction([](const ResolvedNode& node, ResolvedDirection& direction) {
                     for (auto* half : {&direction.Wb, &direction.Rb}) {
                       for (std::size_t k = 0; k < half->size(); ++k) (*half)[k] = (*half)[k / node.H * node.H];
                     }
                   })});
}

void add_peepholes(Table& table) {
  const std::string right = "iof";
  const auto add = [&](const std::string& id, const std::string& what, Sow sow) {
    table.push_back({id, "input.P", what, is(Operator::LSTM) && has(input::P), std::move(sow)});
  };
  for (const std::string& order : other_orders(right)) {
    add("peephole-order-" + order, "reads the peepholes as " + as_words(order),
        each_direction(
            [=](const ResolvedNode& node, ResolvedDirection& d) { read_in_order(d.P, order, right, node.H); }));
  }
  for (std::size_t gate = 0; gate < right.size(); ++gate) {
    add(fmt::format("peephole-{}-missing", right[gate]), fmt::format("has no peephole of gate {}", right[gate]),
        [gate](Sowing& s) { drop_peephole(s.node, gate); });
  }
  add("peepholes-ignored", "leaves out P",
      each_direction([](const ResolvedNode&, ResolvedDirection& d) { scale(d.P, 0); }));
  add("peepholes-negated", "subtracts the peepholes",
      each_direction([](const ResolvedNode&, ResolvedDirection& d) { scale(d.P, -1); }));
  add("peepholes-doubled", "adds the peepholes twice",
      each_direction([](const ResolvedNode&, ResolvedDirection& d) { scale(d.P, 2); }));
  add("peephole-of-first-unit-for-all", "gives all units the first one's peepholes",
      each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
        for (std::size_t k = 0; k < d.P.size(); ++k) d.P[k] = d.P[k / node.H * node.H];
      }));
  add("output-peephole-sees-old-cell", "looks at C(t-1) where the output gate looks at C(t)",
      switched([](Faults& f) { f.output_peephole_sees_old_cell = true; }));
}

void add_dropped(Table& table) {
  table.push_back({"last-product-dropped", "-", "stops a dot product one element early", anything,
                   switched([](Faults& f) { f.last_product_dropped = true; })});
  table.push_back(
      {"first-input-dropped", "-", "starts the product with X one element late", anything,
       each_direction([](const ResolvedNode& node, ResolvedDirection& d) { drop_columns(d.W, node.I, 0, 1); })});
  for (const std::size_t width : {std::size_t{8}, std::size_t{16}}) {
    const std::string number = std::to_string(width);
    table.push_back({"tail-of-" + number + "-dropped-in-w", "I",
                     "multiplies W in blocks of " + number + " columns and forgets the rest", many_columns_of_W(width),
                     each_direction([=](const ResolvedNode& node, ResolvedDirection& d) {
                       if (node.I > width) drop_columns(d.W, node.I, node.I / width * width, node.I);
                     })});
    table.push_back({"tail-of-" + number + "-dropped-in-r", "H",
                     "multiplies R in blocks of " + number + " columns and forgets the rest", many_columns_of_R(width),
                     each_direction([=](const ResolvedNode& node, ResolvedDirection& d) {
                       if (node.H > width) drop_columns(d.R, node.H, node.H / width * width, node.H);
                     })});
  }
}

}  // namespace

Table weight_mutants() {
  Table table;
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    for (const std::string& order : other_orders(letters_of(op))) {
      table.push_back({"gate-order-" + order, "-", "reads the gates as " + as_words(order), is(op),
                       reading(order, true, true, true)});
    }
  }
  const std::pair<Operator, std::string> usual[] = {
      {Operator::LSTM, "ifco"}, {Operator::LSTM, "ifoc"}, {Operator::GRU, "rzh"}};
  for (const auto& [op, order] : usual) {
    table.push_back(
        {"w-order-" + order, "-", "reads W alone as " + as_words(order), is(op), reading(order, true, false, false)});
    table.push_back(
        {"r-order-" + order, "-", "reads R alone as " + as_words(order), is(op), reading(order, false, true, false)});
    table.push_back({"b-order-" + order, "input.B", "reads B alone as " + as_words(order), is(op) && has(input::B),
                     reading(order, false, false, true)});
  }
  const Needs square = [](const Facts& f) { return f.node.H > 1; };
  table.push_back(
      {"r-not-transposed", "-", "multiplies by R where R^T is meant", square, [](Sowing& s) { transpose_R(s.node); }});
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    const std::string letters = letters_of(op);
    for (std::size_t gate = 0; gate < letters.size(); ++gate) {
      const std::string letter(1, letters[gate]);
      table.push_back({"r-not-transposed-in-" + letter, "-",
                       fmt::format("multiplies by R{0} where R{0}^T is meant", letter), is(op) && square,
                       [gate](Sowing& s) { transpose_gate(s.node, gate); }});
    }
  }
  add_dropped(table);
  add_peepholes(table);
  return table;
}

Table bias_mutants() {
  Table table;
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    const std::string letters = letters_of(op);
    for (std::size_t gate = 0; gate < letters.size(); ++gate) {
      const std::string letter(1, letters[gate]);
      table.push_back({"wb-" + letter + "-ignored", "input.B", "leaves out Wb" + letter, is(op) && has(input::B),
                       each_direction([gate](const ResolvedNode& node, ResolvedDirection& d) {
                         set_gate(d.Wb, gate, node.H, 0);
                       })});
      table.push_back({"rb-" + letter + "-ignored", "input.B", "leaves out Rb" + letter, is(op) && has(input::B),
                       each_direction([gate](const ResolvedNode& node, ResolvedDirection& d) {
                         set_gate(d.Rb, gate, node.H, 0);
                       })});
    }
  }
  table.push_back(bias_mutant("wb-ignored", "leaves out the first half of B", anything, 0, 1));
  table.push_back(bias_mutant("rb-ignored", "leaves out the second half of B", anything, 1, 0));
  table.push_back(bias_mutant("bias-ignored", "leaves out B", anything, 0, 0));
  table.push_back(bias_mutant("bias-doubled", "adds B twice", anything, 2, 2));
  table.push_back(bias_mutant("bias-negated", "subtracts B", anything, -1, -1));
  table.push_back(bias_mutant("wb-doubled", "adds the first half of B twice", anything, 2, 1));
  table.push_back(bias_mutant("rb-doubled", "adds the second half of B twice", anything, 1, 2));
  table.push_back(bias_mutant("wb-negated", "subtracts the first half of B", anything, -1, 1));
  table.push_back(bias_mutant("rb-negated", "subtracts the second half of B", anything, 1, -1));
  const auto add = [&](const char* id, const char* what, Needs needs,
                       std::function<void(const ResolvedNode&, ResolvedDirection&)> change) {
    table.push_back({id, "input.B", what, has(input::B) && std::move(needs), each_direction(std::move(change))});
  };
  add("wb-for-rb", "takes the first half of B for both", anything,
      [](const ResolvedNode&, ResolvedDirection& d) { d.Rb = d.Wb; });
  add("rb-for-wb", "takes the second half of B for both", anything,
      [](const ResolvedNode&, ResolvedDirection& d) { d.Wb = d.Rb; });
  add("bias-of-first-gate-only", "takes B for the bias of the first gate, as its description has it", gated,
      [](const ResolvedNode& node, ResolvedDirection& d) {
        for (auto* half : {&d.Wb, &d.Rb})
          std::fill(half->begin() + static_cast<std::ptrdiff_t>(node.H), half->end(), 0.0);
      });
  add("bias-interleaved", "reads the two halves of B gate by gate", gated,
      [](const ResolvedNode& node, ResolvedDirection& d) {
        std::vector<double> all = d.Wb;
        all.insert(all.end(), d.Rb.begin(), d.Rb.end());
        for (std::size_t k = 0; k < all.size(); ++k) {
          const std::size_t block = k / node.H, place = block / 2 * node.H + k % node.H;
          (block % 2 == 0 ? d.Wb : d.Rb)[place] = all[k];
        }
      });
  add_first_unit(table);
  return table;
}

}  // namespace cellproof::lab::mutants
