#include "reports/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <tuple>

#include "reports/finding_json.hpp"
#include "reports/store_file.hpp"
#include "reports/store_rows.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::reports {
namespace {

namespace fs = std::filesystem;

/// A statement left in the middle of an error would hold its lock and its bindings.
struct ResetAtExit {
  SQLite::Statement& statement;
  ~ResetAtExit() { statement.tryReset(); }
};

constexpr std::size_t engine_column = 0, suite_column = 1, number_column = 2, record_column = 10;

/// A row whose checksum does not fit.
struct Damaged {
  StoreTable table;
  std::int64_t rowid;
  std::string line;
};

}  // namespace

struct Store::Impl {
  fs::path file;
  SQLite::Database db;
  std::optional<SQLite::Statement> insert, insert_answer;  ///< prepared at the first add
  std::mutex mutex;                                        ///< one connection, one user at a time

  Impl(fs::path path, SQLite::Database database) : file(std::move(path)), db(std::move(database)) {}

  void insert_row(const Finding& finding, std::string record);
  void insert_row(const StoredAnswer& answer);
  /// In all tables.
  std::vector<Damaged> damaged_rows();

  /// Runs `work` with the connection to itself and turns SQLite's exceptions into ours.
  template <class Work>
  auto guarded(std::string_view doing, Work work) {
    const std::lock_guard lock(mutex);
    errno = 0;
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      fail_store(file, doing, error, &db);
    }
  }
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::create(const fs::path& file, const RunMetadata& metadata) {
  create_store_file(file, metadata);
  return open(file);
}

Store Store::open(const fs::path& file) {
  return Store(std::make_unique<Impl>(file, open_store_file(file)));
}

Store Store::open_read_only(const fs::path& file) {
  return Store(std::make_unique<Impl>(file, open_store_file_read_only(file)));
}

void Store::add(const Finding& finding) {
  add(std::span(&finding, 1));
}

void Store::add(std::span<const Finding> findings, std::span<const StoredAnswer> answers) {
  std::vector<std::string> records;
  records.reserve(findings.size());
  for (const Finding& finding : findings) records.push_back(to_json(finding));
  impl_->guarded("cannot write to", [&] {
    SQLite::Transaction transaction(impl_->db, SQLite::TransactionBehavior::IMMEDIATE);
    for (std::size_t k = 0; k < findings.size(); ++k) impl_->insert_row(findings[k], std::move(records[k]));
    for (const StoredAnswer& answer : answers) impl_->insert_row(answer);
    transaction.commit();
  });
}

void Store::Impl::insert_row(const Finding& finding, std::string record) {
  if (!insert) insert.emplace(db, insert_statement(StoreTable::Findings));
  const auto verdict = finding.judgement.verdict;
  const RowFields fields{finding.engine,
                         finding.suite,
                         std::to_string(finding.number),
                         finding.case_hash,
                         to_string(finding.version),
                         std::string(type_name(finding)),
                         std::string(name(finding.outcome)),
                         verdict ? std::optional(std::string(name(*verdict))) : std::nullopt,
                         finding.signature,
                         finding.pass ? "1" : "0",
                         std::move(record)};
  const ResetAtExit reset{*insert};
  bind_row(*insert, fields);
  insert->exec();
}

void Store::Impl::insert_row(const StoredAnswer& answer) {
  if (!insert_answer) insert_answer.emplace(db, insert_statement(StoreTable::Answers));
  const RowFields fields{answer.engine, answer.suite, std::to_string(answer.number), answer.outputs};
  const ResetAtExit reset{*insert_answer};
  bind_row(*insert_answer, fields);
  insert_answer->exec();
}

void Store::for_each_answer(const std::string& engine, const std::function<void(const StoredAnswer&)>& visit) const {
  impl_->guarded("cannot read", [&] {
    for_each_row(impl_->db, StoreTable::Answers, engine, [&](const StoredRow& row) {
      if (!row.is_whole()) return;
      const std::int64_t number = std::strtoll(row.text(number_column).c_str(), nullptr, 10);
      visit({row.text(engine_column), row.text(suite_column), number, row.text(3)});
    });
  });
}

std::vector<StoredAnswer> Store::answers(const std::string& engine) const {
  std::vector<StoredAnswer> answers;
  for_each_answer(engine, [&](const StoredAnswer& answer) { answers.push_back(answer); });
  return answers;
}

std::set<std::pair<std::string, std::int64_t>> Store::done(const std::string& engine) const {
  return impl_->guarded("cannot read", [&] {
    std::set<std::pair<std::string, std::int64_t>> keys;
    for_each_row(impl_->db, StoreTable::Findings, engine, [&](const StoredRow& row) {
      if (row.is_whole())
        keys.emplace(row.text(suite_column), std::strtoll(row.text(number_column).c_str(), nullptr, 10));
    });
    return keys;
  });
}

std::vector<Finding> Store::findings() const {
  return impl_->guarded("cannot read", [&] {
    std::vector<Finding> findings;
    for_each_row(impl_->db, StoreTable::Findings, std::nullopt, [&](const StoredRow& row) {
      if (!row.is_whole()) return;
      try {
        findings.push_back(finding_from_json(row.text(record_column)));
      } catch (const std::invalid_argument& error) {
        fail_store(impl_->file, "cannot read",
                   fmt::format("the row of {}, {} number {}: {}", row.text(engine_column), row.text(suite_column),
                               row.text(number_column), error.what()));
      }
    });
    const auto place = [](const Finding& f) { return std::tie(f.engine, f.suite, f.number); };
    std::ranges::sort(findings, {}, place);
    return findings;
  });
}

std::vector<std::string> Store::damage() const {
  return impl_->guarded("cannot read", [&] {
    std::vector<std::string> lines;
    for (const Damaged& row : impl_->damaged_rows()) lines.push_back(row.line);
    return lines;
  });
}

std::vector<std::string> Store::remove_damage() {
  return impl_->guarded("cannot repair", [&] {
    std::vector<std::string> lines;
    SQLite::Transaction transaction(impl_->db, SQLite::TransactionBehavior::IMMEDIATE);
    const std::vector<Damaged> damaged = impl_->damaged_rows();
    // An index that does not fit the rows would hide them from the one that takes their place.
    const bool index_fits = impl_->db.execAndGet("PRAGMA integrity_check(1)").getString() == "ok";
    if (!index_fits) impl_->db.exec("REINDEX");
    if (!index_fits && damaged.empty())
      lines.push_back(fmt::format("{}: its index was damaged, and is made anew", impl_->file.string()));
    for (const Damaged& row : damaged) {
      delete_row(impl_->db, row.table, row.rowid);
      lines.push_back(row.line);
    }
    transaction.commit();
    return lines;
  });
}

std::vector<Damaged> Store::Impl::damaged_rows() {
  std::vector<Damaged> rows;
  for (const StoreTable table : store_table_list) {
    for_each_row(db, table, std::nullopt, [&](const StoredRow& row) {
      if (!row.is_whole())
        rows.push_back({table, row.rowid, fmt::format("{}: {}", file.string(), damage_in(table, row))});
    });
  }
  return rows;
}

RunMetadata Store::metadata() const {
  return impl_->guarded("cannot read", [&] {
    std::vector<std::pair<std::string, std::string>> rows;
    for_each_row(impl_->db, StoreTable::Metadata, std::nullopt, [&](const StoredRow& row) {
      if (row.is_whole()) rows.emplace_back(row.text(1), row.text(2));
    });
    return run_metadata_of(rows);
  });
}

void Store::set_metadata(const RunMetadata& metadata) {
  impl_->guarded("cannot write to", [&] {
    SQLite::Transaction transaction(impl_->db, SQLite::TransactionBehavior::IMMEDIATE);
    impl_->db.exec("DELETE FROM passport");
    write_metadata(impl_->db, metadata);
    transaction.commit();
  });
}

void Store::set_engine_note(const std::string& engine, EngineNote note, const std::string& words) {
  impl_->guarded("cannot write to", [&] {
    SQLite::Transaction transaction(impl_->db, SQLite::TransactionBehavior::IMMEDIATE);
    const std::string key(name(note));
    std::int64_t position = 1;  // its own, where it has one, or the next
    bool is_new = true;
    for_each_row(impl_->db, StoreTable::EngineNotes, std::nullopt, [&](const StoredRow& row) {
      if (is_new) position = row.rowid + 1;
      if (row.fields[1] != engine || row.fields[2] != key) return;
      position = row.rowid;
      is_new = false;
    });
    const RowFields fields{std::to_string(position), engine, key, words};
    SQLite::Statement insert(impl_->db, insert_statement(StoreTable::EngineNotes));
    bind_row(insert, fields);
    insert.exec();
    transaction.commit();
  });
}

std::vector<std::pair<std::string, EngineNotes>> Store::engine_notes() const {
  return impl_->guarded("cannot read", [&] {
    std::vector<std::pair<std::string, EngineNotes>> notes;
    for_each_row(impl_->db, StoreTable::EngineNotes, std::nullopt, [&](const StoredRow& row) {
      const auto note = row.is_whole() ? engine_note_named(row.text(2)) : std::nullopt;
      if (!note) return;  // damaged, or of another program
      const std::string engine = row.text(1);
      auto own = std::ranges::find(notes, engine, [](const auto& entry) { return entry.first; });
      if (own == notes.end()) own = notes.insert(own, {engine, {}});
      own->second.emplace_back(*note, row.text(3));
    });
    return notes;
  });
}

}  // namespace cellproof::reports
