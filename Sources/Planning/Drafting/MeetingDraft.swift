import Agenda
import Ledger
import Storage
import Timekeeping

/// A meeting while somebody changes it: what it was, what it shall be, and what follows.
struct MeetingDraft {
    let before: MeetingBundle
    /// How people wanted to be reminded before, where what the bundle says of it is new.
    var remindersBefore: [PersonID: [TimeSpan]]
    var meeting: Meeting
    var participants: [Participant]
    var guests: [Person] = []
    /// Whether nobody is to be told.
    var isQuiet = false
    /// Whether people are to be told of what is not told by itself: title, note, link.
    var isNotified = false
    /// Whether people are to be told once more how a single date stands.
    var isDateNotified = false
    /// What is to be told of what was done, beside what the meeting's facts tell.
    var announcements: [PlannedNotification] = []
    /// Whose proposals came to nothing because the meeting changed, and what they answer.
    var dropped: [PersonID: Answer] = [:]
    /// What somebody wrote for it, and who.
    var body: (author: PersonID, text: String)?
    /// Further reminders that people asked for.
    var snoozes: [PersonID: Snooze]
    /// Who is otherwise on single dates of a series.
    var dateParticipants: [String: [Participant]]
    /// What its author ought to know of what is done, in sentences.
    var remarks: [String] = []
    /// To what the people of circles are asked as such, by the names of dates.
    var circlesAsked: [String: Set<CircleID>]
    /// Until when reminders of a series had been planned, where that goes on now.
    var plannedBefore: Moment?
    /// The date of a series that is changed; `nil` for the whole.
    var date: SeriesDate?
    /// The name of the date whose draft this is, as of a meeting of its own; else empty.
    var occurrence = ""

    init(_ bundle: MeetingBundle) {
        before = bundle
        remindersBefore = bundle.wishes.reminders
        snoozes = bundle.snoozes
        meeting = bundle.meeting
        participants = bundle.participants
        dateParticipants = bundle.dateParticipants
        circlesAsked = bundle.circlesAsked
    }

    /// Whether the meeting is new.
    private var isNew: Bool { before.lastEndsAt == nil }

    /// The revision before what is done now; that of a new meeting is its first.
    var revisionBefore: Int { isNew ? meeting.revision : before.meeting.revision }

    /// Whether the meeting is new, or anything of it is other than it was.
    var isChanged: Bool {
        isNew || isOther
    }

    /// Whether anything of it is other than it was when the draft was made.
    var isOther: Bool {
        meeting != before.meeting || participants != before.participants
            || dateParticipants != before.dateParticipants
    }

    /// Time, place and status are told by themselves, and so is the rule.
    private var hasToldChange: Bool {
        isElsewhere || meeting.series?.rule != before.meeting.series?.rule
    }

    private var isElsewhere: Bool {
        let old = before.meeting
        let isSamePlace =
            meeting.place == nil
            ? old.place == nil
            : old.place.map { meeting.place?.isSamePlace(as: $0) ?? false } ?? false
        return meeting.time != old.time || meeting.status != old.status || !isSamePlace
    }

    /// Raises what calendars and people go by, when there is something to tell them.
    mutating func number() {
        guard !isQuiet else { return }
        // What was changed without a word until now is told, too, when somebody asks for it.
        let told = isNotified ? before.toldFacts ?? before.meeting.facts : meeting.facts
        if hasToldChange || told.isElsewhere(than: meeting.facts) {
            meeting.revision += 1
            meeting.sequence += 1
            meeting.series?.revision = meeting.revision
            meeting.series?.sequence = meeting.sequence
            if isElsewhere || told.ofDates.isElsewhere(than: meeting.facts.ofDates) {
                meeting.series?.datesRevision = meeting.revision
            }
        } else if isNotified, before.meeting != meeting || told.title != meeting.title {
            meeting.revision += 1
            meeting.series?.revision = meeting.revision
            meeting.series?.datesRevision = meeting.revision
        }
        numberDates()
        numberGuests()
    }

    /// The same for what is otherwise on single dates than it was.
    private mutating func numberDates() {
        let old = before.meeting.series?.changes ?? [:]
        let toldAnew = isDateNotified ? date?.name : nil
        let changed = (meeting.series?.changes ?? [:]).filter { $1 != old[$0] || $0 == toldAnew }
        guard !changed.isEmpty else { return }
        if meeting.revision == before.meeting.revision {
            meeting.revision += 1
            meeting.sequence += 1
        }
        for name in changed.keys {
            meeting.series?.changes[name]?.revision = meeting.revision
            meeting.series?.changes[name]?.sequence = meeting.sequence
        }
    }

    /// The same for who was asked to a single date, or taken off it.
    private mutating func numberGuests() {
        for (name, guests) in dateParticipants {
            let known = before.participants.on(before.dateParticipants[name] ?? [])
            let asked = Set(known.filter { !$0.isRemoved }.map(\.person))
            for place in guests.indices
            where guests[place].isRemoved == asked.contains(guests[place].person) {
                if meeting.revision == before.meeting.revision { meeting.revision += 1 }
                dateParticipants[name]?[place].revision = meeting.revision
            }
        }
    }

    /// Another time that was proposed for how the meeting was before is proposed no more.
    mutating func dropProposals() {
        guard meeting.time != before.meeting.time || meeting.status == .cancelled else { return }
        for place in participants.indices where participants[place].proposal != nil {
            if meeting.status == .confirmed {
                dropped[participants[place].person] = participants[place].answer
            }
            participants[place].proposal = nil
        }
    }

    /// The state from which notifications are planned.
    func state(zone: (String) throws -> Zone) throws -> MeetingState {
        let place = try zone(meeting.time.zone)
        var state = MeetingState(
            meeting: meeting, participants: participants, policies: before.wishes.reminders,
            zone: place,
            toldEndsAt: max(before.lastEndsAt ?? meeting.endsAt, before.meeting.endsAt))
        let people = self.people
        for (id, hours) in before.wishes.hours {
            // The zone that a card names may be stale.
            let own = people[id]?.zone.flatMap { try? zone($0) }
            state.hours[id] = LocalHours(hours, in: own ?? place)
        }
        state.toldStarts = before.toldStarts
        state.snoozes = snoozes
        state.dateParticipants = dateParticipants
        state.plannedBefore = plannedBefore
        return state
    }

    /// The state from which notifications were planned before; `nil` for a meeting that is new.
    func oldState(zone: (String) throws -> Zone) throws -> MeetingState? {
        guard !isNew else { return nil }
        var state = MeetingState(
            meeting: before.meeting, participants: before.participants,
            policies: remindersBefore, zone: try zone(before.meeting.time.zone),
            toldEndsAt: before.lastEndsAt)
        state.dateParticipants = before.dateParticipants
        return state
    }

    /// Those who were known and those who are new.
    var people: [PersonID: Person] {
        before.people.merging(guests.map { ($0.id, $0) }) { known, _ in known }
    }

    /// Addresses by person.
    var addresses: [String: String] {
        Dictionary(
            people.values.map { ($0.id.text, $0.address) }, uniquingKeysWith: { first, _ in first })
    }

    /// Asks people to the meeting; who was taken off it is on it again.
    ///
    /// - Throws: ``Refusal`` when somebody is in it already.
    mutating func invite(_ people: [Person]) throws(Refusal) {
        for person in people {
            guard let place = participants.firstIndex(where: { $0.person == person.id }) else {
                participants.append(Participant(person: person.id))
                continue
            }
            guard participants[place].isRemoved else {
                throw Refusal(
                    .refused, code: "already_invited",
                    "\(person.name) is in \(meeting.title) already.")
            }
            // Who did not hear that they were taken off has said what they said.
            guard before.rows.haveToldOff(person.id, on: occurrence) else {
                participants[place].isRemoved = false
                continue
            }
            participants[place] = Participant(person: person.id)
        }
    }
}
