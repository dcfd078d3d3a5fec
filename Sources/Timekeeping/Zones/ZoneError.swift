/// Why there is no zone, in sentences that may be shown to people.
public enum ZoneError: Error, Hashable, Sendable {
    /// No zone has this name; `nearest` are up to three names that look like it.
    case unknown(id: String, nearest: [String])
    /// The zone's file breaks its format.
    case malformed(id: String, fault: TZifFault)
    /// The zone's file is there and cannot be read; `errno` is the system's number for the reason.
    case unreadable(id: String, errno: Int32)
}

extension ZoneError: CustomStringConvertible {
    /// What is wrong, and what to write where that helps.
    public var description: String {
        switch self {
        case .unknown(let id, let nearest) where nearest.isEmpty:
            "There is no time zone \(id.quoted): write a name such as Europe/Helsinki "
                + "or an offset such as +03:00."
        case .unknown(let id, let nearest):
            "There is no time zone \(id.quoted): did you mean "
                + nearest.joined(separator: " or ") + "?"
        case .malformed(let id, let fault):
            "The file of time zone \(id.quoted) is damaged: \(fault)."
        case .unreadable(let id, let errno):
            "The file of time zone \(id.quoted) cannot be read (error \(errno))."
        }
    }
}
