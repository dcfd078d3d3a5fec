public import Agenda
import Ledger
import Storage
public import Timekeeping

extension MeetingView {
    /// A date of a recurring meeting.
    public struct Date: Encodable, Sendable {
        /// A person whose participation or answer on this date differs from the other dates.
        public struct Other: Encodable, Sendable {
            /// The person's id.
            public let id: String
            /// The name.
            public let name: String
            /// True if they are invited to this date.
            public let isAsked: Bool
            /// Their answer: `invited`, `going`, `maybe`, `declined` or `waiting`.
            public let answer: Answer
            /// The start for which they gave the answer, if the date was moved since and the answer
            /// does not hold for the new time; otherwise `null`.
            @Null public private(set) var answeredFor: Timestamp?

            /// The answer that holds for the present time.
            public var presentAnswer: Answer { answeredFor == nil ? answer : .invited }

            /// The answer, if it was given for an old time.
            public var outdated: OutdatedAnswer? {
                answeredFor.map { OutdatedAnswer(answer: answer, start: $0.moment) }
            }

            init(_ participant: Participant, _ person: Person, zone: Zone, reader: Zone) {
                id = person.id.text
                name = person.name
                isAsked = !participant.isRemoved
                answer = participant.answer
                answeredFor = participant.outdated.map {
                    Timestamp($0.start, in: zone, reader: reader)
                }
            }

            private enum CodingKeys: String, CodingKey {
                case id, name, answer
                case isAsked = "asked"
                case answeredFor = "answered_for"
            }
        }

        /// The original start in the meeting's wall-clock time, as in `20261201T190000`.
        public let occurrence: String
        /// The start with the meeting's UTC offset.
        public let start: Timestamp
        /// The end with the meeting's UTC offset.
        public let end: Timestamp
        /// The start by the rule; `null` if the date starts then.
        @Null public var regularStart: Timestamp?
        /// `confirmed` or `cancelled`.
        public let status: MeetingStatus
        /// The place; `null` if it is not decided.
        @Null public var place: String?
        /// The place with its position; `nil` if it is not decided.
        let location: Place?
        /// The people whose participation or answer differs from the other dates.
        public private(set) var others: [Other]
        /// True if its time, its place or its people differ from the other dates.
        public let isOtherwise: Bool

        /// The time in the reader's time zone.
        public var when: String { start.words(through: end) }

        init(_ date: SeriesDate, of bundle: MeetingBundle, zone: Zone, reader: Zone) {
            let own = bundle.meeting.on(date)
            let regular = bundle.meeting.date(named: date.name, byRule: true, in: zone)?.time
            occurrence = date.name
            start = Timestamp(own.time.startsAt, in: zone, reader: reader)
            end = Timestamp(own.time.endsAt, in: zone, reader: reader)
            regularStart = regular.flatMap {
                $0.startsAt == own.time.startsAt
                    ? nil : Timestamp($0.startsAt, in: zone, reader: reader)
            }
            status = own.status
            place = own.place?.text
            location = own.place.map(Place.init)
            let entries = (bundle.dateParticipants[date.name] ?? []).filter { entry in
                entry.isRemoved || entry.isOutdated || !entry.isCopy(among: bundle.participants)
            }
            others = entries.compactMap { participant in
                bundle.people[participant.person].map {
                    Other(participant, $0, zone: zone, reader: reader)
                }
            }
            // A change that was taken back leaves the date as the rule has it.
            let isChanged =
                own.status != bundle.meeting.status || own.time != regular
                || own.place != bundle.meeting.place
            isOtherwise = date.change != nil && isChanged || !others.isEmpty
        }

        private enum CodingKeys: String, CodingKey {
            case occurrence, start, end, status, place, others
            case regularStart = "regular_start"
        }
    }

    /// The number of dates that are shown of a meeting.
    private static let datesMax = 10

    /// The next dates of a recurring meeting, including the cancelled ones.
    static func dates(
        of bundle: MeetingBundle, after now: Moment, zone: Zone, reader: Zone
    ) -> [Date] {
        bundle.meeting.dates(endingAfter: now, first: datesMax, in: zone)
            .map { Date($0, of: bundle, zone: zone, reader: reader) }
    }
}

extension MeetingView {
    /// The place of a date of this series, or of the meeting for `nil`; `nil` if there is none.
    public func place(of date: Date?) -> Place? { date.map(\.location) ?? place }

    /// The next date of a series that takes place and is not over.
    public func nextDate(after now: Moment) -> Date? {
        dates.first { $0.status == .confirmed && $0.end.moment > now }
    }

    /// The text of the usual place, if that of a date of this series differs from it.
    public func usualPlace(besides date: Date?) -> String? {
        date.flatMap { $0.place == place?.text ? nil : place?.text }
    }
}

extension MeetingView.Date {
    /// The date for a reader who sees no names but their own.
    func showing(only id: String) -> MeetingView.Date {
        var date = self
        date.others.removeAll { $0.id != id }
        return date
    }
}
