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
        case .unknown(let id, _) where Self.hoursAhead(in: id) != nil:
            Self.advice(onOffset: Self.hoursAhead(in: id) ?? 0, of: id)
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

    /// The hours ahead of UTC in a text such as "GMT+2"; `nil` for other texts.
    private static func hoursAhead(in id: String) -> Int? {
        let text = id.uppercased()
        guard let name = ["GMT", "UTC"].first(where: text.hasPrefix) else { return nil }
        let offset = text.dropFirst(name.utf8.count).filter { $0 != " " }
        guard offset.hasPrefix("+") || offset.hasPrefix("-"), let hours = Int(offset),
            (1...14).contains(abs(hours))
        else { return nil }
        return hours
    }

    private static func advice(onOffset hours: Int, of id: String) -> String {
        let sign = hours < 0 ? "-" : "+"
        let digits = abs(hours) < 10 ? "0\(abs(hours))" : "\(abs(hours))"
        return "There is no time zone \(id.quoted). For a fixed offset, write \(sign)\(digits):00; "
            + "for a place with its summer time, its name, such as Europe/Helsinki."
    }
}
