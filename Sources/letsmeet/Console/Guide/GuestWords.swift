import Agenda
import Planning
import Wording

/// People and circles as shown to the person who invites them.
enum GuestWords {
    /// A line for each: the name, and if several have the same name, the address, too.
    static func lines(_ guests: [GuestView]) -> [String] {
        let keys = guests.map { SearchKey.fold($0.name) }
        return guests.enumerated().map { place, guest in
            let hasNamesake = keys.enumerated().contains {
                $0.offset != place && $0.element == keys[place]
            }
            return line(guest, isTold: hasNamesake || guest.hasNamesake)
        }
    }

    /// All guests in one line.
    static func list(_ guests: [GuestView]) -> String {
        lines(guests).joined(separator: ", ")
    }

    private static func line(_ guest: GuestView, isTold: Bool) -> String {
        switch guest.kind {
        case .circle(let count):
            "\(guest.name) (circle, \(TimeWords.count(count, "person", plural: "people")))"
        case .stranger:
            guest.name == guest.address
                ? "\(guest.name) (new)" : "\(guest.name) <\(guest.address)> (new)"
        case .person where !isTold: guest.name
        case .person:
            "\(guest.name) <\(guest.address.isEmpty ? guest.who : guest.address)>"
        }
    }
}
