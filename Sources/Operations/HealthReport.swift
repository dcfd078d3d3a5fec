public import Agenda

/// The result of one check of an installation.
public struct HealthCheck: Encodable, Sendable {
    /// The severity of a result.
    public enum Status: String, Encodable, Sendable {
        /// No problem was found.
        case ok
        /// It works, but needs attention.
        case warning
        /// It does not work.
        case problem
    }

    /// The name of the checked part.
    public let name: String
    /// The severity.
    public let status: Status
    /// The finding, without names of people, addresses and keys.
    public let detail: String
    /// The actions that help, the best first; empty if there is nothing to do.
    public let advice: [Advice]

    private enum CodingKeys: String, CodingKey { case name, status, detail, advice }

    /// Creates the result of a check that found no problem.
    public init(_ name: String, _ detail: String) {
        self.init(name, .ok, detail, advice: [])
    }

    /// Creates a result.
    public init(_ name: String, _ status: Status, _ detail: String, advice: [Advice]) {
        self.name = name
        self.status = status
        self.detail = detail
        self.advice = advice
    }

    /// Writes the advice as one text, in the words of the interface that encodes; `null` if there
    /// is nothing to do.
    public func encode(to encoder: any Encoder) throws {
        let renderer = CodingUserInfoKey.adviceRenderer.flatMap {
            encoder.userInfo[$0] as? Advice.Renderer
        }
        let sentences = sentences(renderer)
        let text: String? = sentences.isEmpty ? nil : Remark.joined(sentences)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(status, forKey: .status)
        try container.encode(detail, forKey: .detail)
        try container.encode(text, forKey: .advice)
    }

    /// The advice in words, one text for each action.
    ///
    /// - Parameter renderer: puts an action into words; without it, only plain sentences are
    ///   returned.
    /// - Returns: the texts, in the order of the actions.
    fileprivate func sentences(_ renderer: Advice.Renderer?) -> [String] {
        advice.compactMap { action -> String? in
            if case .say(let sentence) = action { return sentence }
            return renderer?(action)
        }
    }

}

/// The results of all checks of an installation. They contain nothing private and can be shown to
/// anybody.
public struct HealthReport: Encodable, Sendable {
    /// True if no check found a problem; warnings are allowed.
    public let ok: Bool
    /// The results.
    public let checks: [HealthCheck]

    init(_ checks: [HealthCheck]) {
        self.checks = checks
        ok = !checks.contains { $0.status == .problem }
    }

    /// The warnings and problems with their advice, one line each.
    ///
    /// - Parameter renderer: puts advice into words; without it, only plain sentences are used.
    /// - Returns: the lines; empty if all is well.
    public func remarks(_ renderer: Advice.Renderer? = nil) -> [String] {
        checks.filter { $0.status != .ok }.map { check in
            Remark.joined(["\(check.name): \(check.detail)"] + check.sentences(renderer))
        }
    }

    /// The results as a table with one line for each check. Advice follows on lines of its own.
    ///
    /// - Parameters:
    ///   - renderer: puts advice into words; without it, only plain sentences are used.
    ///   - rows: the rows of a text in a number of columns less than the screen has.
    /// - Returns: the table, without a line end.
    public func text(
        _ renderer: Advice.Renderer? = nil,
        rows: (_ text: String, _ less: Int) -> [String] = { text, _ in [text] }
    ) -> String {
        let width = checks.map(\.name.count).max() ?? 0
        let indentation = width + 11
        let start = "\n" + String(repeating: " ", count: indentation)
        return checks.map { check in
            let name = check.name + String(repeating: " ", count: width - check.name.count)
            let mark =
                switch check.status {
                case .ok: "ok     "
                case .warning: "warning"
                case .problem: "PROBLEM"
                }
            let texts = [check.detail] + check.sentences(renderer)
            return "\(mark)  \(name)  "
                + texts.flatMap { rows($0, indentation) }.joined(separator: start)
        }.joined(separator: "\n")
    }
}
