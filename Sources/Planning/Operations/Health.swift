/// What one look at an installation showed.
public struct HealthCheck: Encodable, Sendable {
    /// How bad it is.
    public enum Status: String, Encodable, Sendable {
        /// All is well.
        case ok
        /// It works, and somebody should know.
        case warning
        /// It does not work.
        case problem
    }

    /// What was looked at.
    public let name: String
    /// How bad it is.
    public let status: Status
    /// What was seen, without names, addresses and keys.
    public let detail: String
    /// What to do; `null` when nothing is to be done.
    @Null public var advice: String?

    /// All is well.
    public init(_ name: String, _ detail: String) {
        self.init(name, .ok, detail, advice: nil)
    }

    /// Describes what was seen.
    public init(_ name: String, _ status: Status, _ detail: String, advice: String?) {
        self.name = name
        self.status = status
        self.detail = detail
        self.advice = advice
    }
}

/// What a look at a whole installation showed; safe to show to anybody.
public struct HealthReport: Encodable, Sendable {
    /// Whether nothing is a problem.
    public let ok: Bool
    /// Each look.
    public let checks: [HealthCheck]

    init(_ checks: [HealthCheck]) {
        self.checks = checks
        ok = !checks.contains { $0.status == .problem }
    }

    /// What is not well, a line each, with what to do about it.
    public var remarks: [String] {
        checks.filter { $0.status != .ok }.map { check in
            "\(check.name): \(check.detail)\(check.advice.map { ". \($0)" } ?? "")"
        }
    }

    /// A table to read: what is well in a line, what is not with what to do about it.
    public var text: String {
        let width = checks.map(\.name.count).max() ?? 0
        return checks.map { check in
            let name = check.name + String(repeating: " ", count: width - check.name.count)
            let mark =
                switch check.status {
                case .ok: "ok      "
                case .warning: "warning "
                case .problem: "PROBLEM "
                }
            let advice = check.advice.map {
                "\n" + String(repeating: " ", count: width + 11) + $0
            }
            return "\(mark) \(name)  \(check.detail)\(advice ?? "")"
        }.joined(separator: "\n")
    }
}
