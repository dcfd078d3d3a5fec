import Foundation
import TestKit
import Testing

@testable import Planning

/// Files and pipes that a user names.
@Suite(.timeLimit(.minutes(1))) struct NamedFileTests {
    /// Runs a test with a named pipe.
    private func withPipe(_ body: (_ path: String) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/pipe"
            try #require(mkfifo(path, 0o600) == 0)
            try body(path)
        }
    }

    /// The two ends of a pipe without a name.
    private func pipeEnds() throws -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [0, 0]
        let status = pipe(&ends)
        try #require(status == 0)
        return (ends[0], ends[1])
    }

    @Test func `A pipe without a writer is refused`() async throws {
        try await withPipe { path in
            var file = NamedFile(path: path)
            file.patienceMilliseconds = 0
            let refused = #expect(throws: Refusal.self) { try file.octets() }
            #expect(refused?.code == "unreadable_file")
            #expect(refused?.message == "\(path) is a pipe to which no program writes.")
        }
    }

    @Test(arguments: ["", "abc"])
    func `A pipe is read whose writer comes late`(_ text: String) async throws {
        try await withPipe { path in
            Thread.detachNewThread {
                let writer = open(path, O_WRONLY)
                _ = write(writer, text, text.utf8.count)
                close(writer)
            }
            var file = NamedFile(path: path)
            file.patienceMilliseconds = 60_000
            let octets: [UInt8] = try file.octets()
            #expect(octets == Array(text.utf8))
        }
    }

    @Test(arguments: ["", "abc"])
    func `A pipe of a shell is read whose writer has ended`(_ text: String) throws {
        let ends = try pipeEnds()
        defer { close(ends.reading) }
        _ = write(ends.writing, text, text.utf8.count)
        close(ends.writing)
        #expect(try NamedFile(path: "/dev/fd/\(ends.reading)").octets() == Array(text.utf8))
    }

    @Test func `A pipe of a shell is read whose writer has written nothing yet`() throws {
        let ends = try pipeEnds()
        defer { close(ends.reading) }
        let file = NamedFile(path: "/dev/fd/\(ends.reading)")
        Thread.detachNewThread {
            _ = write(ends.writing, "abc", 3)
            close(ends.writing)
        }
        #expect(try file.octets() == Array("abc".utf8))
    }
}
