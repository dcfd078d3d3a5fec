public import Agenda
import GRDB
import Ledger
import Timekeeping

/// What the letters of one meeting share that are begun together: the same object in all of them.
public final class DeliveryFacts: Sendable {
    /// About what.
    public let meeting: Meeting
    /// Who plans it.
    public let organizer: Person
    /// How many come.
    public let turnout: Turnout
    /// The names of the first who come, with how many they bring; dots where there are more.
    public let going: [String]
    /// The entry of the meeting's history whose facts these are.
    let historyNumber: Int
    /// When it would be by the rule, where the meeting is one date of a series.
    let regularTime: MeetingTime?

    /// The most names.
    static let namesMax = 30

    init(
        meeting: Meeting, organizer: Person, turnout: Turnout, going: [String],
        historyNumber: Int, regularTime: MeetingTime? = nil
    ) {
        self.meeting = meeting
        self.organizer = organizer
        self.turnout = turnout
        self.going = going
        self.historyNumber = historyNumber
        self.regularTime = regularTime
    }
}

/// All that is needed to write one delivery out: to whom, about what, and what was said before.
public struct Delivery: Sendable {
    /// The delivery's number.
    public let id: Int64
    /// Its row.
    public let row: LedgerRow
    /// Attempts that count against the channel's schedule, the one that is begun included.
    public let attempts: Int
    /// To whom.
    public let person: Person
    /// About what, planned by whom, with whom; `nil` for what is about no meeting.
    public let facts: DeliveryFacts?
    /// The facts of which the person was told last; `nil` when they were told nothing yet.
    public let before: MeetingFacts?
    /// What somebody wrote for this delivery: a message, the note of a nudge. Of what is about no
    /// meeting, all of it.
    public let body: String?
    /// Of a letter about a whole series, the dates to which its person is not asked, by name.
    public internal(set) var absences: Set<String> = []
    /// What somebody answered, where that is what it tells.
    public internal(set) var answered: GuestAnswer?
    /// The links that it brings.
    public internal(set) var links = DeliveryLinks()
    /// Where its channel leads, where that is one of somebody's own.
    public internal(set) var target: ChannelTarget?
    /// That its channel is closed, where a receiver said so.
    public internal(set) var closure: ChannelClosure?
    /// Where its person stands, where that was asked for.
    public internal(set) var standing = RecipientStatus.new
}

extension Delivery {
    /// Whom it is for: who was merged is who they became.
    var receiver: Receiver { row.key.notification.receiver.now(person) }

    /// How often its person had been taken off the meeting and asked again, of which others do not
    /// hear: what tells how the meeting stands says it itself.
    public var rounds: Int {
        row.key.notification.kind.isNews ? row.key.notification.round : standing.rounds
    }
}

extension Receiver {
    /// Whether it is all who take part in one meeting: they are called by its title.
    fileprivate var isOfMeeting: Bool {
        audience.map { Audience(name: $0).meeting != nil } ?? false
    }

    /// The same, where its person is another one now.
    fileprivate func now(_ person: Person) -> Receiver {
        audience == nil ? .person(person.id.text) : self
    }

    /// What holds for the rows `d` of the ledger that are for it; its text is `:receiver`. Each
    /// form uses an index of its own.
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

/// Why a letter cannot be put together.
enum DeliveryFault: Error, CustomStringConvertible {
    case factsMissing

    var description: String { "its meeting or its person is missing" }
}

/// A delivery as its row tells it, before its letter is put together.
struct DeliveryHead {
    let id: Int64
    let row: LedgerRow
    /// Attempts so far.
    let tried: Int
    /// Those of them that count against the channel's schedule.
    let counted: Int
    /// Whether nobody sends it, and it waits.
    let isFree: Bool
    /// Whether its person has at least ``FloodGuard/rowsMin`` rows and unanswered attempts of its
    /// meeting.
    let isOneOfMany: Bool
    /// Whether its person has other rows of its meeting.
    let isOneOfSeveral: Bool
    let body: String?
    /// To whom; `nil` when they are missing.
    let person: Person?
}

/// Puts letters together; letters of one meeting share what is read of it.
struct DeliveryLoader: Sendable {
    private var facts: [String: Result<DeliveryFacts, any Error>] = [:]
    /// Those of single dates of series, by the meeting and the name of the date.
    private var datedFacts: [[String]: DeliveryFacts] = [:]
    /// Who is otherwise on single dates of series.
    private var absent: [MeetingID: [String: [Participant]]] = [:]
    private let zones: ZoneDirectory
    private var drafts: [Int64: Result<DeliveryHead, any Error>]
    /// The last turn of the ledger when the drafts were read.
    private let turnMark: Int64

    /// Reads these deliveries, and what their letters tell of their meetings, whose dates follow
    /// from the rules of their zones.
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

    /// Whether all that was read still holds: none of the deliveries has turned since, and none of
    /// the meetings tells other facts.
    ///
    /// How many come may be another number by now. It could be a moment after the letter has gone,
    /// too.
    func isCurrent(in db: Database) throws -> Bool {
        guard try lastTurns(in: db).allSatisfy({ drafts[$0] == nil }) else { return false }
        let numbers = try LedgerBatches.historyNumbers(of: facts.keys, in: db)
        return facts.allSatisfy { meeting, facts in
            (try? facts.get()).map { numbers[meeting] == $0.historyNumber } ?? true
        }
    }

    /// The deliveries that have turned since the drafts were read; one that is there says that they
    /// are too many to look at.
    private func lastTurns(in db: Database) throws -> [Int64] {
        let turned = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT delivery_id FROM delivery_turn WHERE id > :mark ORDER BY id LIMIT :limit
                    """), arguments: [turnMark, Self.turnsMax])
        return turned.count < Self.turnsMax ? turned : Array(drafts.keys)
    }

    /// The most turns that are compared with what was read.
    private static let turnsMax = 1000

    private static func lastTurn(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM delivery_turn")) ?? 0
    }

    /// A row changed that may have been read and is another one's.
    mutating func forgetDrafts() {
        drafts = [:]
    }

    /// A delivery's row; `nil` when there is no such delivery.
    func draft(_ id: Int64, in db: Database) throws -> DeliveryHead? {
        try (drafts[id] ?? LedgerBatches.drafts(of: [id], in: db)[id])?.get()
    }

    /// The letter of a delivery before its attempt is begun.
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
            // Most meetings never change: then nobody was told otherwise.
            before: facts.historyNumber > 1
                ? try MeetingFacts.lastTold(
                    to: key.receiver.now(person), of: facts, on: key.occurrence,
                    byAnything: key.kind == .cancellation, in: db) : nil,
            body: draft.body)
        if facts.meeting.series != nil, key.occurrence.isEmpty {
            delivery.absences = try absences(of: person.id, from: facts.meeting, in: db)
        }
        if key.kind.tellsOfGuest, let mark = AnswerMark(key.mark) {
            delivery.answered = try Person.fetch(mark.guest, in: db).map {
                GuestAnswer(name: $0.name, answer: mark.answer, plus: mark.plus)
            }
        }
        return delivery
    }

    /// Records that the letter is about to be sent by a worker, with the entry of the meeting's
    /// history whose facts it tells.
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

/// Where a letter's person stands with its meeting.
public struct RecipientStatus: Equatable, Sendable {
    /// The name of the first delivery that arrived of those which tell them of it by the same way;
    /// `nil` where the letter is the first.
    public let root: String?
    /// What they answered last.
    public let answer: Answer
    /// How often they were taken off the meeting and told so.
    let rounds: Int
    /// Who else is asked, where that was asked for.
    public internal(set) var others: [DeliveryGuest] = []

    /// Somebody who hears of it for the first time.
    public static let new = RecipientStatus(root: nil, answer: .invited, rounds: 0)
}

/// Somebody who is asked to the meeting of a letter.
public struct DeliveryGuest: Equatable, Sendable {
    /// The name.
    public let name: String
    /// The mail address; never empty.
    public let address: String
    /// What they answered last.
    public let answer: Answer

    /// The most that a letter names.
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
                            name: person.name, address: person.address, answer: participant.answer)
                }
            }.prefix(countMax).map(\.self)
    }
}

extension Store {
    /// The same letters, which know where their persons stand; as somebody new where one is about
    /// no meeting.
    ///
    /// - Parameters:
    ///   - deliveries: the letters.
    ///   - withOthers: whether they are to know who else is asked.
    /// - Returns: the letters.
    /// - Throws: ``StoreError``.
    public func standing(_ deliveries: [Delivery], withOthers: Bool = false) async throws
        -> [Delivery]
    {
        try await read { db in
            let found = try LedgerBatches.standing(of: deliveries.map(\.id), in: db)
            return try deliveries.map { delivery in
                guard delivery.row.key.notification.kind.isAboutMeeting else { return delivery }
                var delivery = delivery
                delivery.standing = RecipientStatus(
                    root: found[delivery.id]?.root, answer: found[delivery.id]?.answer ?? .invited,
                    rounds: try Self.rounds(of: delivery, in: db))
                if withOthers, let meeting = delivery.facts?.meeting.id {
                    delivery.standing.others = try DeliveryGuest.fetchAll(
                        of: meeting, besides: delivery.person.id, in: db)
                }
                return delivery
            }
        }
    }

    /// Most meetings never change: then nobody was taken off them.
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
        return marks.map { NotificationKey.round(ofMark: $0) }.max() ?? 0
    }
}
