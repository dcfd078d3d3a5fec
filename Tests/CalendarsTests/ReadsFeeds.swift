import Calendars
import Foundation
import Planning
import Testing

/// A test suite that creates meetings and reads the feeds that show them.
protocol ReadsFeeds {}

extension ReadsFeeds {
    /// The current lines of a feed, unfolded.
    func lines(_ feed: FeedView, _ planner: Planner) async throws -> [String] {
        let path = try #require(feed.path)
        let token = String(path.dropFirst("/cal/".count).dropLast(".ics".count))
        let read = try #require(try await planner.feed(by: token))
        let octets = try await planner.content(of: read, besides: nil).octets
        return String(decoding: octets, as: UTF8.self).replacingOccurrences(of: "\r\n ", with: "")
            .split(separator: "\r\n").map(String.init)
    }

    func plan(
        _ title: String, _ start: String, with: [String] = ["anna@example.org"],
        repeat rule: String? = nil, _ planner: Planner
    ) async throws {
        var request = MeetingRequest()
        request.title = title
        request.with = with
        request.start = start
        request.repetition = rule
        _ = try await planner.createMeeting(request, saving: true)
    }

    func titles(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst("SUMMARY:".count)) }
    }

    /// The status of each event, after the name of its date, or after "all" for a whole series.
    func states(_ lines: [String]) -> [String] {
        lines.split(separator: "BEGIN:VEVENT").dropFirst().map { event in
            let name = event.first { $0.hasPrefix("RECURRENCE-ID") }?.suffix(15) ?? "all"
            return "\(name) \(event.first { $0.hasPrefix("STATUS:") }?.dropFirst(7) ?? "")"
        }.sorted()
    }
}
