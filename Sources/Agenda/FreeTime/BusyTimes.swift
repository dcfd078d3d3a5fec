public import Timekeeping

/// When somebody is busy: in order, and no two spans of one kind overlap or touch.
///
/// ```swift
/// let times = BusyTimes(firm: [nine..<ten, ten..<eleven], tentative: [ten..<noon])
/// times.firm == [nine..<eleven]
/// times.tentative == [eleven..<noon]
/// ```
public struct BusyTimes: Equatable, Sendable {
    /// When they are.
    public let firm: [Range<Moment>]
    /// When they may be, and are not.
    public let tentative: [Range<Moment>]

    /// Never.
    public static let never = BusyTimes(firm: [], tentative: [])

    /// Takes spans in any order, which may overlap.
    public init(firm: [Range<Moment>], tentative: [Range<Moment>]) {
        self.firm = firm.merged()
        self.tentative = tentative.merged().without(self.firm)
    }

    /// Both together.
    public func union(_ other: BusyTimes) -> BusyTimes {
        if other.firm.isEmpty, other.tentative.isEmpty { return self }
        return BusyTimes(
            firm: firm + other.firm, tentative: tentative + other.tentative)
    }

    /// What of it shares some time with another one.
    ///
    /// - Parameter time: the other one.
    /// - Returns: the first span that does, and whether it is firm; firm ones come first.
    public func conflict(with time: Range<Moment>) -> (span: Range<Moment>, isFirm: Bool)? {
        if let span = firm.overlapping(time).first { return (span, true) }
        return tentative.overlapping(time).first.map { ($0, false) }
    }

    /// Those of its spans that share something with a time.
    public func sharing(_ time: Range<Moment>) -> BusyTimes {
        BusyTimes(
            firm: Array(firm.overlapping(time)), tentative: Array(tentative.overlapping(time)))
    }
}
