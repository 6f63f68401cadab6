#include "reports/store_rows.hpp"

#include <fmt/format.h>

#include "spec/content_hash.hpp"

namespace cellproof::reports {
namespace {

struct TableText {
  const char* name;
  const char* columns;  ///< without the checksum, which is the last
  const char* insert;
};

const TableText& text_of(StoreTable table) {
  static constexpr TableText all[] = {
      {"findings", "engine, suite, number, case_hash, operator, type, outcome, verdict, signature, pass, record",
       "INSERT OR REPLACE INTO findings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"},
      {"passport", "position, key, value", "INSERT INTO passport VALUES (?1, ?2, ?3, ?4)"},
      {"engine_notes", "position, engine, key, value",
       "INSERT OR REPLACE INTO engine_notes VALUES (?1, ?2, ?3, ?4, ?5)"},
      {"answers", "engine, suite, number, outputs", "INSERT OR REPLACE INTO answers VALUES (?1, ?2, ?3, ?4, ?5)"},
  };
  return all[static_cast<std::size_t>(table)];
}

/// Hashes all fields, with their lengths: what moves from one to the next changes it, too.
std::string checksum_of(const RowFields& fields) {
  std::string all;
  for (const auto& field : fields) all += field ? fmt::format("{}:{};", field->size(), *field) : "-;";
  return content_hash(all);
}

}  // namespace

bool StoredRow::is_whole() const {
  return checksum == checksum_of(fields);
}

std::string StoredRow::text(std::size_t k) const {
  return fields.at(k).value_or("");
}

const char* insert_statement(StoreTable table) {
  return text_of(table).insert;
}

void bind_row(SQLite::Statement& statement, const RowFields& fields) {
  int place = 0;
  for (const auto& field : fields) {
    if (field)
      statement.bindNoCopy(++place, *field);
    else
      statement.bind(++place);
  }
  statement.bind(++place, checksum_of(fields));
}

void for_each_row(SQLite::Database& db, StoreTable table, const std::optional<std::string>& engine,
                  const std::function<void(const StoredRow&)>& take) {
  const TableText& text = text_of(table);
  SQLite::Statement query(db, fmt::format("SELECT rowid, {}, checksum FROM {} NOT INDEXED{}", text.columns, text.name,
                                          engine ? " WHERE engine = ?1" : ""));
  if (engine) query.bindNoCopy(1, *engine);
  while (query.executeStep()) {
    StoredRow row{query.getColumn(0).getInt64(), {}, {}};
    const int last = query.getColumnCount() - 1;
    for (int k = 1; k < last; ++k) {
      const SQLite::Column column = query.getColumn(k);
      row.fields.push_back(column.isNull() ? std::nullopt : std::optional(column.getString()));
    }
    row.checksum = query.getColumn(last).getString();
    take(row);
  }
}

std::string damage_in(StoreTable table, const StoredRow& row) {
  const auto owner = [&] {
    switch (table) {
      case StoreTable::Findings:
        return fmt::format("of {}, {} number {}", row.text(0), row.text(1), row.text(2));
      case StoreTable::Metadata:
        return fmt::format("of the run metadata '{}'", row.text(1));
      case StoreTable::EngineNotes:
        return fmt::format("of {}, note '{}'", row.text(1), row.text(2));
      default:
        return fmt::format("of the answer of {}, {} number {}", row.text(0), row.text(1), row.text(2));
    }
  };
  return fmt::format("the row {} is damaged: its checksum is {}, that of what it holds {}", owner(), row.checksum,
                     checksum_of(row.fields));
}

void delete_row(SQLite::Database& db, StoreTable table, std::int64_t rowid) {
  SQLite::Statement remove(db, fmt::format("DELETE FROM {} WHERE rowid = ?1", text_of(table).name));
  remove.bind(1, rowid);
  remove.exec();
}

}  // namespace cellproof::reports
