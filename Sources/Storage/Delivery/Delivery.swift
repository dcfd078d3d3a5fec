public import Agenda
import GRDB
import Ledger
public import Timekeeping

/// The facts about a meeting that deliveries begun together share: one object for all of them.
public final class DeliveryFacts: Sendable {
    /// The meeting.
    public let meeting: Meeting
    /// The organizer.
    public let organizer: Person
    /// The numbers of answers.
    public let turnout: Turnout
    /// The names of the first guests who are going, with the number of people each brings; ends
    /// with an ellipsis if there are more.
    public let going: [String]
    /// The start of the meeting that continues this series, if it was split in two.
    public let continuesAt: Moment?
    /// The number of the entry in the meeting's history that holds these facts.
    let historyNumber: Int
    /// The time by the recurrence rule, if the meeting is one occurrence of a series.
    let regularTime: MeetingTime?

    /// The most names in ``going``.
    static let namesMax = 30

    init(
        meeting: Meeting, organizer: Person, turnout: Turnout, going: [String],
        historyNumber: Int, regularTime: MeetingTime? = nil, continuesAt: Moment? = nil
    ) {
        self.meeting = meeting
        self.organizer = organizer
        self.turnout = turnout
        self.going = going
        self.historyNumber = historyNumber
        self.regularTime = regularTime
        self.continuesAt = continuesAt
    }
}

/// Everything needed to render one delivery: the receiver, the meeting, and the facts that the
/// receiver was notified of before.
public struct Delivery: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// The delivery's row.
    public let row: LedgerRow
    /// The number of attempts that count against the channel's retry schedule, including the one
    /// that is begun.
    public let attempts: Int
    /// The receiver.
    public let person: Person
    /// The facts about the meeting; `nil` if the delivery is about no meeting.
    public let facts: DeliveryFacts?
    /// The facts that the person was last notified of; `nil` if there was no earlier notification.
    public let before: MeetingFacts?
    /// The text that a person wrote for this delivery: a message, or the note of a nudge. For a
    /// delivery without a meeting, its whole text.
    public let body: String?
    /// The names of the dates to which the person is not invited, for a delivery about a whole
    /// series.
    public internal(set) var absences: Set<String> = []
    /// True for an invitation to a meeting, or a date, whose cancellation the receiver got before.
    public internal(set) var isOnAgain = false
    /// The guest's answer that this delivery reports, if it reports one.
    public internal(set) var answered: GuestAnswer?
    /// The links in the message.
    public internal(set) var links = DeliveryLinks()
    /// The target of the channel, for a channel added by a user.
    public internal(set) var target: ChannelTarget?
    /// The closure of the channel, if its receiver said that nothing more is to come.
    public internal(set) var closure: ChannelClosure?
    /// The receiver's status in the meeting, if requested.
    public internal(set) var standing = RecipientStatus.new
}

extension Delivery {
    /// The receiver; a merged person is replaced by the one they were merged into.
    var receiver: Receiver { row.key.notification.receiver.now(person) }

    /// The number of times the person was removed from the meeting and invited again. Other guests
    /// are not notified of that. For notifications about the meeting itself, the count is part of
    /// their key.
    public var rounds: Int {
        row.key.notification.kind.isNews ? row.key.notification.round : standing.rounds
    }
}

extension Receiver {
    /// True for an audience of all participants of one meeting; it is named after the meeting.
    fileprivate var isOfMeeting: Bool {
        audience.map { Audience(name: $0).meeting != nil } ?? false
    }

    /// The same receiver, with a merged person replaced by `person`.
    fileprivate func now(_ person: Person) -> Receiver {
        audience == nil ? .person(person.id.text) : self
    }

    /// The SQL condition for ledger rows `d` that are for this receiver; the parameter is
    /// `:receiver`. Each form uses its own index.
    var condition: String {
        switch self {
        case .person:
            """
            d.person_id IN (
                SELECT id FROM person WHERE id = :receiver OR merged_into = :receiver)
            """
        case .audience: "d.audience = :receiver"
        }
    }
}

/// Errors that keep a delivery from being loaded.
enum DeliveryFault: Error, CustomStringConvertible {
    case factsMissing

    var description: String { "its meeting or its person is missing" }
}

/// A delivery's row and receiver, before the facts about its meeting are added.
struct DeliveryHead {
    let id: Int64
    let row: LedgerRow
    /// The number of attempts so far.
    let tried: Int
    /// The number of attempts that count against the channel's retry schedule.
    let counted: Int
    /// True if the delivery waits and no worker is sending it.
    let isFree: Bool
    /// True if the person has at least ``FloodGuard/rowsMin`` rows and ambiguous attempts for the
    /// meeting.
    let isOneOfMany: Bool
    /// True if the person has other rows for the meeting.
    let isOneOfSeveral: Bool
    let body: String?
    /// The receiver; `nil` if the person is missing.
    let person: Person?
}

/// Loads deliveries; deliveries about one meeting share what is read about it.
struct DeliveryLoader: Sendable {
    private var facts: [String: Result<DeliveryFacts, any Error>] = [:]
    /// The facts about single dates of series, by meeting and name of the date.
    private var datedFacts: [[String]: DeliveryFacts] = [:]
    /// The participants that differ on single dates of series.
    private var absent: [MeetingID: [String: [Participant]]] = [:]
    private let zones: ZoneDirectory
    private var drafts: [Int64: Result<DeliveryHead, any Error>]
    /// The last state change in the ledger when the rows were read.
    private let turnMark: Int64

    /// Reads these deliveries and the facts about their meetings. `zones` are the time zone rules
    /// for the dates of series.
    init(reading ids: [Int64], by zones: ZoneDirectory, in db: Database) throws {
        self.zones = zones
        turnMark = try Self.lastTurn(in: db)
        drafts = try LedgerBatches.drafts(of: ids, in: db)
        facts = try LedgerBatches.facts(of: Set(meetings), in: db)
    }

    private var meetings: [String] {
        drafts.values.compactMap { draft in
            guard case .success(let draft) = draft, draft.isFree else { return nil }
            let key = draft.row.key.notification
            return key.kind.isAboutMeeting ? key.meeting : nil
        }
    }

    /// True if everything that was read is still valid: none of the deliveries has changed its
    /// state, and none of the meetings has new facts.
    ///
    /// The turnout may have changed. It could also change a moment after the delivery is sent, so
    /// it is not compared.
    func isCurrent(in db: Database) throws -> Bool {
        guard try lastTurns(in: db).allSatisfy({ drafts[$0] == nil }) else { return false }
        let numbers = try LedgerBatches.historyNumbers(of: facts.keys, in: db)
        return facts.allSatisfy { meeting, facts in
            (try? facts.get()).map { numbers[meeting] == $0.historyNumber } ?? true
        }
    }

    /// The deliveries whose state changed since the rows were read. If there are too many changes
    /// to check, all deliveries are returned.
    private func lastTurns(in db: Database) throws -> [Int64] {
        let turned = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT delivery_id FROM delivery_turn WHERE id > :mark ORDER BY id LIMIT :limit
                    """), arguments: [turnMark, Self.turnsMax])
        return turned.count < Self.turnsMax ? turned : Array(drafts.keys)
    }

    /// The most state changes that are compared with what was read.
    private static let turnsMax = 1000

    private static func lastTurn(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM delivery_turn")) ?? 0
    }

    /// Discards the rows that were read: another row changed that may be among them.
    mutating func forgetDrafts() {
        drafts = [:]
    }

    /// A delivery's row; `nil` if there is no such delivery.
    func draft(_ id: Int64, in db: Database) throws -> DeliveryHead? {
        try (drafts[id] ?? LedgerBatches.drafts(of: [id], in: db)[id])?.get()
    }

    /// The full delivery, before its attempt is begun.
    mutating func delivery(_ draft: DeliveryHead, in db: Database) throws -> Delivery {
        let key = draft.row.key.notification
        guard let person = draft.person else { throw DeliveryFault.factsMissing }
        guard key.kind.isAboutMeeting else {
            return Delivery(
                id: draft.id, row: draft.row, attempts: draft.counted + 1, person: person,
                facts: nil, before: nil, body: draft.body)
        }
        guard let facts = try facts(of: key, in: db) else { throw DeliveryFault.factsMissing }
        var delivery = Delivery(
            id: draft.id, row: draft.row, attempts: draft.counted + 1,
            person: key.receiver.isOfMeeting
                ? Person(id: person.id, name: facts.meeting.title) : person, facts: facts,
            // Most meetings never change: then there are no earlier facts to look up.
            before: facts.historyNumber > 1
                ? try MeetingFacts.lastTold(
                    to: key.receiver.now(person), of: facts, on: key.occurrence,
                    byAnything: key.kind == .cancellation, in: db) : nil,
            body: draft.body)
        if facts.meeting.series != nil, key.occurrence.isEmpty {
            delivery.absences = try absences(of: person.id, from: facts.meeting, in: db)
        }
        if key.kind == .invitation, key.round > 0 {
            delivery.isOnAgain = try MeetingFacts.wasToldOff(
                key.receiver.now(person), facts.meeting.id, on: key.occurrence, in: db)
        }
        if key.kind.tellsOfGuest, let mark = key.mark.answer {
            let guest =
                try Person.fetch(mark.guest, of: facts.meeting.id, in: db)
                ?? Person.fetch(mark.guest, in: db)
            delivery.answered = guest.map {
                GuestAnswer(name: $0.name, answer: mark.answer, plus: mark.plus)
            }
            if facts.turnout.outdated > 0 {
                delivery.answered?.answeredFor = try Participant.outdatedStart(
                    of: mark.guest, in: facts.meeting.id, on: key.occurrence, db)
            }
        }
        return delivery
    }

    /// Records that a worker is about to send the delivery, with the number of the entry in the
    /// meeting's history whose facts it contains.
    func appendIntent(
        for draft: DeliveryHead, by worker: Int64, now: Moment, in db: Database
    ) throws {
        let meeting = draft.row.key.notification.meeting
        try db.cachedStatement(
            sql: """
                INSERT INTO intent (delivery_id, worker_id, number, at, history_number)
                VALUES (:id, :worker, :number, :now, :history)
                """
        ).execute(arguments: [
            draft.id, worker, draft.tried + 1, now.milliseconds,
            try facts[meeting]?.get().historyNumber ?? 1,
        ])
    }
}

extension DeliveryLoader {
    private mutating func absences(
        of person: PersonID, from meeting: Meeting, in db: Database
    ) throws -> Set<String> {
        let dates = try absent[meeting.id] ?? Participant.fetchDates(of: meeting, in: db)
        absent[meeting.id] = dates
        return Set(
            dates.filter { $1.contains { $0.person == person && $0.isRemoved } }.keys)
    }

    private mutating func facts(of key: NotificationKey, in db: Database) throws -> DeliveryFacts? {
        let meeting = key.meeting
        if facts[meeting] == nil {
            facts.merge(try LedgerBatches.facts(of: [meeting], in: db)) { $1 }
        }
        guard let whole = try facts[meeting]?.get(), !key.occurrence.isEmpty else {
            return try facts[meeting]?.get()
        }
        if let known = datedFacts[[meeting, key.occurrence]] { return known }
        let dated = try whole.on(key.occurrence, by: zones, in: db)
        datedFacts[[meeting, key.occurrence]] = dated
        return dated
    }
}

/// The receiver's status in the meeting of a delivery.
public struct RecipientStatus: Equatable, Sendable {
    /// The name of the first delivered notification about the meeting to this person through the
    /// same channel; `nil` if this delivery is the first.
    public let root: String?
    /// The answer that holds for the present time of the meeting.
    public internal(set) var answer = Answer.invited
    /// Their last answer, if it was given for an old time of the meeting.
    public internal(set) var outdated: OutdatedAnswer?
    /// For a delivery about a whole series, their answers to single dates that hold for the present
    /// times, by the names of the dates.
    public internal(set) var dates: [String: Answer] = [:]
    /// The number of times they were removed from the meeting and notified of it.
    var rounds = 0
    /// The other guests, if requested.
    public internal(set) var others: [DeliveryGuest] = []

    /// The status of a person who is notified for the first time.
    public static let new = RecipientStatus(root: nil)
}

/// A guest of the meeting of a delivery.
public struct DeliveryGuest: Equatable, Sendable {
    /// The name.
    public let name: String
    /// The mail address; never empty.
    public let address: String
    /// The answer that holds for the present time of the meeting.
    public let answer: Answer

    /// The most guests in one delivery.
    static let countMax = 200

    static func fetchAll(
        of meeting: MeetingID, besides person: PersonID, in db: Database
    ) throws -> [DeliveryGuest] {
        let people = try Person.fetchAll(of: meeting, in: db)
        return try Participant.fetchAll(of: meeting, in: db).lazy
            .filter { !$0.isRemoved && $0.person != person }
            .compactMap { participant in
                people[participant.person].flatMap { person in
                    person.address.isEmpty
                        ? nil
                        : DeliveryGuest(
                            name: person.name, address: person.address,
                            answer: participant.presentAnswer)
                }
            }.prefix(countMax).map(\.self)
    }
}

extension Store {
    /// Adds the receivers' statuses to deliveries. A delivery about no meeting is returned
    /// unchanged.
    ///
    /// - Parameters:
    ///   - deliveries: the deliveries.
    ///   - withOthers: whether to add the other guests.
    /// - Returns: the deliveries.
    /// - Throws: ``StoreError``.
    public func standing(_ deliveries: [Delivery], withOthers: Bool = false) async throws
        -> [Delivery]
    {
        try await read { db in
            let found = try LedgerBatches.standing(of: deliveries.map(\.id), in: db)
            return try deliveries.map { delivery in
                guard delivery.row.key.notification.kind.isAboutMeeting else { return delivery }
                var delivery = delivery
                delivery.standing = found[delivery.id] ?? .new
                delivery.standing.rounds = try Self.rounds(of: delivery, in: db)
                if let meeting = delivery.facts?.meeting, meeting.series != nil,
                    delivery.row.key.notification.occurrence.isEmpty
                {
                    delivery.standing.dates = try Participant.dateAnswers(
                        of: delivery.person.id, in: meeting.id, db)
                }
                if withOthers, let meeting = delivery.facts?.meeting, delivery.showsNames {
                    delivery.standing.others = try DeliveryGuest.fetchAll(
                        of: meeting.id, besides: delivery.person.id, in: db)
                }
                return delivery
            }
        }
    }

    /// The number of times the receiver was removed from the meeting. Most meetings never change:
    /// then it is 0.
    private static func rounds(of delivery: Delivery, in db: Database) throws -> Int {
        let key = delivery.row.key.notification
        guard !key.kind.isNews, delivery.facts.map({ $0.historyNumber > 1 }) ?? false else {
            return 0
        }
        let marks = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.mark FROM delivery d
                    WHERE d.meeting_id = :meeting AND \(delivery.receiver.condition)
                        AND d.kind IN ('invitation', 'change', 'cancellation')
                        AND d.mark LIKE '%/%'
                    """), arguments: ["meeting": key.meeting, "receiver": delivery.receiver.text])
        return marks.map { NotificationMark(text: $0).news.round }.max() ?? 0
    }
}
