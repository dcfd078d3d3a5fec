public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension PeopleLookup {
    /// The circles of an owner, sorted by name, at most `limit`.
    public func circles(of owner: PersonID, limit: Int) throws -> [Circle] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "\(Circle.select) WHERE c.owner_id = :owner ORDER BY c.folded LIMIT :limit"),
            arguments: ["owner": owner.text, "limit": limit]
        ).map(Circle.init(row:))
    }

    /// The circles of an owner that a person is in, sorted by name, at most `limit`.
    public func circles(of owner: PersonID, with person: PersonID, limit: Int) throws -> [Circle] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(Circle.select) WHERE c.owner_id = :owner AND c.id IN (
                        SELECT circle_id FROM circle_member WHERE person_id = :person)
                    ORDER BY c.folded LIMIT :limit
                    """),
            arguments: ["owner": owner.text, "person": person.text, "limit": limit]
        ).map(Circle.init(row:))
    }

    /// The circle with this name, ignoring case and accents.
    public func circle(named name: String, of owner: PersonID) throws -> Circle? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "\(Circle.select) WHERE c.owner_id = :owner AND c.folded = :name"),
            arguments: ["owner": owner.text, "name": SearchKey.fold(name)]
        ).map(Circle.init(row:))
    }

    /// The members of a circle, sorted by name, at most `limit`.
    public func members(of circle: CircleID, limit: Int) throws -> [Person] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(Person.select) WHERE p.id IN (
                        SELECT person_id FROM circle_member WHERE circle_id = :circle)
                    ORDER BY p.name, p.id LIMIT :limit
                    """), arguments: ["circle": circle.text, "limit": limit]
        ).map(Person.init(row:))
    }
}

extension Store {
    /// Creates a circle with these members; returns `false` if the owner already has one with that
    /// name.
    public func addCircle(
        _ circle: Circle, members: [PersonID], owner: PersonID
    ) async throws -> Bool {
        try await write { db in
            guard try circle.insert(owner: owner, in: db) else { return false }
            try Circle.add(members, to: circle.id, in: db)
            return true
        }
    }

    /// Renames a circle.
    ///
    /// - Parameters:
    ///   - circle: the circle.
    ///   - name: the new name.
    /// - Returns: false if its owner has another circle with that name; nothing has changed then.
    /// - Throws: ``StoreError``.
    public func renameCircle(_ circle: CircleID, to name: String) async throws -> Bool {
        try await write { db in try circle.rename(to: name, in: db) }
    }

    /// Adds members. People who are already members stay members.
    ///
    /// - Parameters:
    ///   - members: the people.
    ///   - circle: the circle.
    ///   - now: the current time.
    ///   - replanning: plans a meeting, if the circle's quiet hours hold for the people now.
    /// - Throws: ``StoreError``.
    public func addMembers(
        _ members: [PersonID], to circle: CircleID, now: Moment,
        replanning: @escaping Replanning
    ) async throws {
        try await write { db in
            try circle.replanning(members, now: now, in: db, by: replanning) {
                try Circle.add(members, to: circle, in: db)
                for member in members { try circle.forgetLeaver(member, in: db) }
            }
        }
    }

    /// Removes members.
    ///
    /// - Parameters:
    ///   - members: the people.
    ///   - circle: the circle.
    ///   - now: the current time.
    ///   - replanning: plans a meeting, if the circle's quiet hours no longer hold for the people.
    /// - Throws: ``StoreError``.
    public func removeMembers(
        _ members: [PersonID], from circle: CircleID, now: Moment,
        replanning: @escaping Replanning
    ) async throws {
        try await write { db in
            try circle.replanning(members, now: now, in: db, by: replanning) {
                for member in members {
                    try db.execute(
                        sql: """
                            DELETE FROM circle_member
                            WHERE circle_id = :circle AND person_id = :person
                            """, arguments: ["circle": circle.text, "person": member.text])
                    try db.execute(
                        sql: """
                            INSERT INTO circle_leaver (circle_id, person_id)
                            VALUES (:circle, :person) ON CONFLICT DO NOTHING
                            """, arguments: ["circle": circle.text, "person": member.text])
                }
            }
        }
    }

    /// Deletes a circle with its channels and quiet hours; its people stay. Replans the coming
    /// meetings that this concerns.
    ///
    /// - Parameters:
    ///   - circle: the circle to delete.
    ///   - now: the current time.
    ///   - replanning: plans a meeting.
    /// - Returns: the meetings that could not be replanned.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func deleteCircle(
        _ circle: CircleID, now: Moment, replanning: @escaping Replanning
    ) async throws -> [ReplanFailure] {
        try await write { db in
            var meetings = try ChannelRows.meetings(
                of: Audience.circle(circle.text).receiver, now, in: db)
            if try SendingHours.of(circle, in: db) != nil {
                let known = Set(meetings)
                meetings += try circle.comingMeetings(now, in: db).filter { !known.contains($0) }
            }
            try circle.leaveCategories(named: circle.key(in: db), in: db)
            try db.execute(
                sql: "DELETE FROM circle WHERE id = :id", arguments: ["id": circle.text])
            return try MeetingBundle.replanEach(meetings, by: replanning, in: db)
        }
    }
}

extension Circle {
    static let select = """
        SELECT c.id, c.name,
            (SELECT count(*) FROM circle_member m WHERE m.circle_id = c.id) AS count
        FROM circle c
        """

    init(row: Row) {
        self.init(id: CircleID(text: row["id"]), name: row["name"], count: row["count"])
    }

    /// Inserts the circle without its members; returns `false` if the owner already has one with
    /// that name.
    func insert(owner: PersonID, in db: Database) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO circle (id, owner_id, name, folded)
                VALUES (:id, :owner, :name, :folded) ON CONFLICT DO NOTHING
                """,
            arguments: [
                "id": id.text, "owner": owner.text, "name": name,
                "folded": SearchKey.fold(name),
            ])
        return db.changesCount > 0
    }

    static func add(_ members: [PersonID], to circle: CircleID, in db: Database) throws {
        for member in members {
            try db.cachedStatement(
                sql: """
                    INSERT INTO circle_member (circle_id, person_id)
                    VALUES (:circle, :person) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: ["circle": circle.text, "person": member.text])
        }
    }
}

extension CircleID {
    /// Renames the circle; returns `false` if its owner has another circle with that name.
    func rename(to name: String, in db: Database) throws -> Bool {
        let (former, key) = (try key(in: db), SearchKey.fold(name))
        try db.execute(
            sql: """
                UPDATE circle SET name = :name, folded = :folded
                WHERE id = :id AND NOT EXISTS (
                    SELECT 1 FROM circle o WHERE o.owner_id = circle.owner_id
                        AND o.folded = :folded AND o.id <> circle.id)
                """,
            arguments: ["id": text, "name": name, "folded": key])
        guard db.changesCount > 0 else { return false }
        if former != key { try leaveCategories(named: former, in: db) }
        return true
    }

    /// The people who were taken out of the circle by hand and are not in it again.
    func leavers(in db: Database) throws -> Set<PersonID> {
        Set(
            try String.fetchAll(
                db.cachedStatement(
                    sql: "SELECT person_id FROM circle_leaver WHERE circle_id = :circle"),
                arguments: ["circle": text]
            ).map { PersonID(text: $0) })
    }

    fileprivate func forgetLeaver(_ person: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM circle_leaver WHERE circle_id = :circle AND person_id = :person
                """
        ).execute(arguments: ["circle": text, "person": person.text])
    }

    /// All members of the circle.
    func everybody(in db: Database) throws -> Set<PersonID> {
        Set(
            try String.fetchAll(
                db.cachedStatement(
                    sql: "SELECT person_id FROM circle_member WHERE circle_id = :circle"),
                arguments: ["circle": text]
            ).map { PersonID(text: $0) })
    }

    /// The circles that were invited to a meeting, followed by those of `others` that were not.
    static func asked(
        to meeting: MeetingID, besides others: [CircleID], in db: Database
    ) throws -> [CircleID] {
        let known = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT circle_id FROM meeting_circle WHERE meeting_id = :meeting
                    ORDER BY circle_id
                    """), arguments: ["meeting": meeting.text])
        return known.map { CircleID(text: $0) }
            + others.filter { !known.contains($0.text) }
    }

    /// Records that circles were invited to a meeting.
    ///
    /// - Parameters:
    ///   - circles: the circles to record.
    ///   - date: the name of the occurrence to which they were invited; empty for the whole
    ///     meeting.
    ///   - meeting: the meeting.
    ///   - db: the database to write to.
    /// - Throws: database errors.
    static func note(
        _ circles: [CircleID], on date: String, of meeting: MeetingID, in db: Database
    ) throws {
        for circle in circles {
            try db.cachedStatement(
                sql: """
                    INSERT INTO circle_asking (meeting_id, circle_id, occurrence)
                    SELECT :meeting, id, :date FROM circle WHERE id = :circle
                    ON CONFLICT DO NOTHING
                    """
            ).execute(
                arguments: ["meeting": meeting.text, "circle": circle.text, "date": date])
            try db.cachedStatement(
                sql: """
                    INSERT INTO meeting_circle (meeting_id, circle_id)
                    SELECT :meeting, id FROM circle WHERE id = :circle ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: ["meeting": meeting.text, "circle": circle.text])
        }
    }

    /// The circles that were invited to a meeting, keyed by the name of the occurrence; the empty
    /// key holds those that were invited to the whole meeting.
    static func askings(
        to meeting: MeetingID, in db: Database
    ) throws -> [String: Set<CircleID>] {
        let rows = try Row.read(
            db.cachedStatement(
                sql: """
                    SELECT circle_id, occurrence FROM circle_asking WHERE meeting_id = :meeting
                    """), arguments: ["meeting": meeting.text]
        ) { row in
            (date: row["occurrence"] as String, circle: CircleID(text: row["circle_id"]))
        }
        return Dictionary(grouping: rows, by: \.date).mapValues { Set($0.map(\.circle)) }
    }

    /// Replaces the recorded invitations of circles to a meeting.
    static func save(
        _ askings: [String: Set<CircleID>], of meeting: MeetingID, in db: Database
    ) throws {
        try db.cachedStatement(sql: "DELETE FROM circle_asking WHERE meeting_id = :meeting")
            .execute(arguments: ["meeting": meeting.text])
        for (date, circles) in askings {
            try note(Array(circles), on: date, of: meeting, in: db)
        }
    }
}
