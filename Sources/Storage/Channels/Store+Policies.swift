public import Agenda
import Foundation
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The reason of reminders that are replaced because their receiver chose other times.
    public static let reminderChoiceReason = "the reminder policy changed"

    /// The reason of changes of an inbox: the person chose other kinds, or their account is new or
    /// gone.
    public static let inboxChoiceReason = "the inbox changed"

    /// The notification preferences of a person.
    public func policy(of person: PersonID) async throws -> PersonalPolicy {
        try await read { db in try PersonalPolicy.fetch(person, in: db) }
    }

    /// Changes the notification preferences of a person, and replans their coming meetings, and
    /// those of other people whose mail they read.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - now: the current time.
    ///   - saving: `false` for a preview, which saves nothing.
    ///   - change: changes the current policy into the new one.
    ///   - replanning: makes the function that replans a meeting, given the old policy.
    /// - Returns: the new policy, and the replanned meetings of the person.
    /// - Throws: ``StoreError``, or what `change` throws; nothing is changed then.
    public func setPolicy(
        of person: PersonID, now: Moment, saving: Bool,
        change: @escaping @Sendable (inout PersonalPolicy) throws -> Void,
        replanning: @escaping @Sendable (PersonalPolicy) -> Replanning
    ) async throws -> (policy: PersonalPolicy, revisions: [MeetingRevision]) {
        try await write { db in
            let before = try PersonalPolicy.fetch(person, in: db)
            var policy = before
            try change(&policy)
            var revisions: [MeetingRevision] = []
            try db.inSavepoint {
                try policy.save(of: person, in: db)
                if policy.reminders != before.reminders {
                    try person.noteReminders(changedAt: now, in: db)
                }
                revisions = try MeetingBundle.replan(
                    MeetingID.coming(of: person, now: now, in: db), by: replanning(before), in: db)
                if policy.hours != before.hours {
                    let known = Set(revisions.map(\.meeting.id))
                    let others = try MeetingID.coming(
                        ofAny: person.mailSharers(in: db), now: now, in: db)
                    _ = try MeetingBundle.replanEach(
                        others.filter { !known.contains($0) }, by: replanning(before), in: db)
                }
                return saving ? .commit : .rollback
            }
            return (policy, revisions)
        }
    }
}

extension PersonID {
    /// Records the time at which this person chose other reminders, by the current clock.
    func noteReminders(changedAt now: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE person SET reminders_changed_at = :now WHERE id = :id"
        ).execute(arguments: ["now": now.milliseconds, "id": text])
    }
}

extension PersonID {
    /// True if this person does not want to see the birthdays of contacts.
    fileprivate func hidesBirthdays(in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT hides_birthdays FROM person WHERE id = :id"),
            arguments: ["id": text]) ?? false
    }
}

extension PeopleLookup {
    /// The notification preferences of these people, who are invited as members of these circles.
    public func wishes(of people: [PersonID], circles: [CircleID]) throws -> PersonalWishes {
        try PersonalWishes.fetch(people, circles: circles, in: db)
    }
}

extension PersonalWishes {
    // The addresses in ledger rows may differ from people's current addresses.
    static func fetch(
        _ people: [PersonID], circles: [CircleID], of meeting: MeetingID? = nil,
        rows: [LedgerRow] = [], in db: Database
    ) throws -> PersonalWishes {
        var wishes = PersonalWishes()
        try wishes.readChannels(of: people, circles: circles, meeting: meeting, in: db)
        try wishes.readSuppressions(of: people, rows, in: db)
        (wishes.reminders, wishes.inboxes) = try PeopleBatches.choices(of: people, in: db)
        if try SendingHours.areSet(in: db) {
            for person in people {
                guard let reader = try ReaderHours.fetch(person, in: db) else { continue }
                wishes.hours[person] = reader.hours
                wishes.zones[person] = try reader.zone ?? Person.fetch(person, in: db)?.zone
            }
        }
        return wishes
    }
}

extension PersonalWishes {
    private mutating func readSuppressions(
        of people: [PersonID], _ rows: [LedgerRow], in db: Database
    ) throws {
        let list = try SuppressionList(in: db)
        guard !list.isEmpty else { return }
        var addresses = Set(
            rows.filter { $0.key.channel == SinkKind.mail.name }.map(\.key.address)
                + channels.compactMap(\.address))
        for person in people {
            guard let address = try Person.fetch(person, in: db)?.address else { continue }
            addresses.insert(address)
            let listed = try list.entries(of: address, in: db)
            suppressions.people[person] = listed.isEmpty ? nil : listed
        }
        for address in addresses {
            let listed = try list.entries(of: address, in: db)
            suppressions.mail[address] = listed.isEmpty ? nil : listed
        }
    }

    private mutating func readChannels(
        of people: [PersonID], circles: [CircleID], meeting: MeetingID?, in db: Database
    ) throws {
        let records = try ChannelRows.fetch(
            of: people, circles: circles.map(\.text), meeting: meeting, in: db)
        channels = records.map(\.channel)
        for record in records {
            guard let name = record.channel.receiver.audience else { continue }
            let audience = Audience(
                name: name,
                members: try Audience(name: name).circle.map {
                    try CircleID(text: $0).everybody(in: db)
                })
            audiencesSince[audience] = min(
                audiencesSince[audience] ?? record.addedAt, record.addedAt)
        }
    }
}

extension PersonalPolicy {
    static func fetch(_ person: PersonID, in db: Database) throws -> PersonalPolicy {
        var policy = PersonalPolicy(
            reminders: try PeopleBatches.choices(of: [person], in: db).reminders[person],
            hours: try SendingHours.fetchOwn(person, in: db),
            digest: try String.fetchOne(
                db.cachedStatement(
                    sql: "SELECT period FROM digest_policy WHERE person_id = :id"),
                arguments: ["id": person.text]
            ).map { try StoredValue.decode($0) })
        policy.showsBirthdays = try !person.hidesBirthdays(in: db)
        return policy
    }

    private func saveDigest(of person: PersonID, in db: Database) throws {
        guard let digest else {
            return try db.execute(
                sql: "DELETE FROM digest_policy WHERE person_id = :id",
                arguments: ["id": person.text])
        }
        try db.execute(
            sql: """
                INSERT INTO digest_policy (person_id, period) VALUES (:id, :period)
                ON CONFLICT (person_id) DO UPDATE SET period = :period
                """, arguments: ["id": person.text, "period": digest.rawValue])
    }

    fileprivate func save(of person: PersonID, in db: Database) throws {
        try saveDigest(of: person, in: db)
        try db.execute(
            sql: "UPDATE person SET hides_birthdays = :hides WHERE id = :id",
            arguments: ["hides": !showsBirthdays, "id": person.text])
        if let reminders {
            try db.execute(
                sql: """
                    INSERT INTO reminder_policy (person_id, offsets) VALUES (:id, :offsets)
                    ON CONFLICT (person_id) DO UPDATE SET offsets = :offsets
                    """, arguments: ["id": person.text, "offsets": Spans.encode(reminders)])
        } else {
            try db.execute(
                sql: "DELETE FROM reminder_policy WHERE person_id = :id",
                arguments: ["id": person.text])
        }
        guard let hours else {
            return try db.execute(
                sql: "DELETE FROM sending_hours WHERE person_id = :id",
                arguments: ["id": person.text])
        }
        try db.execute(
            sql: """
                INSERT INTO sending_hours (person_id, quiet, windows)
                VALUES (:id, :quiet, :windows)
                ON CONFLICT (person_id) DO UPDATE SET quiet = :quiet, windows = :windows
                """,
            arguments: [
                "id": person.text, "quiet": WeekSpans.encode(hours.quiet),
                "windows": WeekSpans.encode(hours.windows),
            ])
    }
}
