import GRDB
import Interchange
import Ledger
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// The statements that run all the time reach their rows through an index, whatever the size of
/// the tables: each is caught as it runs, and asked for its plan.
@Suite struct QueryPlanTests {
    private static let calls: [(name: String, call: @Sendable (Store) async throws -> Void)] = [
        ("due", { _ = try await $0.dueDeliveries(through: Moment(seconds: 9), limit: 9) }),
        ("next due", { _ = try await $0.nextDue() }),
        ("begin", { _ = try await $0.beginAttempts([1], now: Moment(seconds: 9)) }),
        ("expire", { _ = try await $0.expireDeliveries(now: Moment(seconds: 9), limit: 9) }),
        ("orphans", { _ = try await $0.orphanedDeliveries() }),
        ("suspects", { _ = try await $0.suspects(among: [1]) }),
        ("by meeting", { _ = try await $0.meetingBundle(MeetingID(text: "m")) }),
        ("address", { _ = try await $0.persons(withAddress: "a@b", limit: 9) }),
        (
            "contact",
            { _ = try await $0.contacts(matching: "ann", of: PersonID(text: "p"), limit: 9) }
        ),
        ("import", { _ = try await $0.askWhoIsThere() }),
    ]

    @Test(arguments: calls.map(\.name))
    func `No hot statement reads a whole table`(_ name: String) async throws {
        let call = try #require(Self.calls.first { $0.name == name }).call
        try await withTemporaryStore { store in
            let seen = SeenStatements()
            let trace: @Sendable (Database) -> Void = { db in
                db.trace { seen.add("\($0.expandedDescription)") }
            }
            try await store.pool.read(trace)
            try await store.pool.writeWithoutTransaction(trace)
            try await call(store)
            let silence: @Sendable (Database) -> Void = { $0.trace(options: []) }
            try await store.pool.read(silence)
            try await store.pool.writeWithoutTransaction(silence)
            let statements = seen.all.filter { statement in
                ["SELECT", "UPDATE", "INSERT", "DELETE"].contains { statement.hasPrefix($0) }
                    // FTS5 reads its own few settings.
                    && !statement.contains("contact_text_config")
            }
            #expect(!statements.isEmpty)
            for statement in statements {
                let plan = try await store.pool.read { db in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)")
                        .map { $0["detail"] as String }
                }
                let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.contains("VIRTUAL TABLE") }
                // An index that holds only what is open, or in flight, is read from its start.
                let whole = scans.filter {
                    !$0.contains("delivery_by_due") && !$0.contains("delivery_in_flight")
                        // The installation is one row.
                        && $0 != "SCAN CONSTANT ROW" && $0 != "SCAN i"
                }
                #expect(whole.isEmpty, "\(statement): \(plan)")
            }
        }
    }
}

/// The statements that a connection has run.
private final class SeenStatements: Sendable {
    private let statements = Mutex<[String]>([])

    func add(_ statement: String) { statements.withLock { $0.append(statement) } }

    var all: [String] { statements.withLock { $0 } }
}

extension Store {
    /// Imports cards by UID, address and name without saving any.
    fileprivate func askWhoIsThere() async throws {
        var named = ContactCard(formattedName: "Anna")
        var addressed = named
        addressed.emails = [ContactCard.Email(address: "a@b")]
        named.uid = "anna"
        let owner = PersonID(text: "p")
        _ = try await importCards(
            [named, addressed], owner: owner, now: Moment(seconds: 9),
            decisions: ContactDecisions(
                guest: { _, _ in nil },
                merge: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }))
        ) { card, _ in .keep(Contact(person: owner, card: card)) }
    }
}
