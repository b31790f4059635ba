-- What the reader made of each version, so that nothing is read twice.

CREATE TABLE findings (
    version     INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,   -- of the reader and the sentences it read
    practices   TEXT,            -- JSON list; NULL where they were not asked for yet
    vectors     BLOB             -- half-precision numbers, a row of them for each sentence; NULL likewise
);
