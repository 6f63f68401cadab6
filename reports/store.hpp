#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reports/passport.hpp"
#include "spec/finding.hpp"

namespace cellproof::reports {

/// A store that cannot be opened, read or written: which file, what, what was expected.
class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One SQLite file (WAL), one row per case x engine. What add() was given is there after kill -9 once it has returned.
class Store {
 public:
  /// Creates the file; throws StoreError when it exists already, or cannot be made.
  static Store create(const std::filesystem::path& file, const Passport& passport);
  /// Opens to go on writing (--resume); throws StoreError when it is missing, damaged or of another schema version.
  static Store open(const std::filesystem::path& file);
  /// Opens for reading only.
  static Store open_read_only(const std::filesystem::path& file);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Inserts or replaces the row (engine, suite, number). Throws StoreError (disk full: nothing half-written).
  void add(const Finding& finding);
  /// The same for all of them in one transaction, which costs little more than one row does.
  void add(std::span<const Finding> findings);
  /// (suite, number) of the findings that an engine already has.
  std::set<std::pair<std::string, std::int64_t>> done(const std::string& engine) const;
  /// Findings in order of engine, suite, number.
  std::vector<Finding> findings() const;

  Passport passport() const;
  void set_passport(const Passport& passport);
  /// Notes of the run that belong to an engine: absent and why, its version, its log's tail. key is free ("absent").
  void set_engine_note(const std::string& engine, const std::string& key, const std::string& value);
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> engine_notes() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellproof::reports
