public import Agenda
import Foundation
import GRDB
public import Ledger
import Timekeeping

extension Store {
    /// Creates a meeting. If the organizer already created one with this request key, that one is
    /// returned and nothing is saved.
    ///
    /// `decide` receives the preferences of `people` and returns the revision to save. It is called
    /// with `wishes` before the transaction, so that the transaction, for which all others wait,
    /// has nothing to decide. It is called again inside only if the preferences have changed by
    /// then.
    public func createMeeting(
        requestKey: String?, organizer: PersonID, people: [PersonID], circles: [CircleID],
        wishes: PersonalWishes, saving: Bool,
        decide: @escaping @Sendable (_ wishes: PersonalWishes) throws -> MeetingRevision
    ) async throws -> (revision: MeetingRevision, isNew: Bool) {
        let foreseen = Result { try decide(wishes) }
        let body: @Sendable (Database) throws -> (MeetingRevision, Bool) = { db in
            if let requestKey,
                let known = try MeetingBundle.fetch(
                    requestKey: requestKey, organizer: organizer, in: db)
            {
                return (known.unrevised, false)
            }
            try Person.checkAreThere(people, in: db)
            let wishesNow = try PersonalWishes.fetch(people, circles: circles, in: db)
            let revision = try wishesNow == wishes ? foreseen.get() : decide(wishesNow)
            guard saving else { return (revision, true) }
            try Person.insertGuests(revision.guests, now: revision.now, in: db)
            try revision.meeting.insert(requestKey: requestKey, now: revision.now, in: db)
            try revision.save(besides: [], in: db)
            try revision.noteOpenNews(after: nil, in: db)
            try revision.organizerLimit?.check(in: db)
            try CircleID.note(circles, on: "", of: revision.meeting.id, in: db)
            return (revision, true)
        }
        return saving ? try await write(body) : try await read(body)
    }

    /// The meeting that an organizer created with this request key, as a revision without changes.
    public func madeMeeting(
        requestKey: String, organizer: PersonID
    ) async throws -> MeetingRevision? {
        try await read { db in
            try MeetingBundle.fetch(requestKey: requestKey, organizer: organizer, in: db)?.unrevised
        }
    }

    /// Loads a meeting, calls `decide`, and saves the revision it returns, all in one transaction.
    /// If `saving` is false, nothing is saved and the result is a preview. The bundle also contains
    /// the persons and preferences of `people`, who may join as members of `circles`.
    public func reviseMeeting(
        _ id: MeetingID, joining people: [PersonID] = [], of circles: [CircleID] = [],
        saving: Bool,
        decide: @escaping @Sendable (MeetingBundle) throws -> MeetingRevision
    ) async throws -> MeetingRevision? {
        let body: @Sendable (Database) throws -> MeetingRevision? = { db in
            let bundle = try MeetingBundle.fetch(id, joining: people, of: circles, in: db)
            guard let bundle else { return nil }
            try Person.checkAreThere(people, in: db)
            let revision = try decide(bundle)
            guard saving else { return revision }
            try Person.insertGuests(revision.guests, now: revision.now, in: db)
            try revision.replace(bundle, in: db)
            try CircleID.note(circles, on: revision.date?.name ?? "", of: id, in: db)
            for next in revision.continued { try next.insertRest(in: db) }
            try revision.organizerLimit?.check(in: db)
            return revision
        }
        return saving ? try await write(body) : try await read(body)
    }

    /// The meeting with its people and its rows.
    public func meetingBundle(_ id: MeetingID) async throws -> MeetingBundle? {
        try await read { db in try MeetingBundle.fetch(id, in: db) }
    }

    /// The meeting with its people, without what only planning needs: rows, preferences, history.
    public func meetingFacts(_ id: MeetingID) async throws -> MeetingBundle? {
        try await read { db in
            guard let meeting = try Meeting.fetch(id, in: db) else { return nil }
            var bundle = MeetingBundle(
                meeting: meeting, participants: try Participant.fetchAll(of: id, in: db),
                people: try Person.fetchAll(of: id, in: db),
                dateParticipants: try Participant.fetchDates(of: meeting, in: db))
            bundle.joinRequests = try JoinRequest.fetchAll(of: meeting, in: db)
            if !bundle.joinRequests.isEmpty {
                bundle.people.merge(try Person.fetchAskers(of: id, in: db)) { known, _ in known }
            }
            return bundle
        }
    }

    /// The bundles of several meetings, read in one transaction. Missing meetings are left out.
    public func meetingBundles(_ ids: [MeetingID]) async throws -> [MeetingBundle] {
        try await read { db in try ids.compactMap { try MeetingBundle.fetch($0, in: db) } }
    }
}

extension MeetingBundle {
    /// The bundle as a revision without changes.
    var unrevised: MeetingRevision {
        var difference = LedgerDifference()
        difference.unchanged = rows.filter(\.state.isOpen)
        var revision = MeetingRevision(
            meeting: meeting, participants: participants, people: people,
            difference: difference, reason: "", now: meeting.time.startsAt)
        revision.joinRequests = joinRequests
        return revision
    }

    static func fetch(
        requestKey: String, organizer: PersonID, in db: Database
    ) throws -> MeetingBundle? {
        let id = try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT id FROM meeting WHERE organizer_id = :organizer AND request_key = :key"
            ),
            arguments: ["organizer": organizer.text, "key": requestKey])
        return try id.flatMap { try fetch(MeetingID(text: $0), in: db) }
    }

    static func fetch(
        _ id: MeetingID, joining newcomers: [PersonID] = [], of circles: [CircleID] = [],
        in db: Database
    ) throws -> MeetingBundle? {
        guard let meeting = try Meeting.fetch(id, in: db) else { return nil }
        let participants = try Participant.fetchAll(of: id, in: db)
        var people = try Person.fetchAll(of: id, in: db)
        let requests = try JoinRequest.fetchAll(of: meeting, in: db)
        let dated = Set(people.keys).subtracting(participants.map(\.person))
        let ids = participants.map(\.person) + dated.sorted { $0.text < $1.text } + newcomers
        for newcomer in newcomers where people[newcomer] == nil {
            people[newcomer] = try Person.fetch(newcomer, in: db)
        }
        if !requests.isEmpty {
            people.merge(try Person.fetchAskers(of: id, in: db)) { known, _ in known }
        }
        let rows = try LedgerRow.fetchAll(of: id, in: db)
        let circles = try CircleID.asked(to: id, besides: circles, in: db)
        var bundle = MeetingBundle(
            meeting: meeting, participants: participants,
            people: people,
            wishes: try PersonalWishes.fetch(
                ids, circles: circles, of: id, rows: rows, in: db),
            rows: rows,
            lastEndsAt: try latestEnd(of: id, in: db))
        try bundle.readAudiences(in: db)
        bundle.snoozes = try Snooze.fetchAll(of: id, in: db)
        bundle.dateParticipants = try Participant.fetchDates(of: meeting, in: db)
        bundle.joinRequests = requests
        try bundle.readRevisions(in: db)
        if !circles.isEmpty { bundle.circlesAsked = try CircleID.askings(to: id, in: db) }
        return bundle
    }

    /// The latest end that a meeting ever had; `nil` if it has no history. Old entries do not
    /// record the end of a series, so a series in them counts as endless.
    private static func latestEnd(of id: MeetingID, in db: Database) throws -> Moment? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(coalesce(
                        all_end_at, CASE WHEN repetition IS NULL THEN ends_at ELSE :endless END))
                    FROM meeting_history WHERE meeting_id = :id
                    """),
            arguments: ["id": id.text, "endless": Series.endless.milliseconds]
        ).map(Moment.init(milliseconds:))
    }

    /// Reads the audiences. Revisions announced before the first channel of an audience was added
    /// are not sent to it.
    private mutating func readAudiences(in db: Database) throws {
        revisionBeforeTelling = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT told_since FROM installation WHERE id = 1 AND told_since IS NOT NULL")
        ).flatMap { try revision(toldBefore: Moment(milliseconds: $0), in: db) }
        audiences = try wishes.audiencesSince.map { audience, since in
            // A channel of the meeting itself cannot be older than the meeting.
            guard audience.meeting == nil else { return audience }
            return Audience(
                name: audience.name, revisionKnown: try revision(toldBefore: since, in: db),
                members: audience.members)
        }.sorted { $0.name < $1.name }
    }

    /// The last revision before a time; `nil` if nobody had been invited by then.
    private func revision(toldBefore since: Moment, in db: Database) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(h.revision) FROM meeting_history h
                    WHERE h.meeting_id = :id AND h.at < :since AND EXISTS (
                        SELECT 1 FROM delivery d
                        WHERE d.meeting_id = :id AND d.kind = 'invitation'
                            AND coalesce(
                                d.planned_at, (
                                    SELECT min(t.at) FROM delivery_turn t
                                    WHERE t.delivery_id = d.id)) < :since)
                    """), arguments: ["id": meeting.id.text, "since": since.milliseconds])
    }

    /// The maximum number of past revisions to read, to find the facts that people know.
    private static let toldRevisionsMax = 100

    /// The maximum number of entries of the history to read, to find the facts that people know.
    private static let pastEntriesMax = 1000

    /// Reads the digests of the facts that revisions told. Entries that repeat the one before are
    /// left out: there may be one for each person who was invited. In the first revision, only
    /// dates may have been changed quietly.
    private mutating func readPastFacts(in db: Database) throws {
        guard meeting.revision > 1 || meeting.series?.changes.isEmpty == false else { return }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT h.revision, h.occurrence, h.whole_digest, h.facts_digest,
                        h.is_announced, h.tells_texts
                    FROM meeting_history h
                    WHERE h.meeting_id = :id AND NOT EXISTS (
                        SELECT 1 FROM meeting_history b
                        WHERE b.meeting_id = :id AND b.number = h.number - 1
                            AND b.revision = h.revision AND b.occurrence = h.occurrence
                            AND b.whole_digest = h.whole_digest
                            AND b.facts_digest = h.facts_digest
                            AND b.is_announced = h.is_announced
                            AND b.tells_texts = h.tells_texts)
                    ORDER BY h.number DESC LIMIT :limit
                    """), arguments: ["id": meeting.id.text, "limit": Self.pastEntriesMax + 1])
        let entries = rows.prefix { $0["whole_digest"] != nil }.map { row in
            PastFacts.Entry(
                revision: row["revision"], date: row["occurrence"], whole: row["whole_digest"],
                facts: row["facts_digest"], isAnnounced: row["is_announced"],
                tellsTexts: row["tells_texts"])
        }
        let isWhole = entries.count == rows.count && rows.count <= Self.pastEntriesMax
        // The oldest revision may have further entries.
        let oldest = entries.last?.revision
        pastFacts = PastFacts(
            entries.reversed().filter { isWhole || $0.revision != oldest }, isWhole: isWhole)
    }

    private mutating func readRevisions(in db: Database) throws {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT revision, min(starts_at) AS starts_at,
                        count(CASE WHEN act IN ('edited', 'moved') THEN 1 END) AS changes
                    FROM meeting_history
                    WHERE meeting_id = :id AND occurrence = ''
                    GROUP BY revision ORDER BY revision DESC LIMIT :limit
                    """), arguments: ["id": meeting.id.text, "limit": Self.toldRevisionsMax])
        toldStarts = Dictionary(
            rows.map { ($0["revision"], Moment(milliseconds: $0["starts_at"])) },
            uniquingKeysWith: min)
        try readDateStarts(in: db)
        try readPastFacts(in: db)
        // Every revision except the first began with a change that people were notified of.
        let changes = rows.first.map { $0["changes"] as Int } ?? 0
        try readUntold(isChanged: changes > (meeting.revision > 1 ? 1 : 0), in: db)
    }

    /// Reads the starts that revisions announced for the dates of a series that were changed.
    private mutating func readDateStarts(in db: Database) throws {
        guard meeting.series?.changes.isEmpty == false else { return }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT occurrence, revision, min(starts_at) AS starts_at
                    FROM meeting_history
                    WHERE meeting_id = :id AND occurrence <> '' AND is_quiet = 0
                    GROUP BY occurrence, revision ORDER BY revision DESC LIMIT :limit
                    """), arguments: ["id": meeting.id.text, "limit": Self.toldRevisionsMax])
        dateStarts = rows.reduce(into: [:]) { starts, row in
            starts[row["occurrence"], default: [:]][row["revision"]] = Moment(
                milliseconds: row["starts_at"])
        }
    }

    /// Reads what people were not told of the whole: since its revision, or since an earlier one if
    /// the news about later ones was withdrawn.
    private mutating func readUntold(isChanged: Bool, in db: Database) throws {
        let told = meeting.series?.revision ?? meeting.revision
        let since = min(told, revisionLeftBehind ?? told)
        guard isChanged || since < meeting.revision else { return }
        if isChanged { toldFacts = try firstFacts(since: meeting.revision, in: db) }
        hasUntoldTexts = try hasOtherTexts(since: told, in: db)
        hasTextsLeftBehind = try since < told && hasOtherTexts(since: since, in: db)
    }

    /// True if the title, the note or the link was edited since a revision was told.
    private func hasOtherTexts(since revision: Int, in db: Database) throws -> Bool {
        let first = try firstFacts(since: revision, in: db)
        guard first.map({ $0.title == meeting.title }) ?? true else { return true }
        let states = try lastStates(since: revision, in: db)
        let facts = try states.map { try MeetingFacts(history: $0) }
        // The history does not contain notes and links. So if two entries in a row have the same
        // facts, the second one is an edit of the note or the link, unless it told texts.
        return zip(states.dropFirst(), zip(facts, facts.dropFirst())).contains {
            $0["act"] == "edited" && !($0["tells_texts"] as Bool)
                && !$1.0.isElsewhere(than: $1.1) && $1.0.title == $1.1.title
        }
    }

    /// The facts of the whole that the first entry since a revision holds.
    private func firstFacts(since revision: Int, in db: Database) throws -> MeetingFacts? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT * FROM meeting_history
                    WHERE meeting_id = :id AND revision >= :revision AND occurrence = ''
                    ORDER BY number LIMIT 1
                    """),
            arguments: ["id": meeting.id.text, "revision": revision]
        ).map { try MeetingFacts(history: $0) }
    }

    /// The last entries about the whole since a revision, the oldest first.
    private func lastStates(since revision: Int, in db: Database) throws -> [Row] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM meeting_history
                    WHERE meeting_id = :id AND revision >= :revision AND occurrence = ''
                    ORDER BY number DESC LIMIT :limit
                    """),
            arguments: [
                "id": meeting.id.text, "revision": revision, "limit": Self.toldRevisionsMax,
            ]
        ).reversed()
    }
}
