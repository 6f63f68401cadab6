#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "spec/engine_note.hpp"
#include "spec/finding.hpp"
#include "spec/run_metadata.hpp"

namespace cellproof::reports {

/// A store that cannot be opened, read or written: which file, what, what was expected.
class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Gives a store that nobody writes another name, which it takes from the one that has it, and loses nothing: what is
/// committed is moved from the log into the file first. Where that cannot be done, damaged as it is or open in another
/// program, the log goes along; returns why then, else "". Throws StoreError where it cannot be renamed.
std::string set_store_aside(const std::filesystem::path& file, const std::filesystem::path& previous);

/// An engine's outputs in a case, as bytes of whoever keeps them.
struct StoredAnswer {
  std::string engine, suite;
  std::int64_t number = 0;
  std::string outputs;
};

/// One SQLite file (WAL), one row per case x engine. What add() was given is there after kill -9 once it has returned.
class Store {
 public:
  /// Creates the file; throws StoreError when it exists already, or cannot be made.
  static Store create(const std::filesystem::path& file, const RunMetadata& metadata);
  /// Opens to go on writing (--resume); throws StoreError when it is missing, damaged or of another schema version.
  static Store open(const std::filesystem::path& file);
  /// Opens for reading only.
  static Store open_read_only(const std::filesystem::path& file);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Inserts or replaces the row (engine, suite, number). Throws StoreError (disk full: nothing half-written).
  void add(const Finding& finding);
  /// The same for all of them in one transaction, which costs little more than one row does. `answers`: of some.
  void add(std::span<const Finding> findings, std::span<const StoredAnswer> answers = {});
  /// (suite, number) of the findings that an engine already has. This and all that follows leaves out what is damaged.
  std::set<std::pair<std::string, std::int64_t>> done(const std::string& engine) const;
  /// Findings in order of engine, suite, number.
  std::vector<Finding> findings() const;
  /// Outputs of an engine as they were kept.
  std::vector<StoredAnswer> answers(const std::string& engine) const;
  /// Calls visit(answer) for each of them, which must leave the store alone.
  void for_each_answer(const std::string& engine, const std::function<void(const StoredAnswer&)>& visit) const;

  /// Compares each row with its checksum and names those that do not fit, a line each: the file, whose row, what is
  /// wrong. What reads a store for people says these lines.
  std::vector<std::string> damage() const;
  /// Removes what damage() names, so that it can be written again (--resume), and returns the lines.
  std::vector<std::string> remove_damage();

  RunMetadata metadata() const;
  void set_metadata(const RunMetadata& metadata);
  /// Adds a note on an engine, or replaces its words.
  void set_engine_note(const std::string& engine, EngineNote note, const std::string& words);
  /// By engine, in the order in which they were first named.
  std::vector<std::pair<std::string, EngineNotes>> engine_notes() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellproof::reports
