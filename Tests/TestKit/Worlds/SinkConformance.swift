import Agenda
import Ledger
public import Sinks
import Timekeeping

/// The receiver of a sink, as a test can simulate it.
public protocol SinkCounterpart: Sendable {
    /// A sink that is connected to this counterpart.
    var sink: any Sink { get }
    /// The identities of the messages that arrived complete and readable, in any order. It is
    /// called once, when nothing more will be sent.
    func arrivals() async throws -> [String]
}

/// Checks that hold for every sink, whatever its receiver. Run each sink through them with a
/// counterpart for each behaviour of the receiver.
///
/// ```swift
/// let faults = try await SinkConformance.faults(of: counterpart, when: .answersSlowly)
/// #expect(faults.isEmpty)
/// ```
public enum SinkConformance {
    /// The behaviour of a receiver.
    public enum Behaviour: Sendable {
        /// It accepts everything immediately.
        case answersWell
        /// It accepts everything slowly.
        case answersSlowly
        /// It sends an invalid response.
        case answersWrongly
        /// It accepts a part, then closes the connection.
        case breaksOff
        /// It refuses, but may accept later.
        case refuses
        /// It is not reachable.
        case isAway

        /// The outcomes that a sink may report.
        var outcomes: Set<AttemptOutcome> {
            switch self {
            case .answersWell, .answersSlowly: [.accepted]
            case .answersWrongly: [.retry, .misconfigured, .ambiguous]
            // The receiver may have accepted more than the sink knows, so the outcome is ambiguous.
            case .breaksOff: [.ambiguous]
            case .refuses: [.retry]
            case .isAway: [.retry, .misconfigured]
            }
        }
    }

    /// Sends many messages at once and returns the errors of the sink.
    public static func faults(
        of counterpart: some SinkCounterpart, when behaviour: Behaviour, messages: [OutgoingMessage]
    ) async throws -> [String] {
        let sink = counterpart.sink
        let reports = await withTaskGroup(of: (String, AttemptReport).self) { group in
            for outgoing in messages {
                group.addTask { (outgoing.identity, await sink.deliver(outgoing)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var faults: [String] = []
        for (identity, report) in reports {
            if !behaviour.outcomes.contains(report.outcome) {
                faults.append("\(identity): \(report.outcome) when the receiver \(behaviour)")
            }
            if report.outcome != .accepted, report.reply.isEmpty {
                faults.append("\(identity): \(report.outcome) without a reason")
            }
        }
        let arrivals = try await counterpart.arrivals()
        let accepted = reports.filter { $0.1.outcome == .accepted }.map(\.0)
        for identity in Set(accepted).subtracting(arrivals) {
            faults.append("\(identity): accepted, but not arrived")
        }
        for (identity, count) in Dictionary(arrivals.map { ($0, 1) }, uniquingKeysWith: +)
        where count > 1 {
            faults.append("\(identity): sent once, arrived \(count) times")
        }
        return faults + faultsOfSchedule(sink)
    }

    private static func faultsOfSchedule(_ sink: any Sink) -> [String] {
        let waits = sink.schedule.delaysSeconds
        return (waits.isEmpty || waits.contains { $0 < 1 } ? ["retries without a pause"] : [])
            + (waits == waits.sorted() ? [] : ["retries faster and faster"])
            + (sink.name.isEmpty ? ["no name"] : [])
    }
}

extension OutgoingMessage {
    /// A message for testing sinks.
    public static func sample(
        _ identity: String, name: String = "Anna Aalto", address: String = "anna@example.org",
        text: String = "Lunch at noon.\nBring \"nothing\".", planner: String = "olga@example.org",
        organizer: String = "Olga Own"
    ) -> OutgoingMessage {
        OutgoingMessage(
            identity: identity, kind: .invitation, name: name, address: address,
            meeting: "mmmmmmmmmmmmmmmm", title: "Lunch", start: "2026-12-05T12:00:00+02:00",
            zone: "Europe/Helsinki", due: Moment(seconds: 1_796_000_000),
            writtenAt: Moment(seconds: 1_796_000_001),
            sender: Person(
                id: PersonID(text: "oooooooooooooooo"), name: organizer,
                address: planner),
            subject: "Lunch", text: text)
    }
}
