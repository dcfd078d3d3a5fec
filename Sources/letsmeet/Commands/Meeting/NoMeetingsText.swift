import Agenda
import Planning
import Programs
import Timekeeping
import Wording

/// The answer of `meeting list` if no meeting was found.
enum NoMeetingsText {
    /// A sentence that repeats the conditions, and what to do next.
    ///
    /// - Parameter query: the conditions.
    /// - Returns: as in "No past meetings that you organize, with anna."
    static func of(_ query: MeetingQuery) -> String {
        let parts = conditions(of: query)
        let isAny = parts.isEmpty
        let kind = query.scope == .past ? "past " : query.from == nil ? "coming " : ""
        let found = "No \(kind)meetings\(isAny ? "" : " ")\(parts.joined(separator: ", "))."
        guard query.scope != .past else { return found }
        guard !isAny else { return "\(found) \(AdviceText.sentence(.meetings(.plan)))" }
        return query.from == nil ? "\(found) To search the past ones, add --past." : found
    }

    private static func conditions(of query: MeetingQuery) -> [String] {
        [
            query.isMine ? "that you organize" : nil,
            query.scope == .invited ? "to which you are invited" : nil,
            query.isJoined ? "that you joined" : nil,
            query.isOfFriends ? "that are open to you, of people whom you follow" : nil,
            query.text.isEmpty ? nil : "with \"\(query.text)\" in the title or place",
            query.place.isEmpty ? nil : "with \"\(query.place)\" in the place",
            query.circle.map { "to which the circle \($0) was invited" },
            query.people.isEmpty ? nil : "with \(query.people.joined(separator: " and "))",
            query.from.map { "from \(TimeWords.date($0))" },
            query.through.map { "up to \(TimeWords.date($0))" },
        ].compactMap(\.self)
    }
}
