public import Agenda
public import Ledger
public import Timekeeping

/// The known busy times of several people.
public struct KnownTimes: Sendable {
    /// A time at which a meeting of this installation makes a person busy.
    public struct Span: Sendable {
        /// The meeting.
        public let meeting: MeetingID
        /// The time.
        public let time: Range<Moment>
        /// False if the person may come, or the meeting may not take place.
        public let isFirm: Bool
    }

    /// The busy calendars of each person, without their calendar text.
    public let calendars: [PersonID: [BusyCalendarRecord]]
    /// The times of each person's meetings that do not repeat.
    public let spans: [PersonID: [Span]]
    /// The series of each person, as a feed would show them.
    public let series: [PersonID: [FeedMeeting]]
}

extension KnownTimes {
    /// The times that somebody may know: all of people with whom they are acquainted, and of
    /// others only the calendars that they added themselves.
    ///
    /// - Parameters:
    ///   - people: the people with whom they are acquainted.
    ///   - reader: the person who asks.
    /// - Returns: these times.
    public func of(_ people: Set<PersonID>, for reader: PersonID) -> KnownTimes {
        KnownTimes(
            calendars: Dictionary(
                uniqueKeysWithValues: calendars.map { person, calendars in
                    (
                        person,
                        people.contains(person)
                            ? calendars : calendars.filter { $0.owner == reader }
                    )
                }), spans: spans.filter { people.contains($0.key) },
            series: series.filter { people.contains($0.key) })
    }
}

extension Store {
    /// Loads the known busy times of people within a time range.
    ///
    /// - Parameters:
    ///   - people: the people.
    ///   - time: the time range; it limits the meetings.
    /// - Returns: their calendars, and their meetings in this installation.
    /// - Throws: ``StoreError``.
    public func knownTimes(
        of people: [PersonID], within time: Range<Moment>
    ) async throws -> KnownTimes {
        let query = try BusyQuery(people, time)
        return try await read { db in
            KnownTimes(
                calendars: try query.calendars(in: db), spans: try query.spans(in: db),
                series: try query.series(in: db))
        }
    }
}
