extension Migrations {
    /// The maps of fetched regions, packed by the squares of a grid. `south` to `east` are the rows
    /// and columns of the region, and `wide` holds the ways that are in many squares.
    static let maps032 = """
        CREATE TABLE map (
            dataset_id INTEGER PRIMARY KEY NOT NULL REFERENCES dataset ON DELETE CASCADE,
            attribution TEXT NOT NULL,
            fetched_at INTEGER NOT NULL,
            south INTEGER NOT NULL,
            north INTEGER NOT NULL,
            west INTEGER NOT NULL,
            east INTEGER NOT NULL,
            wide BLOB NOT NULL
        ) STRICT;
        CREATE TABLE map_square (
            dataset_id INTEGER NOT NULL REFERENCES map ON DELETE CASCADE,
            grid_row INTEGER NOT NULL,
            grid_column INTEGER NOT NULL,
            ways BLOB NOT NULL,
            PRIMARY KEY (grid_row, grid_column, dataset_id)
        ) STRICT;
        CREATE INDEX map_square_by_dataset ON map_square (dataset_id);
        """
}
