/// Asks now and then whether the reading of a long file is to stop, because the person who sent the
/// file has cancelled its import.
struct ReadingPace {
    /// The number of lines or rows from one question to the next. They take some milliseconds.
    static let stepsEach = 100

    private let isStopped: () -> Bool
    private var count = 0

    /// Sets the pace.
    ///
    /// - Parameter isStopped: true if the reading is to stop. It is asked at the first step, and
    ///   then at each ``stepsEach``th.
    init(_ isStopped: @escaping () -> Bool) {
        self.isStopped = isStopped
    }

    /// Takes a step.
    ///
    /// - Returns: true if the reading goes on.
    mutating func mayGoOn() -> Bool {
        defer { count += 1 }
        return !count.isMultiple(of: Self.stepsEach) || !isStopped()
    }
}
