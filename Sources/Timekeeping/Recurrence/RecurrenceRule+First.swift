extension RecurrenceRule {
    /// The first time on the wall, from one on, that the rule names whatever its end: a meeting
    /// that is asked for "every Tuesday" from a Friday on is first on a Tuesday. What recurs from
    /// that time on has no other start.
    ///
    /// - Parameter start: the earliest; what the rule leaves open comes from it.
    /// - Returns: the time; `nil` where there is none.
    public func firstTime(from start: WallTime) -> WallTime? {
        RuleWalk(self, from: start).firstNamed().map {
            WallTime(secondsSince1970: Int64($0))
        }
    }
}
