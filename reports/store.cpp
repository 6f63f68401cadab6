#include "reports/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <cerrno>
#include <mutex>
#include <optional>

#include "reports/finding_json.hpp"
#include "reports/store_file.hpp"
#include "reports/store_schema.hpp"

namespace cellproof::reports {
namespace {

namespace fs = std::filesystem;

/// A statement left in the middle of an error would hold its lock and its bindings.
struct ResetAtExit {
  SQLite::Statement& statement;
  ~ResetAtExit() { statement.tryReset(); }
};

}  // namespace

struct Store::Impl {
  fs::path file;
  SQLite::Database db;
  std::optional<SQLite::Statement> insert;  ///< prepared at the first add
  std::mutex mutex;                         ///< one connection, one user at a time

  Impl(fs::path path, SQLite::Database database) : file(std::move(path)), db(std::move(database)) {}

  void insert_row(const Finding& finding, const std::string& record);

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

Store Store::create(const fs::path& file, const Passport& passport) {
  create_store_file(file, passport);
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

void Store::add(std::span<const Finding> findings) {
  std::vector<std::string> records;
  records.reserve(findings.size());
  for (const Finding& finding : findings) records.push_back(to_json(finding));
  impl_->guarded("cannot write to", [&] {
    SQLite::Transaction transaction(impl_->db, SQLite::TransactionBehavior::IMMEDIATE);
    for (std::size_t k = 0; k < findings.size(); ++k) impl_->insert_row(findings[k], records[k]);
    transaction.commit();
  });
}

void Store::Impl::insert_row(const Finding& finding, const std::string& record) {
  const std::string version = to_string(finding.version);
  const std::string outcome(name(finding.outcome));
  const std::string verdict(finding.judgement.verdict ? name(*finding.judgement.verdict) : "");
  if (!insert) insert.emplace(db, insert_finding);
  SQLite::Statement& row = *insert;
  const ResetAtExit reset{row};
  row.bindNoCopy(1, finding.engine);
  row.bindNoCopy(2, finding.suite);
  row.bind(3, finding.number);
  row.bindNoCopy(4, finding.case_hash);
  row.bindNoCopy(5, version);
  row.bindNoCopy(6, finding.type);
  row.bindNoCopy(7, outcome);
  if (verdict.empty())
    row.bind(8);
  else
    row.bindNoCopy(8, verdict);
  row.bindNoCopy(9, finding.signature);
  row.bind(10, finding.pass ? 1 : 0);
  row.bindNoCopy(11, record);
  row.exec();
}

std::set<std::pair<std::string, std::int64_t>> Store::done(const std::string& engine) const {
  return impl_->guarded("cannot read", [&] {
    std::set<std::pair<std::string, std::int64_t>> keys;
    SQLite::Statement query(impl_->db, "SELECT suite, number FROM findings WHERE engine = ?1");
    query.bindNoCopy(1, engine);
    while (query.executeStep()) keys.emplace(query.getColumn(0).getString(), query.getColumn(1).getInt64());
    return keys;
  });
}

std::vector<Finding> Store::findings() const {
  return impl_->guarded("cannot read", [&] {
    std::vector<Finding> findings;
    SQLite::Statement query(impl_->db,
                            "SELECT engine, suite, number, record FROM findings ORDER BY engine, suite, number");
    while (query.executeStep()) {
      try {
        findings.push_back(finding_from_json(query.getColumn(3).getString()));
      } catch (const std::invalid_argument& error) {
        fail_store(impl_->file, "cannot read",
                   fmt::format("the row of {}, {} number {}: {}", query.getColumn(0).getString(),
                               query.getColumn(1).getString(), query.getColumn(2).getInt64(), error.what()));
      }
    }
    return findings;
  });
}

Passport Store::passport() const {
  return impl_->guarded("cannot read", [&] {
    Passport passport;
    SQLite::Statement query(impl_->db, "SELECT key, value FROM passport ORDER BY position");
    while (query.executeStep()) passport.emplace_back(query.getColumn(0).getString(), query.getColumn(1).getString());
    return passport;
  });
}

void Store::set_passport(const Passport& passport) {
  impl_->guarded("cannot write to", [&] {
    SQLite::Transaction transaction(impl_->db, SQLite::TransactionBehavior::IMMEDIATE);
    impl_->db.exec("DELETE FROM passport");
    write_passport(impl_->db, passport);
    transaction.commit();
  });
}

void Store::set_engine_note(const std::string& engine, const std::string& key, const std::string& value) {
  impl_->guarded("cannot write to", [&] {
    SQLite::Statement insert(impl_->db,
                             "INSERT INTO engine_notes (engine, key, value) VALUES (?1, ?2, ?3) "
                             "ON CONFLICT (engine, key) DO UPDATE SET value = excluded.value");
    insert.bindNoCopy(1, engine);
    insert.bindNoCopy(2, key);
    insert.bindNoCopy(3, value);
    insert.exec();
  });
}

std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> Store::engine_notes() const {
  return impl_->guarded("cannot read", [&] {
    std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> notes;
    SQLite::Statement query(impl_->db,
                            "SELECT engine, key, value FROM engine_notes "
                            "ORDER BY min(position) OVER (PARTITION BY engine), position");
    while (query.executeStep()) {
      const std::string engine = query.getColumn(0).getString();
      if (notes.empty() || notes.back().first != engine) notes.emplace_back(engine, Passport{});
      notes.back().second.emplace_back(query.getColumn(1).getString(), query.getColumn(2).getString());
    }
    return notes;
  });
}

}  // namespace cellproof::reports
