import Foundation
import Glibc
import Ledger
import Planning
import Sinks
import Synchronization
import Timekeeping
import Transport

/// Measures how fast a daemon sends webhooks to many destinations: while all answer, and next to
/// one that accepts connections and never answers.
struct DestinationsRun {
    let url: HTTPURL
    let count: Int
    let destinationCount: Int

    /// - Throws: ``BenchFault`` unless every destination that answers got all its webhooks.
    func report() async throws -> BenchReport {
        // The last destination is dead in one of the runs, so it is not counted in either.
        let meetingCount = (count - 1) / (destinationCount - 1) + 1
        let expected = meetingCount * (destinationCount - 1)
        let silence = try SilentPort()
        let well = try await spent(meetingCount, last: "\(url.text)?destination=dead")
        let beside = try await spent(meetingCount, last: "http://127.0.0.1:\(silence.port)/")
        return BenchReport(
            name: "webhook", n: expected, options: ["destinations": "\(destinationCount)"],
            phases: [
                .init("well", well, operationCount: expected),
                .init("one_dead", beside, operationCount: expected),
            ],
            bytesPerItem: 0, checks: .init(fired: expected, ordered: true))
    }

    /// The resources used until all destinations but the last have received everything.
    private func spent(_ meetingCount: Int, last: String) async throws -> ResourceUse {
        let folder = BenchHome.folder()
        defer { BenchHome.remove(folder) }
        let way = WebhookBenchmark(url: url, alsoAllowed: ",127.0.0.1")
        let tally = Tally()
        let home = try await BenchHome(
            in: folder, guestCount: 1, hasReminders: false, settings: way.settings
        ) { WatchedSink(try way.sink(in: $0), onReport: tally.note) }
        for number in 2..<destinationCount {
            _ = try await home.addWebhook("\(url.text)?destination=\(number)")
        }
        let exception = try await home.addWebhook(last)
        try await home.schedule(meetingCount: meetingCount, clientCount: 64)
        tally.wait(for: meetingCount * (destinationCount - 1), except: exception)
        return try await ResourceUse.timing { try await home.run(until: tally.isDone) }
    }
}

/// Counts accepted deliveries.
private final class Tally: Sendable {
    private let state = Mutex((left: Int.max, exception: ""))
    /// Signalled when all expected deliveries have been accepted.
    let isDone = WakeSignal()

    /// Expects `count` deliveries, not counting those through one channel.
    func wait(for count: Int, except channel: String) { state.withLock { $0 = (count, channel) } }

    func note(_ outgoing: OutgoingMessage, _ report: AttemptReport) {
        guard report.outcome == .accepted else { return }
        let isLast = state.withLock { state in
            guard outgoing.channel != state.exception else { return false }
            state.left -= 1
            return state.left == 0
        }
        if isLast { isDone.wake() }
    }
}

/// A port of this machine that accepts connections and never answers.
private final class SilentPort: Sendable {
    let port: Int
    private let descriptor: CInt

    init() throws(BenchFault) {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socketAddress in
                bind(descriptor, socketAddress, size) == 0 && listen(descriptor, 1024) == 0
                    && getsockname(descriptor, socketAddress, &size) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard bound else { throw BenchFault("cannot listen on a port of this machine") }
    }

    deinit { close(descriptor) }
}
