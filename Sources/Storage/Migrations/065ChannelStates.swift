extension Migrations {
    /// Pauses of channels, and channels that people other than the owner of the installation added,
    /// which reach public addresses only.
    static let channelStates065 = """
        ALTER TABLE channel ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0
            CHECK (is_public IN (0, 1));
        ALTER TABLE channel ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0
            CHECK (is_paused IN (0, 1));
        """
}
