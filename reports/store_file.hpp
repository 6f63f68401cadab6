#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string_view>

#include "reports/store.hpp"

namespace cellproof::reports {

/// Throws the StoreError "`doing` the store FILE: `why`".
[[noreturn]] void fail_store(const std::filesystem::path& file, std::string_view doing, std::string_view why);

/// As fail_store, with SQLite's words and, where a system call failed, the system's, from errno if it
/// must be: set that to 0 before the work. `db` may be null.
[[noreturn]] void fail_store(const std::filesystem::path& file, std::string_view doing, const SQLite::Exception& error,
                             const SQLite::Database* db);

/// Makes the file with its tables and metadata; it appears under its name only when it is whole.
void create_store_file(const std::filesystem::path& file, const RunMetadata& metadata);

/// A connection to a file that has been found to be a whole store of our schema version.
SQLite::Database open_store_file(const std::filesystem::path& file);
SQLite::Database open_store_file_read_only(const std::filesystem::path& file);

void write_metadata(SQLite::Database& db, const RunMetadata& metadata);

}  // namespace cellproof::reports
