extension Migrations {
    /// Places: the saved places, and the catalogue with its indexes by position (R*Tree) and by
    /// name (FTS5), which are specific to SQLite.
    static let places001 = """
        CREATE TABLE saved_place (
            id TEXT PRIMARY KEY NOT NULL,
            owner_id TEXT NOT NULL REFERENCES person,
            name TEXT NOT NULL CHECK (name <> ''),
            folded TEXT NOT NULL,
            reference TEXT,
            address TEXT NOT NULL DEFAULT '',
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            UNIQUE (owner_id, folded)
        ) STRICT;

        CREATE TABLE dataset (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            attribution TEXT NOT NULL,
            loaded_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE catalogue_place (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            dataset_id INTEGER NOT NULL REFERENCES dataset ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (name <> ''),
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            address TEXT NOT NULL,
            url TEXT NOT NULL,
            hours TEXT NOT NULL,
            CHECK ((latitude IS NULL) = (longitude IS NULL))
        ) STRICT;
        CREATE INDEX catalogue_place_by_dataset ON catalogue_place (dataset_id);
        CREATE TABLE catalogue_category (
            place_number INTEGER NOT NULL REFERENCES catalogue_place ON DELETE CASCADE,
            category_id TEXT NOT NULL,
            label TEXT NOT NULL,
            is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),
            PRIMARY KEY (place_number, category_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX catalogue_category_by_id ON catalogue_category (category_id, place_number);
        CREATE VIRTUAL TABLE catalogue_position USING rtree (
            number, south, north, west, east);
        CREATE VIRTUAL TABLE catalogue_text USING fts5 (
            name, tokenize = "unicode61 remove_diacritics 2");
        """
}
