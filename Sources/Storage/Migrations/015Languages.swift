extension Migrations {
    /// The language in which somebody likes to read, as their card says it (BCP 47).
    static let languages015 = """
        ALTER TABLE person ADD COLUMN language TEXT;
        """
}
