-- Services, the versions of their policies, and what the search index has yet to learn.

CREATE TABLE services (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    key       TEXT NOT NULL,   -- the name case-folded; SQLite by itself folds ASCII only
    domain    TEXT,
    source    TEXT NOT NULL,   -- where it was last read from, and is read again
    last_seen TEXT NOT NULL,   -- also moves when the text was the same as before
    removed   TEXT             -- when, as long as it can be restored
);
CREATE UNIQUE INDEX services_by_key ON services (key) WHERE removed IS NULL;
CREATE INDEX services_by_source ON services (source);

-- Ids are never used twice: the index knows versions by them and may hear of a deletion late.
-- The long columns come last, so that a list reads none of their pages.
CREATE TABLE versions (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    service  INTEGER NOT NULL REFERENCES services (id) ON DELETE CASCADE,
    digest   TEXT NOT NULL,
    seen     TEXT NOT NULL,    -- ISO 8601 in UTC, the first time this text was seen
    words    INTEGER NOT NULL,
    source   TEXT NOT NULL,
    url      TEXT,
    title    TEXT NOT NULL,
    media    TEXT NOT NULL,
    language TEXT NOT NULL,
    p_policy REAL NOT NULL,
    notes    TEXT NOT NULL,    -- JSON list
    blocks   TEXT NOT NULL,    -- JSON list of [kind's initial, level, start, end]
    text     TEXT NOT NULL
);
CREATE INDEX versions_in_time ON versions (service, seen, id);
CREATE INDEX versions_by_url ON versions (url);

-- One row for a version at most: the last word on it replaces the ones before, under a new id.
CREATE TABLE pending (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    version INTEGER NOT NULL UNIQUE,   -- no reference: a deletion outlives its version
    op      TEXT NOT NULL CHECK (op IN ('upsert', 'delete'))
);

-- Holds a row from the moment that rows are forgotten until their bytes are overwritten.
CREATE TABLE erasure (
    since TEXT NOT NULL
);
