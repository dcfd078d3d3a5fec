extension Migrations {
    /// When a delivery was planned, in the row itself; one planned before this step, or for a
    /// reason, has a turn that says so. `delivery_story` tells all of it, in order of `number`.
    static let planned007 = """
        ALTER TABLE delivery ADD COLUMN planned_at INTEGER;
        CREATE VIEW delivery_story AS
        SELECT delivery_id, id AS number, at, state, reason FROM delivery_turn
        UNION ALL
        SELECT id, 0, planned_at, 'planned', '' FROM delivery WHERE planned_at IS NOT NULL;
        """
}
