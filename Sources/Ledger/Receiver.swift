/// The receiver of a notification.
public enum Receiver: Hashable, Sendable {
    /// A person, by their id.
    case person(String)
    /// All readers of a shared channel: one delivery, no matter how many readers there are.
    case audience(String)

    /// The name in keys. A person's id never equals the name of an audience.
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
