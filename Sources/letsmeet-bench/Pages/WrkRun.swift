import Foundation

/// A run of wrk, the HTTP load generator of Debian, against one page.
struct WrkRun {
    /// The number of answers.
    let answerCount: Int

    /// Runs wrk until it ends.
    ///
    /// - Parameters:
    ///   - url: the page.
    ///   - fields: header fields of each request, such as `Cookie: a=b`.
    ///   - seconds: the length of the run.
    ///   - connectionCount: the number of connections.
    /// - Throws: ``BenchFault`` if wrk is missing, or if answers were errors or lost.
    init(
        _ url: String, _ fields: [String], seconds: Int, connectionCount: Int
    ) async throws {
        let wrk = Process()
        let output = Pipe()
        wrk.executableURL = URL(filePath: "/usr/bin/env")
        wrk.arguments =
            ["wrk", "-t", "1", "-c", "\(connectionCount)", "-d", "\(seconds)s"]
            + fields.flatMap { ["-H", $0] } + [url]
        wrk.standardOutput = output
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation) in
            wrk.terminationHandler = { _ in continuation.resume() }
            do { try wrk.run() } catch { continuation.resume(throwing: error) }
        }
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        guard wrk.terminationStatus == 0 else {
            throw BenchFault("wrk ended with status \(wrk.terminationStatus): is it installed?")
        }
        answerCount = try Self.answerCount(in: text)
    }

    /// The number of answers that wrk reports.
    ///
    /// - Throws: ``BenchFault`` if it also reports errors.
    static func answerCount(in report: String) throws(BenchFault) -> Int {
        let lines = report.split(separator: "\n").map { $0.drop { $0 == " " } }
        if let fault = lines.first(where: {
            $0.hasPrefix("Socket errors") || $0.hasPrefix("Non-2xx")
        }) {
            throw BenchFault("wrk reports: \(fault)")
        }
        let counts = lines.filter { $0.contains(" requests in ") }
            .compactMap { Int($0.prefix { $0 != " " }) }
        guard let count = counts.first, count > 0 else {
            throw BenchFault("wrk got no answer")
        }
        return count
    }
}
