extension Migrations {
    /// The pictures of contacts: the name of their files.
    static let pictures063 = """
        ALTER TABLE contact ADD COLUMN picture TEXT
            CHECK (length(picture) = 64 AND picture NOT GLOB '*[^0-9a-f]*');
        CREATE INDEX contact_by_picture ON contact (picture) WHERE picture IS NOT NULL;
        """
}
