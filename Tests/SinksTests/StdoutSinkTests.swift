import Foundation
import Glibc
import Ledger
import Sinks
import Synchronization
import TestKit
import Testing
import Timekeeping

@Suite(.timeLimit(.minutes(5))) struct StdoutSinkTests {
    private let many = (0..<60).map { number in
        // Some are larger than the capacity of a pipe.
        OutgoingMessage.sample(
            "id\(number)", text: String(repeating: "line \(number)\n", count: number * 300))
    }

    @Test(arguments: [65_536, 97])
    func `Concurrent deliveries arrive complete, however slow the reader`(
        _ piece: Int
    ) async throws {
        let reader = try PipeReader(pieceBytes: piece)
        let faults = try await SinkConformance.faults(
            of: reader, when: piece < 1000 ? .answersSlowly : .answersWell,
            messages: piece < 1000 ? Array(many.prefix(20)) : many)
        #expect(faults.isEmpty)
    }

    @Test func `A closed reader makes the sink misconfigured`() async throws {
        signal(SIGPIPE, SIG_IGN)
        let reader = try PipeReader(pieceBytes: 0)
        let faults = try await SinkConformance.faults(
            of: reader, when: .isAway, messages: Array(many.prefix(5)))
        #expect(faults.isEmpty)
    }

    @Test func `A line that was cut off is ambiguous`() async throws {
        signal(SIGPIPE, SIG_IGN)
        let reader = try PipeReader(pieceBytes: 1000, piecesMax: 1)
        let long = OutgoingMessage.sample("long", text: String(repeating: "x", count: 500_000))
        let faults = try await SinkConformance.faults(
            of: reader, when: .breaksOff, messages: [long])
        #expect(faults.isEmpty)
    }

    @Test func `A stuck reader delays the end for at most half a second`() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let sink = StdoutSink(descriptor: ends[1], form: .lines, clock: clock)
        let long = OutgoingMessage.sample("long", text: String(repeating: "x", count: 500_000))
        let delivery = Task { await sink.deliver(long) }
        delivery.cancel()
        await clock.untilSomebodySleeps(until: clock.now.advanced(byMilliseconds: 500))
        clock.advance(bySeconds: 1)
        #expect(await delivery.value.code == "stuck")
        close(ends[0])
    }

    @Test func `A write to a full disk is retried`() async throws {
        let disk = FullDisk()
        let faults = try await SinkConformance.faults(
            of: disk, when: .refuses, messages: Array(many.prefix(3)))
        #expect(faults.isEmpty)
        #expect(await disk.sink.deliver(.sample("id")).code == "errno 28")
    }

    @Test(arguments: [(true, ""), (false, "printed")])
    func `A sink that nobody chose on purpose reports that it only printed`(
        _ isOnPurpose: Bool, _ code: String
    ) async throws {
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        let sink = StdoutSink(
            descriptor: file, form: .lines, isOnPurpose: isOnPurpose, clock: StoppedClock.any)
        let report = await sink.deliver(.sample("id"))
        #expect(report.outcome == .accepted && report.code == code)
    }

    @Test func `A delivery is one line with the documented fields`() async throws {
        let reader = try PipeReader(pieceBytes: 65_536)
        let hostile = "a\nb\r\n\u{2028}\"\\\u{1}é\u{1F3F3}"
        _ = await reader.sink.deliver(.sample("one", name: hostile, text: hostile))
        _ = await reader.sink.deliver(.sample("two", address: ""))
        let lines = try await reader.lines()
        #expect(lines.count == 2)
        let objects = try lines.map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let names = [
            "due", "id", "kind", "meeting", "start", "subject", "text", "title", "to", "tz",
        ]
        for object in objects { #expect(object.keys.sorted() == names) }
        #expect(objects[0]["text"] as? String == hostile)
        #expect((objects[0]["to"] as? [String: Any])?["name"] as? String == hostile)
        #expect(objects[0]["due"] as? String == "2026-11-30T00:53:20.000Z")
        #expect(objects[0]["start"] as? String == "2026-12-05T12:00:00+02:00")
        #expect((objects[1]["to"] as? [String: Any])?["address"] is NSNull)
    }

    @Test func `A line cannot control the terminal that shows it`() async throws {
        let reader = try PipeReader(pieceBytes: 65_536)
        let steering = "a\u{9B}31m\u{202E}b\u{7F}"
        _ = await reader.sink.deliver(.sample("one", text: steering))
        let line = try #require(try await reader.lines().first)
        #expect(line.contains(#"a\u009b31m\u202eb\u007f"#))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["text"] as? String == steering)
    }

    @Test func `A terminal gets a readable block`() async throws {
        let reader = try PipeReader(pieceBytes: 65_536, form: .blocks)
        _ = await reader.sink.deliver(.sample("one"))
        #expect(
            try await reader.lines() == [
                "── invitation to Anna Aalto <anna@example.org>", "   Lunch",
                "   │ Lunch at noon.", "   │ Bring \"nothing\".", "",
            ])
    }
}

/// The reading end of a pipe that a sink writes into.
private final class PipeReader: SinkCounterpart {
    let sink: any Sink
    private let writeEnd: CInt
    private let output: OutputPieces

    /// Reads pieces of `pieceBytes`, at most `piecesMax` of them. Zero bytes means that nothing is
    /// read.
    init(
        pieceBytes: Int, piecesMax: Int = .max, form: StdoutSink.Form = .lines
    ) throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        writeEnd = ends[1]
        sink = StdoutSink(descriptor: ends[1], form: form, clock: StoppedClock.any)
        output = OutputPieces(
            descriptor: ends[0], pieceBytes: pieceBytes,
            piecesMax: pieceBytes == 0 ? 0 : piecesMax)
    }

    func lines() async throws -> [String] {
        close(writeEnd)
        let text = String(decoding: await output.all(), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    func arrivals() async throws -> [String] {
        try await lines().map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require((object as? [String: Any])?["id"] as? String)
        }
    }
}

/// Reads from a pipe on a separate thread.
private final class OutputPieces: Sendable {
    private let stream: AsyncStream<[UInt8]>

    init(descriptor: CInt, pieceBytes: Int, piecesMax: Int) {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.stream = stream
        guard piecesMax > 0 else {
            close(descriptor)
            continuation.finish()
            return
        }
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: pieceBytes)
            for _ in 0..<piecesMax {
                let count = read(descriptor, &buffer, pieceBytes)
                guard count > 0 else { break }
                continuation.yield(Array(buffer.prefix(count)))
            }
            close(descriptor)
            continuation.finish()
        }
    }

    func all() async -> [UInt8] {
        await stream.reduce(into: []) { $0 += $1 }
    }
}

/// A clock on which every wait ends immediately.
private enum StoppedClock {
    static let any = FixedClock(Moment(milliseconds: 0))
}

/// A disk without free space.
private final class FullDisk: SinkCounterpart {
    let sink: any Sink

    init() {
        sink = StdoutSink(
            descriptor: open("/dev/full", O_WRONLY), form: .lines, clock: StoppedClock.any)
    }

    func arrivals() async throws -> [String] { [] }
}
