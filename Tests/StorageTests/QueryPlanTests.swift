import GRDB
import Interchange
import Ledger
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// Frequent statements reach their rows through an index, whatever the size of the tables. Each
/// statement is recorded while it runs, and its query plan is checked.
@Suite struct QueryPlanTests {
    private static let calls: [(name: String, call: @Sendable (Store) async throws -> Void)] = [
        ("due", { _ = try await $0.dueDeliveries(through: now, limit: 9) }),
        ("next due", { _ = try await $0.nextDue() }),
        (
            "begin",
            {
                _ = try await $0.beginAttempts(
                    [1], by: 1, dueAt: now, now: now, zones: ZoneDirectory())
            }
        ),
        (
            "standing",
            { store in
                _ = try await store.read { try LedgerBatches.standing(of: [1], in: $0) }
            }
        ),
        (
            "flood",
            { store in
                let flow = FloodWatch.Flow(meeting: "m", person: Person.anna.id)
                let row = LedgerRow(
                    key: DeliveryKey(
                        notification: NotificationKey(
                            meeting: "m", occurrence: "", person: "p", kind: .message, mark: ""),
                        channel: "stdout", address: "a@b"), state: .planned, due: now,
                    deadline: now)
                _ = try await store.read { db in
                    _ = try flow.companions(of: row, id: 1, now: now, in: db)
                    return try flow.arrivals(now: now, in: db)
                }
            }
        ),
        (
            "listed",
            { store in
                let entry = Suppression(address: "a@b", origin: .bounce, reason: "r", since: now)
                _ = try await store.suppress(entry, now: now, saving: true) { $0.unrevised }
                _ = try await store.read { try SuppressionList(in: $0).entries(of: "a@b", in: $0) }
                try await store.finishNothing()
            }
        ),
        ("finish", { try await $0.finishNothing() }),
        (
            "news",
            { _ = try await $0.ledgerNews(since: NewsMark(delivery: -1, turn: -1), through: now) }
        ),
        ("first to fold", { _ = try await $0.foldOutcomes(limit: 9) }),
        ("fold", { store in _ = try await store.write { try Fold.all.run(in: $0) } }),
        ("orphans", { _ = try await $0.orphanedDeliveries() }),
        ("runs", { _ = try await $0.openRuns(limit: 9) }),
        ("ended", { _ = try await $0.runs(of: "doctor", endedSince: now, limit: 9) }),
        (
            "claim",
            { store in
                try await store.noteRunByHand(
                    of: "doctor", line: "a", startedAt: now, as: .done, detail: "", now: now)
                let claim = CronClaim(
                    line: "a", job: "doctor", coveredFrom: now, coveredTo: now,
                    fires: [.init(nominal: now, due: now)], skipsOverlaps: true)
                let run = try await store.claim(claim, now: now).runs.first
                _ = try await store.beginRun(run?.id ?? 1, now: now)
                try await store.endRun(run?.id ?? 1, as: .done, detail: "", now: now)
                _ = try await store.lastEndedRun(ofLine: "a")
            }
        ),
        ("prune", { _ = try await $0.pruneTexts(before: now, limit: 9) }),
        ("digests", { _ = try await $0.heldNotes(to: Person.anna.id, now: now, limit: 9) }),
        ("retries", { _ = try await $0.waitingRetries(now: now) }),
        (
            "due count",
            { store in _ = try await store.read { try LedgerBacklog.dueCount(now: now, in: $0) } }
        ),
        (
            "clocks",
            { store in
                _ = try await store.lastTurn(now: now)
                _ = try await store.reopenClosedAhead(now: now) { $0.unrevised }
                _ = try await store.replanRemindedAhead(now: now) { $0.unrevised }
                _ = try await store.bringForward(byMilliseconds: 9, now: now) { $0.unrevised }
                try await store.retryMisconfigured(now: now)
            }
        ),
        (
            "zones",
            { store in
                _ = try await store.zonesInUse(endingAfter: now)
                _ = try await store.meetingMoments(
                    inZone: "z", endingAfter: now, after: nil, limit: 9)
                _ = try await store.moveMeetings([MeetingID(text: "m")], now: now) { $0.unrevised }
            }
        ),
        ("suspects", { _ = try await $0.deliveryRoutes(of: [1]) }),
        ("by meeting", { _ = try await $0.meetingBundle(MeetingID(text: "m")) }),
        ("latest act", { _ = try await $0.latestAct(on: MeetingID(text: "m")) }),
        (
            "request key",
            { _ = try await $0.madeMeeting(requestKey: "k", organizer: Person.anna.id) }
        ),
        ("id", { _ = try await $0.lookUp { try $0.persons(idPrefix: "aaaa", limit: 9) } }),
        ("address", { _ = try await $0.lookUp { try $0.persons(withAddress: "a@b", limit: 9) } }),
        ("accounts and guests", { try await $0.useAddress() }),
        (
            "contact",
            {
                _ = try await $0.lookUp {
                    try $0.contacts(matching: "ann", of: Person.anna.id, limit: 9)
                }
            }
        ),
        ("contacts", { _ = try await $0.contacts(of: .anna, after: nil, limit: 9) }),
        ("pages of contacts", { try await $0.readPagesOfContacts() }),
        (
            "organizer load",
            {
                let limit = OrganizerLimit(of: .anna, since: .earliest, now: .earliest) { _ in }
                _ = try await $0.load(of: limit)
            }
        ),
        ("with somebody", { _ = try await $0.meetings(of: .anna, seenBy: .anna, limit: 9) }),
        (
            "circle",
            { _ = try await $0.lookUp { try $0.circles(of: .anna, with: .anna, limit: 9) } }
        ),
        ("book size, feed", { _ = try await ($0.bookSize(of: .anna), $0.feed(hash: "h")) }),
        ("import", { _ = try await $0.askWhoIsThere() }),
        ("import of a new version", { try await $0.importVersion(of: Person.ben.id, by: .anna) }),
        (
            "suggestions",
            {
                _ = try await $0.lookUp {
                    try $0.contacts(suggestedBy: "ann", of: Person.anna.id, limit: 9)
                }
            }
        ),
        ("contact of a person", { _ = try await $0.contact(Person.ben.id, of: Person.anna.id) }),
        ("person, policy", { _ = try await ($0.person(.anna), $0.policy(of: .anna)) }),
        ("birthdays", { _ = try await $0.birthdays(of: .anna, limit: 9) }),
        ("birthdays on a date", { _ = try await $0.birthdays(of: .anna, on: .latest, limit: 9) }),
        (
            "feed meetings",
            { store in
                _ = try await store.calendarMeetings(
                    of: Person.anna.id, after: (.earliest, ""), limit: 9)
                for subject: Feed.Subject in [.person(Person.anna.id), .circle(.init(text: "c"))] {
                    for mark in [nil, Int64(7)] {
                        _ = try await store.feedMeetings(
                            of: subject, endingAfter: now, startingBefore: now, changedSince: mark)
                    }
                }
            }
        ),
        (
            "to verify",
            { _ = try await $0.meetings(endingAfter: now, after: MeetingID(text: "m"), limit: 9) }
        ),
        (
            "circle",
            { _ = try await $0.lookUp { try $0.circle(named: "chess", of: Person.anna.id) } }
        ),
        (
            "saved place",
            { _ = try await $0.savedPlace(referring: "fsq:1", of: Person.anna.id) }
        ),
        ("circles", { _ = try await $0.lookUp { try $0.circles(of: Person.anna.id, limit: 9) } }),
        (
            "members",
            { _ = try await $0.lookUp { try $0.members(of: CircleID(text: "c"), limit: 9) } }
        ),
        ("saved places", { _ = try await $0.savedPlaces(of: Person.anna.id, limit: 9) }),
        (
            "catalogue",
            { store in
                let box = GeoBox(south: 1, north: 2, west: 1, east: 2)
                _ = try await store.catalogueHits(in: box, categories: ["aa"], name: "blue")
                _ = try await store.cataloguePlaces([1])
                _ = try await store.cataloguePlace(id: "osm:node/1")
            }
        ),
        ("merge", { try await $0.mergeAndRemind() }),
    ]

    private static let meetingFilters: [(name: String, filter: MeetingFilter)] = [
        ("coming", filter { $0.endsAfter = now }),
        ("past", filter { $0.endsBefore = now }),
        ("of a member", filter { ($0.endsAfter, $0.member) = (now, Person.anna.id) }),
        ("by organizer", filter { ($0.endsAfter, $0.organizer) = (now, Person.anna.id) }),
        ("with an invitation", filter { ($0.endsAfter, $0.invited) = (now, Person.anna.id) }),
        ("by id", filter { $0.idPrefix = "aaaa" }),
        ("open to a person", filter { ($0.endsAfter, $0.joiner) = (now, Person.anna.id) }),
        ("of friends", filter { ($0.endsAfter, $0.follower) = (now, Person.anna.id) }),
        ("joined", filter { ($0.endsAfter, $0.joined) = (now, Person.anna.id) }),
    ]
    private static let ledgerFilters: [(name: String, filter: LedgerFilter)] = [
        ("outbox", rows { $0.states = [.planned, .claimed, .ambiguous] }),
        ("meeting", rows { $0.meeting = MeetingID(text: "m") }),
        ("person", rows { $0.person = Person.anna.id }),
        ("key", rows { $0.keyPrefix = "abcd" }),
        ("viewer", rows { ($0.meeting, $0.viewer) = (MeetingID(text: "m"), Person.anna.id) }),
        ("outbox until", rows { ($0.states, $0.dueThrough) = ([.planned, .ambiguous], now) }),
        ("by both", rows { ($0.meeting, $0.person) = (MeetingID(text: "m"), Person.anna.id) }),
    ]
    private static let now = Moment(seconds: 9)

    private static func filter(_ change: (inout MeetingFilter) -> Void) -> MeetingFilter {
        var filter = MeetingFilter(limit: 9)
        change(&filter)
        return filter
    }

    private static func rows(_ change: (inout LedgerFilter) -> Void) -> LedgerFilter {
        var filter = LedgerFilter(limit: 9)
        change(&filter)
        return filter
    }

    @Test(arguments: calls.map(\.name))
    func `No frequent statement reads a whole table`(_ name: String) async throws {
        try await expectNoScans(try #require(Self.calls.first { $0.name == name }).call)
    }

    @Test(arguments: ["import", "import of a new version"])
    func `An import reads no address book as a whole`(_ name: String) async throws {
        try await expectNoScans(try #require(Self.calls.first { $0.name == name }).call) {
            $0.hasSuffix("USING PRIMARY KEY (owner_id=?)")
        }
    }

    @Test(arguments: meetingFilters.map(\.name))
    func `No list of meetings reads a whole table`(_ name: String) async throws {
        let filter = try #require(Self.meetingFilters.first { $0.name == name }).filter
        try await expectNoScans {
            _ = try await $0.meetings(filter)
            _ = try await $0.series(filter)
        }
    }

    @Test(arguments: ledgerFilters.map(\.name))
    func `No query of the ledger reads a whole table`(_ name: String) async throws {
        let filter = try #require(Self.ledgerFilters.first { $0.name == name }).filter
        try await expectNoScans { _ = try await $0.stories(filter) }
    }

    /// Whether a step of a plan reads a whole table. When only the maximum is wanted, SQLite calls
    /// such a step a search, without naming a constraint.
    private static func isWhole(_ step: String) -> Bool {
        let isScan = step.hasPrefix("SCAN") && !step.contains("VIRTUAL TABLE")
        // A range of row numbers may contain all deliveries.
        let isRange = ["delivery", "d"].contains {
            step.hasPrefix("SEARCH \($0) USING INTEGER PRIMARY KEY (rowid>")
        }
        return isScan || isRange || step.hasPrefix("SEARCH") && !step.contains("(")
    }

    /// Whether a full scan is short: an index of open rows, the tables of attempts in progress, the
    /// installation, which has one row, the history of one delivery, or the result of a subquery.
    private static func isShort(_ step: String, in statement: String) -> Bool {
        switch step {
        case "SCAN CONSTANT ROW", "SCAN outcome", "SCAN resting", "SCAN f", "SCAN attempt_now",
            "SEARCH acts", "SEARCH first", "SCAN few", "SCAN initial", "SCAN arrivals", "SCAN news",
            "SCAN delivery_story", "SCAN installation":
            true
        // There are as many lines as in one file, and only their running runs are read.
        case "SCAN l USING COVERING INDEX sqlite_autoindex_cron_line_1": true
        case "SCAN r USING INDEX cron_run_running": true
        case "SCAN i": statement.contains("FROM intent i") || statement.contains("installation i")
        // The largest number is the last one.
        case "SEARCH delivery_turn", "SEARCH delivery": statement.contains("SELECT max(id) FROM")
        case "SEARCH delivery USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)":
            statement.contains("AS news")
        default: step.contains("delivery_by_due")
        }
    }

    /// The statement for ledger news starts from the new rows, because there are fewer of them than
    /// of all waiting ones.
    @Test func `The ledger news query starts from the new rows`() async throws {
        try await withTemporaryStore { store in
            let statements = try await store.statements {
                _ = try await $0.ledgerNews(
                    since: NewsMark(delivery: -1, turn: -1), through: Self.now)
            }
            let statement = try #require(statements.first { $0.contains("CROSS JOIN") })
            let plan = try await store.pool.read { db in
                try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)")
                    .map { $0["detail"] as String }
            }
            let news = try #require(plan.firstIndex(of: "SCAN news"))
            #expect(plan[..<news].contains { $0.hasPrefix("SEARCH delivery_turn USING INTEGER") })
            #expect(plan[news...].contains("SEARCH d USING INTEGER PRIMARY KEY (rowid=?)"))
        }
    }

    /// A meeting, a due delivery and a worker.
    private static let lunch = """
        INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone, duration,
            starts_at, ends_at, status, revision, sequence, reminders, created_at)
        VALUES ('mmmmmmmmmmmmmmmm', 'u', 'aaaaaaaaaaaaaaaa', 'Lunch', '', '',
            '2026-12-05T12:00:00', 'Europe/Helsinki', 'PT1H', 1, 99000, 'confirmed', 1, 0, '[]', 0);
        INSERT INTO delivery (id, key, meeting_id, person_id, kind, mark, channel, address, due,
            deadline)
        VALUES (1, 'kkkkkkkkkkkkkkkkkkkkkkkkkk', 'mmmmmmmmmmmmmmmm', 'bbbbbbbbbbbbbbbb',
            'invitation', '1', 'stdout', '', 1, 99000);
        INSERT INTO worker (id, name, started_at) VALUES (1, 'at work', 0);
        """

    private func expectNoScans(
        _ call: @Sendable (Store) async throws -> Void,
        isWhole: (String) -> Bool = QueryPlanTests.isWhole
    ) async throws {
        try await withTemporaryStore { store in
            try await store.write { db in
                for person in [Person.anna, .ben] { try person.insert(in: db, now: Self.now) }
                try db.execute(sql: Self.lunch)
            }
            let statements = try await store.statements(of: call)
            #expect(!statements.isEmpty)
            for statement in statements {
                let plan = try await store.pool.read { db in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)")
                        .map { $0["detail"] as String }
                }
                let whole = plan.filter {
                    isWhole($0) && !Self.isShort($0, in: statement)
                }
                #expect(whole.isEmpty, "\(statement): \(plan)")
            }
        }
    }
}

/// Records the statements that a connection runs.
private final class SeenStatements: Sendable {
    private let statements = Mutex<[String]>([])

    func add(_ statement: String) { statements.withLock { $0.append(statement) } }

    var all: [String] { statements.withLock { $0 } }
}

extension PersonID { fileprivate static let anna = Person.anna.id }

extension Person {
    fileprivate static let anna = Person(id: PersonID(text: "aaaaaaaaaaaaaaaa"), name: "Anna")
    fileprivate static let ben = Person(id: PersonID(text: "bbbbbbbbbbbbbbbb"), name: "Ben")
}

extension Store {
    /// The statements that a call runs, with their arguments.
    fileprivate func statements(
        of call: @Sendable (Store) async throws -> Void
    ) async throws -> [String] {
        let seen = SeenStatements()
        let trace: @Sendable (Database) -> Void = { db in
            db.trace { seen.add("\($0.expandedDescription)") }
        }
        try await pool.read(trace)
        try await pool.writeWithoutTransaction(trace)
        try await call(self)
        let silence: @Sendable (Database) -> Void = { $0.trace(options: []) }
        try await pool.read(silence)
        try await pool.writeWithoutTransaction(silence)
        return seen.all.map { $0.replacing("/* SQLite */ ", with: "") }.filter { statement in
            ["SELECT", "UPDATE", "INSERT", "DELETE"].contains { statement.hasPrefix($0) }
                // Full-text and R*Tree indexes query internal tables of their own.
                && !statement.contains("'main'.")
        }
    }

    /// Records the end of an attempt for a delivery that has no attempt.
    fileprivate func finishNothing() async throws {
        let report = AttemptReport(.retry, code: "451", reply: "later")
        let attempt = FinishedAttempt(id: 1, report: report, verdict: Verdict(.planned))
        _ = try await finishAttempts([attempt], now: Moment(seconds: 9)) { _ in { $0.unrevised } }
    }

    /// Merges two persons, and then changes the reminders of the remaining one.
    fileprivate func mergeAndRemind() async throws {
        let now = Moment(seconds: 9)
        let merge = MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised })
        _ = try await mergePersons(
            Person.anna.id, Person.ben.id, now: now, decisions: merge, saving: true)
        _ = try await setPolicy(
            of: Person.anna.id, now: now, saving: true, change: { $0.reminders = [] }
        ) { _ in { $0.unrevised } }
    }
}
