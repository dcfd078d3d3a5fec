import Calendars
import NIOHTTP1
import Planning
import Timekeeping

/// The download of everything that belongs to an account.
extension Site {
    /// The download of everything that belongs to the reader.
    var exportRoutes: [Route] { [confirmedRoute(.post, "/me/export.zip", export)] }

    /// The most meetings in a download. Reading them takes a few seconds, and a connection waits no
    /// longer than ``PageLimits/patience`` for its answer.
    private static let exportedMeetingsMax = 2_000

    private func export(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let time = planner.zone.wallTime(at: planner.now)
        return try await exportTurns.take(of: "export") {
            let archive = ZipArchive(at: time)
            _ = try await planner.export(
                .own, meetingsMax: Self.exportedMeetingsMax, to: archive)
            var answer = PageAnswer(.ok, "application/zip", body: try archive.finished())
            answer.fields = [
                (
                    "Content-Disposition",
                    "attachment; filename=\"letsmeet-\(time.date).zip\""
                ), ("Cache-Control", "no-store"),
            ]
            return answer
        }
    }
}
