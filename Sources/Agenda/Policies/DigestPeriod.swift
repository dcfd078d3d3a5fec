public import Timekeeping

/// How much time a digest looks over.
public enum DigestPeriod: String, CaseIterable, Sendable {
    /// A day.
    case daily
    /// A week.
    case weekly

    /// So much.
    public var span: TimeSpan { TimeSpan(days: self == .daily ? 1 : 7, seconds: 0) }
}
