#include "oracle/waiver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "spec/case.hpp"
#include "spec/case_text.hpp"
#include "spec/files/regular_file.hpp"
#include "spec/signature.hpp"

namespace cellproof::oracle {
namespace {

using Json = nlohmann::json;
using std::chrono::year_month_day;

/// "2027-01-31"
year_month_day date_of(const std::string& text) {
  int year = 0;
  unsigned month = 0, day = 0;
  const char* const begin = text.data();
  const auto number = [&](std::size_t from, std::size_t count, auto& value) {
    const auto [end, error] = std::from_chars(begin + from, begin + from + count, value);
    return error == std::errc{} && end == begin + from + count;
  };
  const bool shaped = text.size() == 10 && text[4] == '-' && text[7] == '-' && number(0, 4, year) &&
                      number(5, 2, month) && number(8, 2, day);
  const year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!shaped || !date.ok()) throw std::invalid_argument(fmt::format("\"{}\": expected a date, YYYY-MM-DD", text));
  return date;
}

constexpr std::uint64_t largest_file = 1 << 24;

constexpr std::array keys{"signature", "case", "cause", "engine", "versions", "url", "expires", "why", "flaky"};

std::string text_at(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() || found->get_ref<const std::string&>().empty())
    throw std::invalid_argument(fmt::format("\"{}\": expected a text that is not empty", key));
  return found->get<std::string>();
}

bool flag_at(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end()) return false;
  if (!found->is_boolean()) throw std::invalid_argument(fmt::format("\"{}\": expected true or false", key));
  return found->get<bool>();
}

/// Runs `read` and puts the key in front of what it complains of.
template <class Read>
auto under(const char* key, Read read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw std::invalid_argument(fmt::format("\"{}\": {}", key, error.what()));
  }
}

/// The keys that say what is accepted.
Waiver of_cause_or_signature(const Json& entry) {
  Waiver waiver;
  if (entry.contains("cause")) {
    for (const char* other : {"signature", "case"})
      if (entry.contains(other))
        throw std::invalid_argument(fmt::format("\"{}\": expected none beside \"cause\"", other));
    waiver.cause = text_at(entry, "cause");
    waiver.engine = text_at(entry, "engine");
    if (waiver.cause.find(':') == std::string::npos)
      throw std::invalid_argument("\"cause\": expected what a report calls the id of a cause, like fault:clip-ignored");
    return waiver;
  }
  if (entry.contains("engine")) throw std::invalid_argument("\"engine\": expected only beside \"cause\"");
  waiver.signature = text_at(entry, "signature");
  const std::optional<Signature> signature = signature_of_text(waiver.signature);
  if (!signature) throw std::invalid_argument("\"signature\": expected what a report calls a signature, v1:(...)");
  waiver.engine = signature->engine;
  waiver.case_line = under("case", [&] { return to_text(parse_case(text_at(entry, "case"))); });
  return waiver;
}

Waiver waiver_of(const Json& entry) {
  if (!entry.is_object()) throw std::invalid_argument("expected an object");
  for (const auto& [key, value] : entry.items()) {
    if (std::ranges::find(keys, key) == keys.end())
      throw std::invalid_argument(fmt::format("\"{}\": expected one of {}", key, fmt::join(keys, ", ")));
  }
  Waiver waiver = of_cause_or_signature(entry);
  const std::string url = text_at(entry, "url");
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    throw std::invalid_argument(fmt::format("\"url\": \"{}\": expected an address, https://...", url));
  waiver.versions = under("versions", [&] { return VersionRange(text_at(entry, "versions")); });
  waiver.url = url;
  waiver.expires = under("expires", [&] { return date_of(text_at(entry, "expires")); });
  waiver.why = text_at(entry, "why");
  waiver.flaky = flag_at(entry, "flaky");
  return waiver;
}

/// "v1:(...)", or "fault:clip-ignored of onnxruntime".
std::string name_of(const Waiver& waiver) {
  return waiver.cause.empty() ? waiver.signature : fmt::format("{} of {}", waiver.cause, waiver.engine);
}

/// Several cases may come by chance under one signature; of anything else one waiver says it all.
bool say_the_same(const Waiver& a, const Waiver& b) {
  return a.signature == b.signature && a.engine == b.engine && a.cause == b.cause &&
         !(a.flaky && b.flaky && a.case_line != b.case_line);
}

/// Findings of a run that a waiver is about.
struct Met {
  bool concerned = false, matched = false, passes = false, fails = false;
  const Finding* same_case = nullptr;
};

Met met_by(const Waiver& waiver, const std::vector<Finding>& findings) {
  Met met;
  for (const Finding& finding : findings) {
    if (finding.engine != waiver.engine || !waiver.versions.contains(finding.engine_version)) continue;
    met.concerned = true;
    met.fails |= !finding.pass;
    met.matched |= !finding.pass && !waiver.signature.empty() && finding.signature == waiver.signature;
    if (waiver.case_line.empty() || finding.case_line != waiver.case_line) continue;
    met.passes |= finding.pass;
    met.same_case = &finding;
  }
  return met;
}

void accept(const Waiver& waiver, const Met& met, WaiverResult& result) {
  if (!waiver.cause.empty()) {
    result.accepted_causes.emplace(std::pair(waiver.engine, waiver.cause), &waiver);
    return;
  }
  result.accepted.emplace(waiver.signature, &waiver);
  if (waiver.flaky && met.same_case != nullptr)
    result.accepted_cases.emplace(std::pair(met.same_case->engine, waiver.case_line), &waiver);
}

}  // namespace

std::string date_text(year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::vector<Waiver> read_waivers(const std::filesystem::path& file) {
  const Json json = Json::parse(read_regular_file(file, largest_file), nullptr, false);
  if (!json.is_object() || json.size() != 1 || !json.contains("waivers") || !json.at("waivers").is_array())
    throw std::invalid_argument(fmt::format("{}: expected {{\"waivers\": [...]}} and nothing else", file.string()));
  std::vector<Waiver> waivers;
  for (const Json& entry : json.at("waivers")) {
    try {
      waivers.push_back(waiver_of(entry));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: waiver {}: {}", file.string(), waivers.size() + 1, error.what()));
    }
    const auto same = [&](const Waiver& w) { return say_the_same(w, waivers.back()); };
    if (std::ranges::count_if(waivers, same) > 1)
      throw std::invalid_argument(fmt::format("{}: waiver {}: \"signature\": there is one for {} already",
                                              file.string(), waivers.size(), waivers.back().signature));
  }
  return waivers;
}

WaiverResult apply_waivers(const std::vector<Waiver>& waivers, const std::vector<Finding>& findings,
                           const std::map<std::string, std::vector<Cause>>& causes, year_month_day today,
                           bool complete) {
  WaiverResult result;
  for (const Waiver& waiver : waivers) {
    Met met = met_by(waiver, findings);
    if (!met.concerned) continue;
    const auto own = causes.find(waiver.engine);
    if (!waiver.cause.empty() && own != causes.end())
      met.matched = std::ranges::find(own->second, waiver.cause, &Cause::id) != own->second.end();
    const std::optional<Signature> signature = signature_of_text(waiver.signature);
    const char* const hint = signature && signature->flaky ? "; \"flaky\": true accepts passes, too" : "";
    const auto complain = [&](const std::string& what) {
      result.complaints.push_back(fmt::format("waiver {} ({}) {}", name_of(waiver), waiver.url, what));
    };
    if (waiver.expires < today) {
      complain(fmt::format("expired on {}", date_text(waiver.expires)));
    } else if (!waiver.cause.empty() && met.fails && own == causes.end()) {
      complain("holds for nothing: the store names no causes (a run that was resumed or merged)");
    } else if (!waiver.flaky && met.passes) {
      complain(fmt::format("is no longer needed: its case passes{}", hint));
    } else if (waiver.flaky || met.matched) {
      accept(waiver, met, result);
    } else if (complete) {
      complain(fmt::format("matches no {} of this run{}", waiver.cause.empty() ? "finding" : "cause", hint));
    }
  }
  return result;
}

}  // namespace cellproof::oracle
