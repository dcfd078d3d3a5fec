import Foundation
import Ledger
import Planning
import Sinks

/// A sink and its settings, as needed by a benchmark.
protocol SendBenchmark: Sendable {
    /// The settings of the home, as environment variables.
    var settings: [String: String] { get }
    /// The number of guests of a meeting, each notified separately; 0 if a meeting has a single
    /// delivery.
    var guestCount: Int { get }

    /// The sink, with this many connections.
    func sink(in surroundings: PlannerSurroundings, connectionCount: Int) throws -> any Sink
    /// The finished message for an outgoing message.
    func message(_ outgoing: OutgoingMessage, through sink: any Sink) throws -> ReadyMessage
}

/// A finished message that can be sent any number of times.
struct ReadyMessage: Sendable {
    let octets: [UInt8]
    /// Sends the message and waits for the receiver's reply.
    let send: @Sendable () async throws -> Void
}

/// Sends through a client alone, and then from end to end: from the due delivery through rendering,
/// recording and sending to the durable outcome.
struct SendRun {
    let name: String
    let way: any SendBenchmark
    let count: Int
    let connectionCount: Int
    /// The file to which one message is written as sent.
    let sample: String?

    /// The number of messages that the client handles at once, so that the next is ready when one
    /// is sent.
    private var taskCount: Int { 2 * connectionCount }

    /// - Throws: ``BenchFault`` if not all messages were accepted, or the ledger is inconsistent.
    func report() async throws -> BenchReport {
        let folder = BenchHome.folder()
        defer { BenchHome.remove(folder) }
        let catcher = MessageCapture()
        var made: (any Sink)?
        let home = try await BenchHome(
            in: folder, guestCount: max(1, way.guestCount), hasReminders: false,
            settings: way.settings
        ) { surroundings in
            let sink = try way.sink(in: surroundings, connectionCount: connectionCount)
            made = sink
            return WatchedSink(sink, onMessage: catcher.take)
        }
        guard let sink = made, let outgoing = catcher.outgoing else {
            throw BenchFault("nothing was sent; is a receiver running?")
        }
        let message = try way.message(outgoing, through: sink)
        if let sample { try Data(message.octets).write(to: URL(filePath: sample)) }
        return try await report(of: home, message, on: sink.executor)
    }

    private func report(
        of home: BenchHome, _ message: ReadyMessage, on executor: (any TaskExecutor)?
    ) async throws -> BenchReport {
        let each = max(1, home.deliveriesEachMeeting)
        let meetingCount = (count - 1) / each + 1
        let planned = meetingCount * each
        let alone = try await ResourceUse.timing {
            try await send(message, count: planned, on: executor)
        }
        try await home.schedule(meetingCount: meetingCount, clientCount: 64)
        let before = Meter.residentBytes
        let (accepted, whole) = try await home.fireInRounds()
        try await home.check(accepted: accepted, expected: planned)
        return BenchReport(
            name: name, n: planned,
            options: [
                "connections": "\(connectionCount)", "octets": "\(message.octets.count)",
                "peak_bytes": "\(Meter.peakBytes)",
            ],
            phases: [
                .init("client", alone, operationCount: planned),
                .init("whole", whole, operationCount: planned),
            ],
            bytesPerItem: (Double(max(0, Meter.residentBytes - before)) / Double(planned))
                .rounded(toPlaces: 1),
            checks: .init(fired: accepted, ordered: true))
    }

    private func send(
        _ message: ReadyMessage, count: Int, on executor: (any TaskExecutor)?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<taskCount {
                group.addTask(executorPreference: executor) {
                    for _ in stride(from: task, to: count, by: taskCount) {
                        try await message.send()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
