import Agenda
import Interchange
import Ledger
import Storage
import Wording

/// Everybody whom a list of names means.
struct GuestList {
    /// Who is asked.
    var all: [Person] = []
    /// Those of them who are new to the installation.
    var new: [Person] = []
    /// Their addresses, folded.
    var newAddresses: Set<String> = []
    /// Those of them who were named themselves, and not by a circle alone.
    var named: Set<PersonID> = []
    /// As whose people some of them are asked.
    var circles: [CircleID] = []
    /// What else there is to know, in sentences.
    var remarks: [String] = []

    private var ids: Set<PersonID> = []

    /// Adds people, each once, besides the organizer, who needs no invitation.
    mutating func add(_ people: [Person], besides organizer: PersonID) {
        for person in people where person.id != organizer && ids.insert(person.id).inserted {
            all.append(person)
        }
    }

    /// Leaves out who is in a meeting already and came by a circle alone: a circle means all of its
    /// people, but somebody who is named is meant.
    mutating func passOver(_ meeting: MeetingBundle) {
        let present = Set(meeting.participants.filter { !$0.isRemoved }.map(\.person))
        let passed = all.filter { present.contains($0.id) && !named.contains($0.id) }
        guard !passed.isEmpty else { return }
        all.removeAll { guest in passed.contains { $0.id == guest.id } }
        let more = passed.count > Self.namesMax ? " and \(passed.count - Self.namesMax) more" : ""
        let names = passed.prefix(Self.namesMax).map(\.name).joined(separator: ", ") + more
        let verb = passed.count == 1 ? "is" : "are"
        remarks.append("\(names) \(verb) in \(meeting.meeting.title) already.")
    }

    /// Names those who had answered before they were taken off a meeting: they are asked anew.
    mutating func noteAskedAgain(_ meeting: MeetingBundle, on date: String) {
        for guest in all where meeting.rows.haveToldOff(guest.id, on: date) {
            let before = meeting.participants.first { $0.person == guest.id && $0.isRemoved }
            guard let answer = before?.answer, answer != .invited else { continue }
            remarks.append("\(guest.name) had answered \(AnswerWords.word(answer)): asked again.")
        }
    }

    private static let namesMax = 5
}

extension Planner {
    /// Whether a text with commas in it is as a whole the name of exactly one person, and no list
    /// of several.
    public func isOneName(_ text: String) async throws -> Bool {
        try await searching { try $0.isOneName(text) }
    }

    /// Finds everybody whom a list of names, addresses and circles means, for a meeting of this
    /// organizer.
    ///
    /// Somebody who is named twice is refused; who is in two circles comes once.
    func guests(_ names: [String], organizer: PersonID) async throws -> GuestList {
        try await searching { try guests(names, organizer: organizer, $0) }
    }

    /// The same, where somebody searches already.
    func guests(
        _ names: [String], organizer: PersonID, _ search: PersonSearch
    ) throws -> GuestList {
        var list = GuestList()
        for name in names {
            switch try search.meaning(of: name) {
            case .person(let person):
                guard list.named.insert(person.id).inserted else {
                    throw Self.twice(person.name)
                }
                if person.id == organizer { list.remarks.append(takesPart(person)) }
                list.add([person], besides: organizer)
            case .circle(let circle, let members):
                list.circles.append(circle.id)
                list.add(members, besides: organizer)
            case .stranger(let name, let address):
                let folded = MailAddress.folded(address)
                guard list.newAddresses.insert(folded).inserted else {
                    throw Self.twice(address)
                }
                let person = Person(id: surroundings.chance.id(), name: name, address: address)
                list.new.append(person)
                list.add([person], besides: organizer)
            }
        }
        return list
    }

    private func takesPart(_ organizer: Person) -> String {
        organizer.id == actor.id
            ? "You are the organizer: you take part without an invitation."
            : "\(organizer.name) is the organizer and takes part without an invitation."
    }

    private static func twice(_ name: String) -> Refusal {
        Refusal(.refused, code: "person_twice", "\(name) is named twice. Name everybody once.")
    }
}
