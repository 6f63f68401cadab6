#include "reports/store_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>

#include "reports/store_rows.hpp"
#include "reports/store_schema.hpp"
#include "spec/utf8.hpp"

namespace cellproof::reports {
namespace {

namespace fs = std::filesystem;

constexpr int busy_timeout_ms = 60'000;
/// Whoever reads a store that is set aside has it open for a moment, or for hours: its log is then kept beside it.
constexpr int set_aside_timeout_ms = 2'000;

std::string system_message(int error) {
  return std::generic_category().message(error);
}

fs::path beside(const fs::path& file, std::string_view suffix) {
  fs::path path = file;
  path += suffix;
  return path;
}

void remove_draft(const fs::path& draft) {
  std::error_code ignored;  // a draft that stays behind does no harm, and there is a better reason to report already
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(beside(draft, suffix), ignored);
}

/// The reason why the file cannot be opened so, the system's own or that it is no regular file; "" when it can.
std::string cannot_open(const fs::path& file, int flags) {
  // A pipe would be waited for without O_NONBLOCK.
  const int descriptor = ::open(file.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == ELOOP && (flags & O_NOFOLLOW) != 0) return "a symbolic link, expected a regular file";
  if (descriptor < 0) return system_message(errno);
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  ::close(descriptor);
  if (known && S_ISDIR(status.st_mode)) return system_message(EISDIR);
  return known && S_ISREG(status.st_mode) ? "" : "not a regular file, expected a regular file";
}

/// Gives `from` its final name unless something has that name already. Returns 0 or errno.
int rename_without_replacing(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system without that flag: not atomic against a second creator within these microseconds.
  if (fs::exists(fs::symlink_status(to))) return EEXIST;
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Why this is not a whole store of ours; "" when it is.
std::string unfit(SQLite::Database& db) {
  if (db.execAndGet("PRAGMA application_id").getInt() != store_application_id) return "it is not a Cellproof store";
  const int version = db.execAndGet("PRAGMA user_version").getInt();
  if (version != store_schema_version)
    return fmt::format(
        "its schema version is {}, expected {}; judge again with this program, or use the one that wrote it", version,
        store_schema_version);
  const std::string check = db.execAndGet("PRAGMA quick_check(1)").getString();
  return check == "ok" ? "" : fmt::format("it is damaged ({})", check);
}

SQLite::Database checked_database(const fs::path& file, const std::string& name, int flags) {
  SQLite::Database db(name, flags, busy_timeout_ms);
  if (const std::string why = unfit(db); !why.empty()) fail_store(file, "cannot open", why);
  return db;
}

/// file: URI of a database that nobody writes, so that SQLite needs neither lock nor shared memory beside it.
std::string immutable_uri(const fs::path& file) {
  std::string uri = "file:";
  for (const char c : fs::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02x}", c);
    else
      uri += c;
  }
  return uri + "?immutable=1";
}

/// A connection that may only read removes neither log nor shared index that it made. One that might write does, where
/// no other is open; SQLite's own locks tell. Nothing where the file cannot be written, or a log lies there: that of a
/// writer, at work or killed, is left alone.
std::optional<SQLite::Database> opened_to_leave_nothing(const fs::path& file) {
  if (fs::exists(beside(file, "-wal")) || fs::exists(beside(file, "-journal")) || !cannot_open(file, O_RDWR).empty())
    return std::nullopt;
  try {
    SQLite::Database db = checked_database(file, file.string(), SQLite::OPEN_READWRITE);
    db.exec("PRAGMA query_only = ON");
    return db;
  } catch (const SQLite::Exception&) {  // a folder where nothing can be written, or no database: the caller finds out
    return std::nullopt;
  }
}

}  // namespace

void fail_store(const fs::path& file, std::string_view doing, std::string_view why) {
  throw StoreError(fmt::format("{} the store {}: {}", doing, visible_text(file.string()), visible_text(why)));
}

void fail_store(const fs::path& file, std::string_view doing, const SQLite::Exception& error,
                const SQLite::Database* db) {
  // SQLite forgets the system's error of a commit that failed; errno still has it, if it was 0 when the work began.
  const int last_error = errno;
  const int code = error.getErrorCode() & 0xFF;
  const int known_error = db ? sqlite3_system_errno(db->getHandle()) : 0;
  const int system_error = known_error != 0 ? known_error : last_error;
  const bool from_system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_FULL;
  if (from_system && system_error != 0)
    fail_store(file, doing, fmt::format("{} ({})", error.what(), system_message(system_error)));
  fail_store(file, doing, std::string_view(error.what()));
}

void write_metadata(SQLite::Database& db, const RunMetadata& metadata) {
  SQLite::Statement insert(db, insert_statement(StoreTable::Metadata));
  std::size_t position = 0;
  for (const auto& [key, value] : rows_of(metadata)) {
    const RowFields fields{std::to_string(++position), key, value};
    bind_row(insert, fields);
    insert.exec();
    insert.reset();
  }
}

void create_store_file(const fs::path& file, const RunMetadata& metadata) {
  constexpr std::string_view doing = "cannot create";
  std::error_code absent;
  if (fs::exists(fs::symlink_status(file, absent))) fail_store(file, doing, "it exists already");
  // Made whole under another name: whoever is killed in here leaves nothing under the final one.
  const fs::path draft = beside(file, fmt::format(".draft-{}", ::getpid()));
  remove_draft(draft);
  if (const std::string why = cannot_open(draft, O_RDWR | O_CREAT | O_EXCL); !why.empty()) fail_store(file, doing, why);
  std::optional<SQLite::Database> db;
  errno = 0;
  try {
    db.emplace(draft.string(), SQLite::OPEN_READWRITE, busy_timeout_ms);
    SQLite::Transaction transaction(*db);
    db->exec(store_tables);
    db->exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", store_application_id,
                         store_schema_version));
    write_metadata(*db, metadata);
    transaction.commit();
    db->exec("PRAGMA journal_mode = WAL");
  } catch (const SQLite::Exception& error) {
    const int last_error = errno;
    remove_draft(draft);
    errno = last_error;
    fail_store(file, doing, error, db ? &*db : nullptr);
  }
  db.reset();
  // Side files of a store that somebody deleted would be taken for this one's. A log may hold all that is left of it.
  if (fs::file_size(beside(file, "-wal"), absent) > 0 && !absent)
    fs::rename(beside(file, "-wal"), beside(file, "-wal.orphan"), absent);
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(beside(file, suffix), absent);
  if (const int error = rename_without_replacing(draft, file)) {
    remove_draft(draft);
    fail_store(file, doing, error == EEXIST ? "it exists already" : system_message(error));
  }
}

std::string set_store_aside(const fs::path& file, const fs::path& previous) {
  if (const std::string why = cannot_open(file, O_RDWR | O_NOFOLLOW); !why.empty())
    fail_store(file, "cannot set aside", why);
  std::string why;
  try {
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE, set_aside_timeout_ms);
    // Keeps the log: SQLite would remove that of a damaged store as it is closed.
    sqlite3_db_config(db.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    if (db.execAndGet("PRAGMA wal_checkpoint(TRUNCATE)").getInt() != 0) why = "another program has it open";
  } catch (const SQLite::Exception& error) {
    why = error.what();
  }
  std::error_code error;
  constexpr std::array side_files{"-wal", "-shm", "-journal"};
  // Those of the store that is replaced would be taken for this one's.
  for (const char* suffix : side_files) fs::remove(beside(previous, suffix), error);
  fs::rename(file, previous, error);
  if (error) fail_store(file, "cannot set aside", error.message());
  if (why.empty()) {
    for (const char* suffix : side_files) fs::remove(beside(file, suffix), error);  // all that they held is in the file
  }
  for (const char* suffix : side_files) {
    if (!fs::exists(fs::symlink_status(beside(file, suffix)))) continue;
    fs::rename(beside(file, suffix), beside(previous, suffix), error);
    if (error) fail_store(file, "cannot set aside the log of", error.message());
  }
  return why.empty() ? "" : fmt::format("{}: {}", file.string(), why);
}

SQLite::Database open_store_file(const fs::path& file) {
  if (const std::string why = cannot_open(file, O_RDWR | O_NOFOLLOW); !why.empty())
    fail_store(file, "cannot open", why);
  errno = 0;
  try {
    // Without the link in its last part, and so without one that comes there meanwhile.
    const std::string name = (fs::canonical(fs::absolute(file).parent_path()) / file.filename()).string();
    SQLite::Database db = checked_database(file, name, SQLite::OPEN_READWRITE | SQLite::OPEN_NOFOLLOW);
    db.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000");
    return db;
  } catch (const SQLite::Exception& error) {
    fail_store(file, "cannot open", error, nullptr);
  }
}

SQLite::Database open_store_file_read_only(const fs::path& file) {
  if (const std::string why = cannot_open(file, O_RDONLY); !why.empty()) fail_store(file, "cannot open", why);
  if (std::optional<SQLite::Database> db = opened_to_leave_nothing(file)) return *std::move(db);
  errno = 0;
  try {
    return checked_database(file, file.string(), SQLite::OPEN_READONLY);
  } catch (const SQLite::Exception& error) {
    // In a folder where nothing can be written SQLite cannot make the shared index; without a log it needs none.
    const bool no_index = error.getErrorCode() == SQLITE_CANTOPEN || error.getErrorCode() == SQLITE_READONLY;
    if (!no_index || fs::exists(beside(file, "-wal"))) fail_store(file, "cannot open", error, nullptr);
  }
  errno = 0;
  try {
    return checked_database(file, immutable_uri(file), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
  } catch (const SQLite::Exception& error) {
    fail_store(file, "cannot open", error, nullptr);
  }
}

}  // namespace cellproof::reports
