public import Agenda

extension MeetingView {
    /// The seats of a meeting and the people who can join it, as a reader sees them.
    public struct Seating: Encodable, Sendable {
        /// The people who can join: `followers`, `circle`, `link` or `public`; `null` if nobody can
        /// join without an invitation.
        @Null public var audience: String?
        /// The name of the circle that can join; `null` for another audience, and for readers other
        /// than the organizer.
        @Null public var circle: String?
        /// The number of seats, with the organizer's own; `null` for no limit.
        @Null public var seats: Int?
        /// The number of seats that are taken, with the organizer's own and those of guests.
        public var taken = 0
        /// The number of free seats; `null` if seats are not limited.
        @Null public var free: Int?
        /// The number of parties on the waiting list.
        public var waiting = 0
        /// True if people who find no seat can wait for one.
        public var waitingList = true
        /// True if the organizer decides on each request to join.
        public var approve = false
        /// The readers who see names: `organizer`, `members` or `everyone`.
        public var namesFor = NameSight.members
        /// The number of requests on which the organizer has to decide; `null` for other readers.
        @Null public var requests: Int?
        /// The reader's standing: `going`, `waiting`, `requested` or `refused`; `null` if they did
        /// not ask for a seat.
        @Null public var standing: SeatStanding?
        /// The reader's place on the waiting list, from 1; `null` if they do not wait.
        @Null public var position: Int?
        /// The condition on which the meeting takes place; `null` for none.
        @Null public var minimum: Minimum?

        /// Creates seats without limit that nobody can join.
        init() {}
    }

    /// The condition on which a meeting takes place.
    public struct Minimum: Encodable, Sendable {
        /// The number of people who have to join, without the organizer.
        public let people: Int
        /// The moment of the decision, with the meeting's UTC offset.
        public let by: Timestamp
        /// The number of people who joined, without the organizer.
        public let joined: Int
        /// The number of people who are still needed; 0 if enough have joined.
        public let needed: Int
        /// True if the meeting is confirmed as soon as enough have joined.
        public let early: Bool
        /// `confirmed` or `cancelled`; `null` until it is decided.
        @Null public var outcome: String?
    }
}
