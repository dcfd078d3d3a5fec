extension Migrations {
    /// The changes that open pages of an account show, beside those of ``feeds023``: for each
    /// account and topic, the value of a number at the last change. The number rises with each of
    /// them. Feeds do not show them, so that it is not the number of feeds.
    static let accountMarks068 = """
        CREATE TABLE live_mark (
            id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
            mark INTEGER NOT NULL
        ) STRICT;
        /* SQLite */ INSERT INTO live_mark (id, mark) VALUES (1, 0);
        CREATE TABLE account_mark (
            person_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            topic TEXT NOT NULL CHECK (topic <> ''),
            mark INTEGER NOT NULL,
            PRIMARY KEY (person_id, topic)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX account_mark_by_mark ON account_mark (mark);
        \(marks)
        """

    private static let marks = sources.enumerated().flatMap { place, source in
        source.deeds.map { source.trigger(on: $0, number: place) }
    }.joined(separator: "\n")

    /// A change of a table that is told to accounts.
    private struct Source {
        let table: String
        let deeds: [String]
        /// The topics, and a query of the persons whose accounts hear of each. `ROW` is the row.
        let news: [(topic: String, persons: String)]
        var condition = ""

        init(_ table: String, _ deeds: String..., news: [(String, String)], when: String = "") {
            (self.table, self.deeds, self.news) = (table, deeds, news)
            condition = when.isEmpty ? "" : "WHEN \(when) "
        }

        func trigger(on deed: String, number: Int) -> String {
            let name = deed.prefix { $0 != " " }
            let marks = news.map { topic, persons in
                """
                INSERT INTO account_mark (person_id, topic, mark)
                    SELECT a.person_id, \(topic), m.mark
                    FROM account a JOIN live_mark m ON m.id = 1
                    WHERE a.person_id IN (\(persons))
                    ON CONFLICT (person_id, topic) DO UPDATE SET mark = excluded.mark;
                """
            }
            return """
                CREATE TRIGGER account_mark_\(number)_\(table)_\(name.lowercased())
                AFTER \(deed) ON \(table) \(condition)BEGIN
                    UPDATE live_mark SET mark = mark + 1 WHERE id = 1;
                    \(marks.joined(separator: "\n"))
                END;
                """.replacing("ROW.", with: name == "DELETE" ? "OLD." : "NEW.")
        }
    }

    private static let sources = peopleSources + bookSources + meetingSources

    /// The facts about a person are on the pages of those who have a card of them, and of the
    /// person.
    private static let peopleSources: [Source] =
        [
            Source("contact", "INSERT", "DELETE", "UPDATE", news: [("'people'", "ROW.owner_id")]),
            Source(
                "person", "UPDATE OF name, zone, language, merged_into",
                news: [("'people'", keepers("ROW.id")), ("'me'", "ROW.id")]),
        ]
        + [
            ("person_address", "UPDATE OF address, position, is_verified"),
            ("reminder_policy", "UPDATE"), ("sending_hours", "UPDATE"), ("digest_policy", "UPDATE"),
        ].map { table, update in
            Source(
                table, "INSERT", "DELETE", update,
                news: [("'people'", keepers("ROW.person_id")), ("'me'", "ROW.person_id")])
        } + [
            Source("account", "UPDATE OF role, language", news: [("'me'", "ROW.person_id")]),
            Source("passkey", "INSERT", "DELETE", news: [("'me'", "ROW.person_id")]),
            // Streams of sessions that have ended end, too.
            Source("session", "DELETE", news: [("'sessions'", "ROW.person_id")]),
        ]

    /// Circles, saved places and feeds are on the pages of their owner alone. All see the same
    /// catalogue of places.
    private static let bookSources: [Source] = [
        Source(
            "circle", "INSERT", "DELETE", "UPDATE OF owner_id, name",
            news: [("'circles'", "ROW.owner_id")]),
        Source("circle_member", "INSERT", "DELETE", news: [("'circles'", circleOwner)]),
        Source("circle_hours", "INSERT", "DELETE", "UPDATE", news: [("'circles'", circleOwner)]),
        Source(
            "channel", "INSERT", "DELETE",
            news: [
                ("'circles'", circleOwner), ("'people'", keepers("ROW.person_id")),
                ("'me'", "ROW.person_id"),
            ]),
        Source(
            "saved_place", "INSERT", "DELETE", "UPDATE", news: [("'places'", "ROW.owner_id")]),
        Source(
            "dataset", "INSERT", "DELETE", "UPDATE",
            news: [("'places'", "SELECT person_id FROM account")]),
        Source(
            "feed", "INSERT", "DELETE", "UPDATE",
            news: [("'feeds'", "ROW.owner_id, ROW.person_id")]),
    ]

    /// Changes of a meeting that no feed shows. Only its organizer sees what was sent.
    private static let meetingSources: [Source] = [
        Source(
            "answer", "UPDATE OF plus, note, proposal, is_unsigned",
            news: [("'m/' || ROW.meeting_id", audience)],
            when: """
                NEW.plus <> OLD.plus OR NEW.note <> OLD.note
                OR NEW.proposal IS NOT OLD.proposal OR NEW.is_unsigned <> OLD.is_unsigned
                """),
        Source(
            "participant", "DELETE", news: [("'m/' || ROW.meeting_id", "ROW.person_id")]),
        Source(
            "snooze", "INSERT", "DELETE", "UPDATE",
            news: [("'m/' || ROW.meeting_id", "ROW.person_id")]),
        // SQLite would build a table of a longer list behind IN for each new delivery.
        Source(
            "delivery", "INSERT", news: [("'m/' || ROW.meeting_id", organizer)],
            when: "NEW.kind = 'nudge' OR NEW.kind = 'message' OR NEW.kind = 'link'"),
        // Acceptance comes in large numbers: see `AccountMarks`.
        Source(
            "delivery", "UPDATE OF state", news: [("'m/' || ROW.meeting_id", organizer)],
            when: "NEW.state <> OLD.state AND NEW.state NOT IN ('accepted', 'superseded')"),
    ]

    private static func keepers(_ person: String) -> String {
        "SELECT k.owner_id FROM contact k WHERE k.person_id = \(person)"
    }

    private static let circleOwner = "SELECT k.owner_id FROM circle k WHERE k.id = ROW.circle_id"
    private static let organizer =
        "SELECT k.organizer_id FROM meeting k WHERE k.id = ROW.meeting_id"
    private static let audience = """
        SELECT k.person_id FROM participant k WHERE k.meeting_id = ROW.meeting_id
        UNION \(organizer)
        """
}
