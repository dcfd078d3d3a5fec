extension Migrations {
    /// The number of times that an account forgot the browsers in which its person signed in
    /// before. A browser keeps a mark that names the number of its time.
    static let browserEpochs061 = """
        ALTER TABLE account ADD COLUMN browser_epoch INTEGER NOT NULL DEFAULT 0;
        """
}
