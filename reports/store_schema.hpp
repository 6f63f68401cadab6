#pragma once

namespace cellproof::reports {

/// "CelP" in the file's header: what tells our files from other people's SQLite databases.
inline constexpr int store_application_id = 0x43656C50;
/// Raised whenever the tables or the record change; a store of another version is refused, never converted in place.
inline constexpr int store_schema_version = 6;

/// docs/reports.md describes the tables. The columns repeat what queries need; the record is the whole finding. The
/// checksum is of all other columns of its row.
inline constexpr const char* store_tables = R"sql(
  CREATE TABLE findings (
    engine TEXT NOT NULL,
    suite TEXT NOT NULL,
    number INTEGER NOT NULL,
    case_hash TEXT NOT NULL,
    operator TEXT NOT NULL,
    type TEXT NOT NULL,
    outcome TEXT NOT NULL,
    verdict TEXT,
    signature TEXT NOT NULL,
    pass INTEGER NOT NULL,
    record TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (engine, suite, number)
  );
  CREATE TABLE passport (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    checksum TEXT NOT NULL
  );
  CREATE TABLE engine_notes (
    position INTEGER PRIMARY KEY,
    engine TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    checksum TEXT NOT NULL,
    UNIQUE (engine, key)
  );
  CREATE TABLE answers (
    engine TEXT NOT NULL,
    suite TEXT NOT NULL,
    number INTEGER NOT NULL,
    outputs BLOB NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (engine, suite, number)
  );
)sql";

}  // namespace cellproof::reports
