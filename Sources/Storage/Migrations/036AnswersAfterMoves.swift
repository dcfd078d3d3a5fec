extension Migrations {
    /// The start for which an answer was given, if the meeting was moved since, and whether the
    /// answer still holds. `present_answer` is the answer that holds now.
    static let answersAfterMoves036 = """
        ALTER TABLE answer ADD COLUMN answered_for INTEGER;
        ALTER TABLE answer ADD COLUMN is_outdated INTEGER NOT NULL DEFAULT 0
            CHECK (is_outdated IN (0, 1));
        ALTER TABLE answer ADD COLUMN present_answer TEXT NOT NULL GENERATED ALWAYS AS (
            CASE is_outdated WHEN 0 THEN answer ELSE 'invited' END) VIRTUAL;
        CREATE INDEX answer_outdated ON answer (meeting_id) WHERE is_outdated = 1;
        """
}

// The column `present_answer` takes no room in the file: SQLite computes it when it is read.
// Queries that ask who comes use it; queries that show what somebody said use `answer`.
//
// The index tells lists of thousands of meetings at once that there are no outdated answers to
// count: mostly it is empty.
//
// See ``Participant/follow(_:isTold:asksAgain:)`` for the rules.
