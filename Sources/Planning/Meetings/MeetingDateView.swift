import Agenda
import Ledger
import Storage
import Timekeeping

extension MeetingView {
    /// One of the dates of a meeting that repeats.
    public struct Date: Encodable, Sendable {
        /// Somebody who takes part in this date otherwise than in the others.
        public struct Other: Encodable, Sendable {
            /// The person's id.
            public let id: String
            /// The name.
            public let name: String
            /// Whether they are asked to this date.
            public let isAsked: Bool
            /// What they say to it: `invited`, `going`, `maybe`, `declined` or `waiting`.
            public let answer: String

            private enum CodingKeys: String, CodingKey {
                case id, name, answer
                case isAsked = "asked"
            }
        }

        /// Its original start on the meeting's clock, as `20261201T190000`.
        public let occurrence: String
        /// The start with the meeting's offset.
        public let start: Timestamp
        /// The end with the meeting's offset.
        public let end: Timestamp
        /// When it starts by the rule; `null` where that is when it starts.
        @Null public var regularStart: Timestamp?
        /// `confirmed` or `cancelled`.
        public let status: String
        /// Where it takes place; `null` where that is not decided.
        @Null public var place: String?
        /// Who takes part in it otherwise than in the others.
        public let others: [Other]
        /// Whether its time, its place or its people are its own.
        public let isOtherwise: Bool

        /// When, by the clock of whoever asked.
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
            status = own.status.rawValue
            place = own.place?.text
            others = (bundle.dateParticipants[date.name] ?? []).compactMap { participant in
                bundle.people[participant.person].map {
                    Other(
                        id: $0.id.text, name: $0.name, isAsked: !participant.isRemoved,
                        answer: participant.answer.rawValue)
                }
            }
            isOtherwise = date.change != nil || !others.isEmpty
        }

        private enum CodingKeys: String, CodingKey {
            case occurrence, start, end, status, place, others
            case regularStart = "regular_start"
        }
    }

    /// So many dates of a meeting are shown.
    private static let datesMax = 10

    /// The next dates of a meeting that repeats, those that are off among them.
    static func dates(
        of bundle: MeetingBundle, after now: Moment, zone: Zone, reader: Zone
    ) -> [Date] {
        bundle.meeting.dates(endingAfter: now, first: datesMax, in: zone)
            .map { Date($0, of: bundle, zone: zone, reader: reader) }
    }
}
