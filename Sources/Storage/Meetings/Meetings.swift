public import Agenda
import Foundation
import GRDB
public import Ledger
public import Timekeeping

/// A meeting with all that planning needs to decide about it.
public struct MeetingBundle: Sendable {
    /// The meeting.
    public var meeting: Meeting
    /// Its people in the order in which they were invited, those who were uninvited among them.
    public var participants: [Participant]
    /// The persons behind them, by id.
    public var people: [PersonID: Person]
    /// What of their own wishes holds for them.
    public var wishes: PersonalWishes
    /// The SEQUENCE of the meeting, whichever of its dates is looked at.
    public let sequenceTold: Int
    /// All rows of the ledger for it.
    public var rows: [LedgerRow]
    /// The latest end that it ever had.
    public var lastEndsAt: Moment?
    /// The first start that each revision told, of the latest ones.
    public var toldStarts: [Int: Moment] = [:]
    /// What its revision told when it was new, where the meeting was changed since without a word;
    /// else `nil`.
    public var toldFacts: MeetingFacts?
    /// Further reminders that people asked for.
    public var snoozes: [PersonID: Snooze] = [:]
    /// The audiences that have channels of their own.
    public var audiences: [Audience] = []
    /// What people said to single dates of a series, and who was asked to them or taken off them.
    public var dateParticipants: [String: [Participant]] = [:]
    /// The circles whose people were asked as such, by the names of the dates to which they were;
    /// under an empty name those that were asked to all of it.
    public var circlesAsked: [String: Set<CircleID>] = [:]
    /// The state of the meeting when somebody began to be told of all that happens, where that was
    /// after the first.
    public var revisionBeforeTelling: Int?

    /// Puts a bundle together: a new meeting has no rows and no history.
    public init(
        meeting: Meeting, participants: [Participant], people: [PersonID: Person],
        wishes: PersonalWishes = PersonalWishes(), rows: [LedgerRow] = [],
        lastEndsAt: Moment? = nil, dateParticipants: [String: [Participant]] = [:]
    ) {
        self.meeting = meeting
        sequenceTold = meeting.sequence
        self.participants = participants
        self.people = people
        self.wishes = wishes
        self.rows = rows
        self.lastEndsAt = lastEndsAt
        self.dateParticipants = dateParticipants
        audiences = wishes.audiencesSince.keys.sorted { $0.name < $1.name }
    }

    /// The SEQUENCE of the meeting as somebody knows it: taken off it and asked again, they hear of
    /// two changes that others do not.
    public func sequence(for person: PersonID) -> Int {
        (meeting.series?.sequence ?? meeting.sequence) + 2 * rounds(of: person)
    }

    /// The highest SEQUENCE that they can know: changes of single dates of a series raise it, too.
    public func sequenceMax(for person: PersonID) -> Int {
        sequenceTold + 2 * rounds(of: person)
    }

    private func rounds(of person: PersonID) -> Int {
        let own = rows.map(\.key.notification).filter {
            $0.receiver == .person(person.text) && (meeting.series == nil || $0.occurrence.isEmpty)
        }
        return own.map(\.round).max() ?? 0
    }
}

/// An entry of a meeting's history: who did what, and the facts from then on.
public struct MeetingAct: Equatable, Sendable {
    /// What was done.
    public enum Deed: String, Sendable {
        /// The meeting was made.
        case created
        /// Some fact was changed.
        case edited
        /// It was given another time.
        case moved
        /// It was called off.
        case cancelled
        /// People were asked to it.
        case invited
        /// People were taken off it.
        case uninvited
    }
    /// What was done.
    public let deed: Deed
    /// Who did it.
    public let actor: PersonID
    /// When.
    public let at: Moment
    /// Whether nobody was told.
    public let isQuiet: Bool
    /// Of which date of a series; `nil` for the whole.
    public let date: SeriesDate?

    /// Describes an act.
    public init(
        _ deed: Deed, by actor: PersonID, at: Moment, isQuiet: Bool = false,
        on date: SeriesDate? = nil
    ) {
        self.date = date
        self.deed = deed
        self.actor = actor
        self.at = at
        self.isQuiet = isQuiet
    }
}

/// What a use case makes of a meeting: the new facts and the ledger's difference, saved together.
public struct MeetingRevision: Sendable {
    /// The meeting as it shall be.
    public var meeting: Meeting
    /// Its people as they shall be.
    public var participants: [Participant]
    /// Those who are otherwise on single dates of a series, as they shall be; `nil` where they stay
    /// as they are.
    public var dateParticipants: [String: [Participant]]?
    /// The date of a series that was changed; `nil` for the whole.
    public var date: SeriesDate?
    /// To what the people of circles are asked as such, as ``MeetingBundle/circlesAsked``; `nil`
    /// where that stays as it is.
    public var circlesAsked: [String: Set<CircleID>]?
    /// The persons behind them, those of them who are new too.
    public var people: [PersonID: Person]
    /// Persons who are new to the installation.
    public var guests: [Person] = []
    /// What was done, for the history; `nil` for what history does not hold, such as an answer.
    public var act: MeetingAct?
    /// What changes in the ledger.
    public var difference: LedgerDifference
    /// Why rows are superseded.
    public var reason: String
    /// What people asked to be reminded of once more.
    public var snoozes: [PersonID: Snooze] = [:]
    /// What goes on in place of the rest of a series: a meeting that is made with it.
    public var continued: [MeetingRevision] = []
    /// The text that the added rows carry, with its author.
    public var body: (author: PersonID, text: String)?
    /// Which notifications it was written for; `nil` for all that bring one.
    public var bodyKeys: Set<NotificationKey>?
    /// What its author ought to know of it, in sentences.
    public var remarks: [String] = []
    /// The clock.
    public var now: Moment

    /// Describes a revision.
    public init(
        meeting: Meeting, participants: [Participant], people: [PersonID: Person],
        guests: [Person] = [],
        act: MeetingAct? = nil, difference: LedgerDifference, reason: String,
        body: (author: PersonID, text: String)? = nil,
        bodyKeys: Set<NotificationKey>? = nil, now: Moment
    ) {
        self.meeting = meeting
        self.participants = participants
        self.people = people
        self.guests = guests
        self.act = act
        self.difference = difference
        self.reason = reason
        self.body = body
        self.bodyKeys = bodyKeys
        self.now = now
    }
}

extension Store {
    /// Makes a meeting, unless the organizer made one with this request key before: then that one
    /// is returned, and nothing is saved.
    ///
    /// `decide` gets the wishes of the people it names, and returns what is to be saved. It is
    /// asked with those that were known before, so that the transaction, for which all others wait,
    /// has nothing to decide; and again where they are others by then.
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
            try CircleID.note(circles, on: "", of: revision.meeting.id, in: db)
            return (revision, true)
        }
        return saving ? try await write(body) : try await read(body)
    }

    /// The meeting that an organizer made with this request key, as a revision that changes
    /// nothing.
    public func madeMeeting(
        requestKey: String, organizer: PersonID
    ) async throws -> MeetingRevision? {
        try await read { db in
            try MeetingBundle.fetch(requestKey: requestKey, organizer: organizer, in: db)?.unrevised
        }
    }

    /// Loads a meeting, lets `decide` say what becomes of it, and saves that, all in one
    /// transaction. Without `saving`, nothing is saved: a preview. The bundle also knows the
    /// persons and wishes of `people`, who may join, as people of `circles`.
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
            return revision
        }
        return saving ? try await write(body) : try await read(body)
    }

    /// The meeting with its people and its rows.
    public func meetingBundle(_ id: MeetingID) async throws -> MeetingBundle? {
        try await read { db in try MeetingBundle.fetch(id, in: db) }
    }

    /// Meetings with all that decides about them, all as of one moment; one that is not there is
    /// left out.
    public func meetingBundles(_ ids: [MeetingID]) async throws -> [MeetingBundle] {
        try await read { db in try ids.compactMap { try MeetingBundle.fetch($0, in: db) } }
    }
}

extension MeetingBundle {
    /// The bundle as a revision that changes nothing.
    var unrevised: MeetingRevision {
        var difference = LedgerDifference()
        difference.unchanged = rows.filter(\.state.isOpen)
        return MeetingRevision(
            meeting: meeting, participants: participants, people: people,
            difference: difference, reason: "", now: meeting.time.startsAt)
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
        let dated = Set(people.keys).subtracting(participants.map(\.person))
        let ids = participants.map(\.person) + dated.sorted { $0.text < $1.text } + newcomers
        for newcomer in newcomers where people[newcomer] == nil {
            people[newcomer] = try Person.fetch(newcomer, in: db)
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
        try bundle.readRevisions(in: db)
        try bundle.readAudiences(in: db)
        bundle.snoozes = try Snooze.fetchAll(of: id, in: db)
        bundle.dateParticipants = try Participant.fetchDates(of: meeting, in: db)
        if !circles.isEmpty { bundle.circlesAsked = try CircleID.askings(to: id, in: db) }
        return bundle
    }

    /// The latest end that a meeting ever had; `nil` where it has no history. What a series was in
    /// entries that do not say it may have had no end.
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

    /// What was told before an audience came to be is not told to it.
    private mutating func readAudiences(in db: Database) throws {
        revisionBeforeTelling = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT told_since FROM installation WHERE id = 1 AND told_since IS NOT NULL")
        ).flatMap { try revision(toldBefore: Moment(milliseconds: $0), in: db) }
        audiences = try wishes.audiencesSince.map { audience, since in
            // A channel of the meeting cannot be there before it.
            guard audience.meeting == nil else { return audience }
            return Audience(
                name: audience.name, revisionKnown: try revision(toldBefore: since, in: db),
                members: audience.members)
        }.sorted { $0.name < $1.name }
    }

    /// The last revision before a time; `nil` where nobody had been asked by then.
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

    /// How many revisions are looked back at, to know what people were told.
    private static let toldRevisionsMax = 100

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
        // Each revision but the first began with a change that was told.
        let changes = rows.first.map { $0["changes"] as Int } ?? 0
        guard changes > (meeting.revision > 1 ? 1 : 0) else { return }
        toldFacts = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT * FROM meeting_history
                    WHERE meeting_id = :id AND revision = :revision AND occurrence = ''
                    ORDER BY number LIMIT 1
                    """), arguments: ["id": meeting.id.text, "revision": meeting.revision]
        ).map { try MeetingFacts(history: $0) }
    }
}
