package import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping
import Wording

extension Planner {
    /// The word that names the next date of a series.
    static let nextDateName = "next"

    /// Looks up people as the actor means them. All look-ups of `body` share one read of the store.
    package func searching<Value: Sendable>(
        _ body: @escaping @Sendable (PersonSearch) throws -> Value
    ) async throws -> Value {
        let (actor, owner) = (actor, owner)
        return try await store.lookUp {
            try body(PersonSearch(people: $0, actor: actor, owner: owner))
        }
    }

    /// The person that a WHO means.
    ///
    /// - Throws: ``Refusal`` with `is_circle`, `unknown_person` or `ambiguous_person`.
    package func person(_ who: String) async throws -> Person {
        switch try await searching({ try $0.meaning(of: who) }) {
        case .person(let person): return person
        case .circle(let circle, _):
            throw Refusal(
                .refused, code: "is_circle",
                "\(circle.name) is a circle. Name one person. If a person has this name, write "
                    + "\(WhoText(.person, circle.name).text).")
        case .stranger(_, let address):
            throw Refusal(
                .refused, code: "unknown_person", "Nobody has the address \"\(address)\".")
        }
    }

    /// The person that a WHO means. The owner of the installation, who sees everything, can also
    /// name people who are not in their own address book.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    func knownPerson(_ who: String) async throws -> Person {
        do {
            return try await person(who)
        } catch let refusal as Refusal where refusal.code == "unknown_person" && actsAsOwner {
            let others = try await store.persons(
                fitting: WhoText.person(in: who), outside: owner.id,
                limit: PersonSearch.candidatesMax)
            guard let other = others.first?.person else { throw refusal }
            guard others.count == 1 else {
                throw try await searching { try $0.ambiguous(who, others.map(\.person)) }
            }
            return other
        }
    }

    /// Finds the meeting that a text means: an id or its first characters, part of the title of a
    /// coming meeting, `next` or `last`.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting` or `ambiguous_meeting`.
    package func meetingID(_ text: String) async throws -> MeetingID {
        try only(await meetings(called: text), text)
    }

    /// Finds the meeting that a text means if a date of a series is given, too. Among several
    /// meetings of this name, it is the one that has the date.
    func meetingID(
        _ text: String, on date: String?, pastToo isPastToo: Bool = false
    ) async throws -> MeetingID {
        let found = try await meetings(called: text)
        guard let date, found.count > 1 else { return try only(found, text) }
        var having: [(meeting: MeetingSummary, date: SeriesDate)] = []
        var refusal: Refusal?
        for meeting in found {
            guard let bundle = try await store.meetingBundle(meeting.id) else { continue }
            do {
                let own = try drafting.date(date, of: bundle.meeting, pastToo: isPastToo)
                having.append((meeting, own))
            } catch let error as Refusal where error.code != "no_series" {
                refusal = error
            } catch is Refusal {}
        }
        if having.isEmpty, let refusal { throw refusal }
        if date == Planner.nextDateName {
            having.sort { $0.date.time.startsAt < $1.date.time.startsAt }
            having = Array(having.prefix(1))
        }
        return try only(having.isEmpty ? found : having.map(\.meeting), text)
    }

    private func meetings(called text: String) async throws -> [MeetingSummary] {
        try Refusal.checkNames(text, a: "meeting")
        switch text {
        case "next": return try await next()
        case "last": return try await last()
        default: break
        }
        let byID = try await meetings(withPrefix: text)
        guard byID.isEmpty else { return byID }
        let key = SearchKey.fold(text)
        let coming = try await comingMeetings()
        let titled = coming.map { ($0, SearchKey.fold($0.title)) }
        let exact = titled.filter { $0.1 == key }.map(\.0)
        guard exact.isEmpty else { return Self.confirmedFirst(exact) }
        let partly = key.isEmpty ? [] : titled.filter { $0.1.contains(key) }.map(\.0)
        guard !partly.isEmpty || coming.count <= Self.listRowsMax else {
            throw Refusal(
                .refused, code: "unknown_meeting",
                "None of the next \(Self.listRowsMax) meetings is called \"\(text)\". Later "
                    + "meetings are found by their id only.",
                advice: [.meetings(.list)])
        }
        return Self.confirmedFirst(partly)
    }

    /// The confirmed meetings among these, or all if none is confirmed: after a meeting was
    /// cancelled and created again, its title means the new one.
    private static func confirmedFirst(_ found: [MeetingSummary]) -> [MeetingSummary] {
        let confirmed = found.filter { $0.status == .confirmed }
        return confirmed.isEmpty ? found : confirmed
    }

    private func only(_ found: [MeetingSummary], _ text: String) throws -> MeetingID {
        guard let first = found.first else { throw Self.unknownMeeting(text) }
        guard found.count == 1 else {
            let isOfOneName = Set(found.map(\.title)).count == 1
            throw Refusal(
                .refused, code: "ambiguous_meeting",
                "Several meetings match \"\(text)\". Write "
                    + (isOfOneName ? "the id." : "more of the title, or the id."),
                candidates: try found.prefix(PersonSearch.candidatesMax).map {
                    .meeting(try line($0))
                })
        }
        return first.id
    }

    private func meetings(withPrefix text: String) async throws -> [MeetingSummary] {
        guard text.utf8.count >= 4, text.utf8.count <= 16 else { return [] }
        var filter = visible(limit: PersonSearch.candidatesMax)
        filter.idPrefix = text
        return try await summaries(filter)
    }

    private func comingMeetings() async throws -> [MeetingSummary] {
        var filter = visible(limit: Self.listRowsMax + 1)
        filter.endsAfter = now
        return try await summaries(filter)
    }

    /// The confirmed meeting that starts next.
    private func next() async throws -> [MeetingSummary] {
        var filter = visible(limit: 1)
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        return try await summaries(filter)
    }

    /// The meeting that ended last.
    private func last() async throws -> [MeetingSummary] {
        var filter = visible(limit: 1)
        filter.endsBefore = now
        filter.isOnlyConfirmed = true
        return try await summaries(filter)
    }

    /// Finds people of a meeting, or of one date of a series. If several people match a name,
    /// participants come first.
    package func participants(
        _ names: [String], of id: MeetingID, on date: String? = nil
    ) async throws -> [Person] {
        guard let all = try await store.meetingBundle(id) else {
            throw Self.unknownMeeting(id.text)
        }
        let bundle = try drafting.known(all, on: date)
        let present = bundle.everybody
        let day = date.map { _ in " on \(TimeWords.date(bundle.meeting.time.start.date))" } ?? ""
        let title = bundle.meeting.title + day
        var found: [Person] = []
        for name in names {
            try Refusal.checkNames(name, a: "person")
            found += try await participants(name, among: present, title: title)
        }
        return found.uniqued()
    }

    /// Finds one person to whom a meeting sends notifications. If several people match the name,
    /// present and former participants come first.
    func receiver(_ name: String, of id: MeetingID) async throws -> Person {
        try Refusal.checkNames(name, a: "person")
        let people = try await store.meetingBundle(id)?.people.values.map(\.self) ?? []
        let matches = Self.matches(name, among: people)
        guard let match = matches.first else { return try await knownPerson(name) }
        guard matches.count == 1 else {
            throw try await searching { try $0.ambiguous(name, matches) }
        }
        return match
    }

    private static func matches(_ name: String, among people: [Person]) -> [Person] {
        let told = WhoText(name)
        guard told?.kind != .circle else { return [] }
        let name = told?.name ?? name
        let key = SearchKey.fold(name)
        let address = MailAddress.folded(name)
        let exact = people.filter {
            SearchKey.fold($0.name) == key || MailAddress.folded($0.address) == address
                || $0.id.text == name
        }
        let partly = people.filter { person in
            SearchKey.fold(person.name).split(separator: " ").contains { $0.hasPrefix(key) }
        }
        return exact.isEmpty && !key.isEmpty ? partly : exact
    }

    private func participants(
        _ name: String, among present: [Person], title: String
    ) async throws -> [Person] {
        let matches = Self.matches(name, among: present)
        if matches.count == 1 { return matches }
        let meant: [Person]
        do {
            meant = try await persons(meantBy: name)
        } catch let refusal as Refusal {
            throw matches.isEmpty
                ? refusal : try await searching { try $0.ambiguous(name, matches) }
        }
        let both = meant.filter { person in present.contains { $0.id == person.id } }
        guard both.isEmpty else { return both }
        throw matches.isEmpty
            ? Refusal(
                .refused, code: "not_a_participant", "\"\(name)\" is not invited to \(title).")
            : try await searching { try $0.ambiguous(name, matches) }
    }

    private func persons(meantBy name: String) async throws -> [Person] {
        switch try await searching({ try $0.meaning(of: name) }) {
        case .person(let person): [person]
        case .circle(_, let members): members
        case .stranger: []
        }
    }
}
