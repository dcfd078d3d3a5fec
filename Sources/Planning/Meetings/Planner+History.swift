public import Agenda
public import Ledger
public import Storage
public import Timekeeping

/// A change of a meeting, with the facts before it.
public struct MeetingChange: Equatable, Sendable {
    /// The fact that changed.
    public enum Fact: Equatable, Sendable {
        /// The meeting was planned.
        case planned
        /// It was cancelled.
        case cancelled
        /// The cancellation was taken back.
        case uncancelled
        /// It had another start; the time is that before, and `nil` for a date of a series that
        /// had its regular start.
        case moved(from: Range<Moment>?)
        /// It had the same start and another length.
        case resized
        /// It had another place; `nil` if none was decided.
        case relocated(from: String?)
        /// It had another title.
        case renamed(from: String)
        /// It was repeated otherwise.
        case repeated
        /// Its note, its link or its reminders changed.
        case edited
    }

    /// The fact that changed.
    public let fact: Fact
    /// The entry of the history, with the facts from then on.
    public let entry: MeetingEntry

    /// True if other dates may have the names that dates of the series had before.
    fileprivate var mayRenameDates: Bool {
        switch fact {
        case .moved, .resized, .repeated: true
        case .planned, .cancelled, .uncancelled, .relocated, .renamed, .edited: false
        }
    }

    /// The changes that a history tells, the oldest first. Who was invited is not told: it is not
    /// for everybody.
    public static func changes(in history: [MeetingEntry]) -> [MeetingChange] {
        var last: [String: MeetingEntry] = [:]
        return history.flatMap { entry in
            // Before its first own change, a date of a series has the facts of the series, but for
            // the time.
            let before = last[entry.occurrence]
            let whole = last[""]
            last[entry.occurrence] = entry
            return facts(of: entry, after: before, whole).map {
                MeetingChange(fact: $0, entry: entry)
            }
        }
    }

    private static func facts(
        of entry: MeetingEntry, after before: MeetingEntry?, _ whole: MeetingEntry?
    ) -> [Fact] {
        switch entry.deed {
        case .created: return [.planned]
        case .cancelled: return [.cancelled]
        case .uncancelled: return [.uncancelled]
        case .invited, .uninvited: return []
        case .edited, .moved: break
        }
        guard let known = before ?? whole else { return [.edited] }
        var facts: [Fact] = []
        if let before, before.startsAt != entry.startsAt {
            facts.append(.moved(from: before.startsAt..<before.endsAt))
        } else if let before, before.endsAt != entry.endsAt {
            facts.append(.resized)
        } else if before == nil, entry.deed == .moved {
            facts.append(.moved(from: nil))
        }
        if known.place != entry.place { facts.append(.relocated(from: known.place)) }
        if known.title != entry.title { facts.append(.renamed(from: known.title)) }
        if entry.occurrence.isEmpty, known.repetition != entry.repetition {
            facts.append(.repeated)
        }
        return facts.isEmpty ? [.edited] : facts
    }
}

extension Planner {
    /// The most entries of a history to read.
    private static let entriesMax = 500

    /// The changes of a meeting that the actor may see, the newest first.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    public func history(of id: MeetingID) async throws -> [MeetingChange] {
        let meeting = MeetingID(text: try await sight(of: id).id)
        guard let bundle = try await store.meetingFacts(meeting) else { return [] }
        let seen = seenDates(of: bundle)
        let entries = try await store.history(of: meeting, limit: Self.entriesMax)
        let changes = MeetingChange.changes(in: entries)
        guard bundle.meeting.organizer != actor.id, !actsAsOwner else {
            return changes.reversed()
        }
        // A change of the whole series gives its dates other names, so it is no longer known who
        // was absent from those that older entries name.
        let renamed = changes.last { $0.entry.occurrence.isEmpty && $0.mayRenameDates }?.entry.at
        return changes.reversed().filter { change in
            let date = change.entry.occurrence
            guard !date.isEmpty else { return seen.single == nil }
            return seen.contains(date) && renamed.map { change.entry.at > $0 } ?? true
        }
    }
}
