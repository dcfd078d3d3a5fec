/// Whom a notification is for.
public enum Receiver: Hashable, Sendable {
    /// A person, by their id.
    case person(String)
    /// All who read a channel that belongs to nobody alone: one delivery, however many there are.
    case audience(String)

    /// The name under which it stands in keys. No id of a person is one of an audience.
    public var text: String {
        switch self {
        case .person(let id): id
        case .audience(let name): name
        }
    }

    /// The person's id; `nil` for an audience.
    public var person: String? {
        if case .person(let id) = self { id } else { nil }
    }

    /// The audience's name; `nil` for a person.
    public var audience: String? {
        if case .audience(let name) = self { name } else { nil }
    }
}
