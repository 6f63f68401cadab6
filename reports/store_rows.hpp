#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cellproof::reports {

enum class StoreTable { Findings, Metadata, EngineNotes, Answers };
inline constexpr StoreTable store_table_list[] = {StoreTable::Findings, StoreTable::Metadata, StoreTable::EngineNotes,
                                                  StoreTable::Answers};

/// The columns of a row in the order of its table, without its checksum; nullopt is NULL.
using RowFields = std::vector<std::optional<std::string>>;

/// One row as it was read.
struct StoredRow {
  std::int64_t rowid = 0;
  RowFields fields;
  std::string checksum;

  /// Does the row hold what was written?
  bool is_whole() const;
  /// The k-th field, "" for NULL.
  std::string text(std::size_t k) const;
};

/// The statement that writes a row of the table, with the parameters of bind_row.
const char* insert_statement(StoreTable table);

/// Binds the fields and the checksum of all of them. They must outlive the statement's execution.
void bind_row(SQLite::Statement& statement, const RowFields& fields);

/// Calls take for each row in the order of row ids; `engine`: only of this engine's, nullopt: all. No index is asked,
/// so that one that is damaged hides nothing.
void for_each_row(SQLite::Database& db, StoreTable table, const std::optional<std::string>& engine,
                  const std::function<void(const StoredRow&)>& take);

/// Says whose row it is, and that its checksum is not that of what it holds.
std::string damage_in(StoreTable table, const StoredRow& row);

void delete_row(SQLite::Database& db, StoreTable table, std::int64_t rowid);

}  // namespace cellproof::reports
