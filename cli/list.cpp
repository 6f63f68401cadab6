#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "corpus/suite.hpp"
#include "engines/registry.hpp"
#include "fuzz/law.hpp"
#include "fuzz/suites.hpp"
#include "oracle/contract.hpp"
#include "oracle/faults/every_fault.hpp"
#include "reports/table.hpp"
#include "spec/axes.hpp"
#include "spec/contract.hpp"
#include "spec/contract_sources.hpp"
#include "spec/operator.hpp"
#include "spec/readings.hpp"
#include "spec/values/regime.hpp"

namespace cellproof::cli {
namespace {

using reports::Table;

std::string joined(const auto& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + std::string(item);
  return text;
}

Table engines_table() {
  Table table{{"engine", "state", "what"}, {}};
  for (const engines::KnownEngine& engine : engines::known_engines()) {
    const std::string absence = engines::absence_of(engine);
    table.rows.push_back({engine.name, absence.empty() ? "present" : "absent: " + absence, engine.what});
  }
  return table;
}

Table operators_table() {
  Table table{{"operator", "domain", "reference", "suites (cases)"}, {}};
  std::vector<corpus::Suite> suites;
  for (const corpus::SuiteInfo& suite : corpus::suites()) suites.push_back(corpus::load_suite(suite.name));
  for (const OperatorVersion version : all_operator_versions()) {
    std::vector<std::string> counts;
    for (const corpus::Suite& suite : suites) {
      const auto count =
          std::ranges::count(suite.cases, version, [](const corpus::SuiteCase& c) { return c.c.version; });
      if (count > 0) counts.push_back(fmt::format("{} ({})", suite.name, count));
    }
    const std::string_view domain = cellproof::domain(version.op);
    table.rows.push_back({to_string(version), domain.empty() ? "ai.onnx" : std::string(domain), "yes", joined(counts)});
  }
  return table;
}

Table suites_table() {
  Table table{{"suite or tier", "what"}, {}};
  for (const corpus::SuiteInfo& suite : fuzz::suites())
    table.rows.push_back({std::string(suite.name), std::string(suite.what)});
  for (const fuzz::TierInfo& tier : fuzz::tiers())
    table.rows.push_back({std::string(tier.name), "tier: " + joined(tier.suites)});
  return table;
}

Table readings_table() {
  Table table{{"clause", "kind", "readings (default first)", "executable", "what is open"}, {}};
  for (const ClauseInfo& clause : clauses()) {
    table.rows.push_back({std::string(clause.id), std::string(name(clause.kind)), joined(reading_ids(clause)),
                          clause.readings.empty() ? "-"
                          : clause.executable     ? "yes"
                                                  : "not yet",
                          std::string(clause.text)});
  }
  return table;
}

Table contracts_table() {
  Table table{{"contract", "default for", "sums in", "the rest in", "factors within", "functions within", "may also",
               "numbers from", "settings that compute so"},
              {}};
  for (const ContractId id : all_contracts()) {
    const oracle::PrecisionContract& c = oracle::contract(id);
    std::vector<std::string> also;
    if (c.narrowed_inputs) also.emplace_back("round inputs");
    if (c.stored_intermediates) also.emplace_back("16-bit states");
    if (c.rounded_attributes) also.emplace_back("round attributes");
    if (c.flushed_subnormals) also.emplace_back("flush");
    if (!c.nearest_output) also.emplace_back("one unit more");
    std::vector<std::string> types;
    for (const ElementType type : all_element_types()) {
      if (is_floating_point(type) && default_contract(type) == id) types.emplace_back(onnx_name(type));
    }
    const std::string factors =
        c.operand_rounding > 0 ? fmt::format("2^{} relative", std::ilogb(c.operand_rounding)) : "exact";
    table.rows.push_back({std::string(name(id)), joined(types), std::string(oracle::name(c.accumulate)),
                          std::string(oracle::name(c.elementwise)), factors,
                          fmt::format("{:g} ulp + {:g} u", c.activation_ulps, c.activation_floor), joined(also),
                          std::string(source_of(id)), runtime_settings(id)});
  }
  return table;
}

Table faults_table() {
  Table table{{"fault", "class", "operators", "blames", "what", "clause that it breaks"}, {}};
  for (const oracle::Fault& fault : oracle::faults()) {
    std::vector<std::string> operators;
    for (const Operator op : fault.operators) operators.emplace_back(name(op));
    table.rows.push_back({fault.id, std::string(oracle::name(fault.cls)), joined(operators), fault.blames, fault.what,
                          std::string(fault.clause)});
  }
  return table;
}

Table laws_table() {
  Table table{{"law", "what"}, {}};
  for (const fuzz::Law& law : fuzz::laws()) table.rows.push_back({std::string(law.id), std::string(law.what)});
  return table;
}

Table regimes_table() {
  Table table{{"regime"}, {}};
  for (const Regime regime : all_regimes()) table.rows.push_back({std::string(name(regime))});
  return table;
}

Table axes_table() {
  Table table{{"axis", "values (default first; of the newest LSTM, GRU, RNN, DynamicQuantizeLSTM)", "what"}, {}};
  for (const Axis& axis : axes()) {
    std::vector<std::string> values;
    for (const Operator op : all_operators()) {
      for (const std::string& value : axis.values(newest(op))) {
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
      }
    }
    table.rows.push_back({std::string(axis.name), joined(values), std::string(axis.what)});
  }
  return table;
}

}  // namespace

void add_list(CLI::App& app, Work& work) {
  struct Listing {
    const char* name;
    const char* what;
    Table (*table)();
  };
  static constexpr Listing listings[] = {
      {"engines", "List engines, present or absent", engines_table},
      {"operators", "List operator versions and their suites", operators_table},
      {"suites", "List suites and tiers", suites_table},
      {"readings", "List ambiguous clauses and their readings", readings_table},
      {"contracts", "List precision contracts", contracts_table},
      {"faults", "List faults that a divergence is compared with", faults_table},
      {"laws", "List relations between runs", laws_table},
      {"regimes", "List input distributions", regimes_table},
      {"axes", "List axes and their values", axes_table},
  };
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("list", "List engines, operators, suites, readings and more");
  command->require_subcommand(1);
  command->footer("Examples:\n  cellproof list engines\n  cellproof list readings --json");
  for (const Listing& listing : listings) {
    CLI::App* sub = command->add_subcommand(listing.name, listing.what);
    sub->add_flag("--json", *json, "Print a JSON array of objects");
    sub->callback([json, table = listing.table, &work] {
      work = [json, table] {
        fmt::print("{}", *json ? reports::as_json(table()) : reports::as_text(table()));
        return static_cast<int>(ok);
      };
    });
  }
}

}  // namespace cellproof::cli
