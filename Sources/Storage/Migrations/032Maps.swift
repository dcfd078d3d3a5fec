extension Migrations {
    /// The maps of fetched regions, packed by square.
    static let maps032 = """
        CREATE TABLE map (
            dataset_id INTEGER PRIMARY KEY NOT NULL REFERENCES dataset ON DELETE CASCADE,
            attribution TEXT NOT NULL,
            fetched_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE map_square (
            dataset_id INTEGER NOT NULL REFERENCES map ON DELETE CASCADE,
            north INTEGER NOT NULL,
            east INTEGER NOT NULL,
            ways BLOB NOT NULL,
            PRIMARY KEY (north, east, dataset_id)
        ) STRICT;
        CREATE INDEX map_square_by_dataset ON map_square (dataset_id);
        """
}
