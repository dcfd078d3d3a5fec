public import Timekeeping

/// The times at which a person is busy, sorted. No two spans of one kind overlap or touch.
///
/// ```swift
/// let times = BusyTimes(firm: [nine..<ten, ten..<eleven], tentative: [ten..<noon])
/// times.firm == [nine..<eleven]
/// times.tentative == [eleven..<noon]
/// ```
public struct BusyTimes: Equatable, Sendable {
    /// The times at which they are busy.
    public let firm: [Range<Moment>]
    /// The times at which they may be busy, without those at which they are.
    public let tentative: [Range<Moment>]

    /// No busy times.
    public static let never = BusyTimes(firm: [], tentative: [])

    /// Creates busy times from spans in any order, which may overlap.
    public init(firm: [Range<Moment>], tentative: [Range<Moment>]) {
        self.firm = firm.merged()
        self.tentative = tentative.merged().without(self.firm)
    }

    /// The busy times of both.
    public func union(_ other: BusyTimes) -> BusyTimes {
        if other.firm.isEmpty, other.tentative.isEmpty { return self }
        return BusyTimes(
            firm: firm + other.firm, tentative: tentative + other.tentative)
    }

    /// Finds a busy span that overlaps a time.
    ///
    /// - Parameter time: the time to check.
    /// - Returns: the first span that overlaps, and whether it is firm; firm spans take precedence.
    public func conflict(with time: Range<Moment>) -> (span: Range<Moment>, isFirm: Bool)? {
        if let span = firm.overlapping(time).first { return (span, true) }
        return tentative.overlapping(time).first.map { ($0, false) }
    }

    /// The spans that overlap a time.
    public func sharing(_ time: Range<Moment>) -> BusyTimes {
        BusyTimes(
            firm: Array(firm.overlapping(time)), tentative: Array(tentative.overlapping(time)))
    }
}
