import Agenda
import Ledger
import Storage

/// An event of a stream. It names what has changed, and nothing of its content. The
/// page fetches that with its own rights.
enum LiveEvent: Equatable, Sendable {
    /// These meetings have changed.
    case meetings([MeetingID])
    /// A task of the account has changed.
    case task(LongTaskID)
    /// Anything may have changed.
    case all
    /// Nothing has changed since the browser heard last.
    case nothing
    /// The stream ends, and is not to be opened again: a newer one has taken its place.
    case bye

    /// The most meetings that are named.
    private static let namesMax = 20

    /// The event for a person to whom these changes matter; `nil` if none does.
    static func event(of changes: MeetingChanges, for person: PersonID) -> LiveEvent? {
        guard !changes.areTooMany else { return .all }
        let own = changes.changes.filter { $0.person == person }.map(\.meeting)
        guard !own.isEmpty else { return nil }
        return own.count > namesMax ? .all : .meetings(own)
    }

    /// The lines of the event (HTML Living Standard, 9.2.6).
    ///
    /// - Parameter mark: the number of changes that the browser has heard of with this event. It
    ///   names it when it connects again.
    /// - Returns: the lines, with an empty one at the end.
    func lines(_ mark: Int64) -> String {
        switch self {
        case .meetings(let ids):
            let names = ids.map { "m/\($0.text)" }.joined(separator: " ")
            return "id: \(mark)\nevent: change\ndata: \(names)\n\n"
        case .task(let id): return "id: \(mark)\nevent: change\ndata: t/\(id.text)\n\n"
        case .all: return "id: \(mark)\nevent: change\ndata: *\n\n"
        case .nothing: return "id: \(mark)\nevent: ready\ndata: -\n\n"
        case .bye: return "event: bye\ndata: -\n\n"
        }
    }
}
