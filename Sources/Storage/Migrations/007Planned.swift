extension Migrations {
    /// The time at which a delivery was planned, in the row itself. A delivery planned before this
    /// step, or with a reason, has a state change that records it instead. `delivery_story` shows
    /// all of them, ordered by `number`.
    static let planned007 = """
        ALTER TABLE delivery ADD COLUMN planned_at INTEGER;
        CREATE VIEW delivery_story AS
        SELECT delivery_id, id AS number, at, state, reason FROM delivery_turn
        UNION ALL
        SELECT id, 0, planned_at, 'planned', '' FROM delivery WHERE planned_at IS NOT NULL;
        """
}
