/// The reason why a time zone cannot be loaded, in sentences that may be shown to people.
public enum ZoneError: Error, Hashable, Sendable {
    /// No time zone has this name; `nearest` has up to three similar names.
    case unknown(id: String, nearest: [String])
    /// The file of the time zone does not follow its format.
    case malformed(id: String, fault: TZifFault)
    /// The file of the time zone exists but cannot be read; `errno` is the system's error number.
    case unreadable(id: String, errno: Int32)
}

extension ZoneError: CustomStringConvertible {
    /// A sentence that says what is wrong and, if that helps, what to write.
    public var description: String {
        switch self {
        case .unknown(let id, let nearest):
            "There is no time zone \(id.quoted)"
                + (WrittenOffset(id).map(Self.advice(on:)) ?? Self.advice(near: nearest))
        case .malformed(let id, let fault):
            "The file of time zone \(id.quoted) is damaged: \(fault)."
        case .unreadable(let id, let errno):
            "The file of time zone \(id.quoted) cannot be read (error \(errno))."
        }
    }

    /// The rest of the sentence about an unknown name, with the names similar to it.
    private static func advice(near nearest: [String]) -> String {
        nearest.isEmpty
            ? ": write a name such as Europe/Helsinki or an offset such as +03:00."
            : ": did you mean \(nearest.joined(separator: " or "))?"
    }

    /// The rest of the sentence about an offset in another spelling.
    private static func advice(on offset: WrittenOffset) -> String {
        guard let spelling = offset.spelling else {
            return ". Offsets go from -23:59 to +23:59, written as in +03:00; those of places go "
                + "from -12:00 to +14:00."
        }
        return ". For a fixed offset, write \(spelling); "
            + "for a place with its summer time, its name, such as Europe/Helsinki."
    }
}
