extension Migrations {
    /// The quiet hours of people who have no sending hours of their own: those of their circles,
    /// otherwise those of the installation. They are lists of texts such as "22:00-08:00".
    static let defaultHours046 = """
        ALTER TABLE installation ADD COLUMN quiet TEXT NOT NULL DEFAULT '[]'
            CHECK (json_valid(quiet));
        CREATE TABLE circle_hours (
            circle_id TEXT PRIMARY KEY NOT NULL REFERENCES circle ON DELETE CASCADE,
            quiet TEXT NOT NULL CHECK (json_valid(quiet))
        ) STRICT;
        """
}
