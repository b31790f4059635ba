-- What was read from each version, which versions nearly repeat another service's, how far runs have come.

ALTER TABLE services ADD COLUMN rank INTEGER;   -- popularity of the domain, 1 the most popular; NULL unknown

CREATE TABLE annotations (
    version INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    model   TEXT NOT NULL,   -- fingerprint of the rules and weights that made it
    facets  TEXT NOT NULL    -- JSON object
);
CREATE INDEX annotations_by_model ON annotations (model);

-- The text of the whole page, with menus and footers, where a version came from one.
CREATE TABLE pages (
    version INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    text    TEXT NOT NULL
);

CREATE TABLE signatures (
    version   INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    signature BLOB NOT NULL
);

-- Where to look for versions like a new one. Only versions that are not folded have rows here, so that a text
-- that a thousand services copied is found once. Rows go with their version by code: an index for a cascade
-- would double the table.
CREATE TABLE bands (
    band    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (band, version)
) WITHOUT ROWID;

-- A version that is folded stays in its service's history; searches show the one it is folded under.
CREATE TABLE duplicates (
    version    INTEGER PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    kept       INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    similarity REAL NOT NULL
);
CREATE INDEX duplicates_by_kept ON duplicates (kept);

CREATE TABLE runs (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    corpus TEXT NOT NULL,
    began  TEXT NOT NULL,
    ended  TEXT              -- NULL while there is work left: the next run on the same corpus goes on with it
);

-- Written together with what came of the document: a run that was killed knows exactly what is done. A document
-- whose version is forgotten is unknown again.
CREATE TABLE documents (
    key     BLOB PRIMARY KEY,
    run     INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    version INTEGER REFERENCES versions (id) ON DELETE CASCADE,
    place   TEXT,            -- only where there is a problem
    kind    TEXT,
    problem TEXT
) WITHOUT ROWID;
CREATE INDEX documents_by_version ON documents (version) WHERE version IS NOT NULL;
CREATE INDEX documents_with_problem ON documents (run) WHERE problem IS NOT NULL;
