/// The model of the wheel, implemented as simply as possible: an array of timers sorted by
/// deadline.
struct WheelModel {
    struct Timer: Equatable {
        let deadline: UInt64
        let id: UInt32

        /// Timers with the same deadline are sorted by number, so that a timer can be looked up.
        func isDue(after other: Timer) -> Bool {
            deadline > other.deadline || deadline == other.deadline && id > other.id
        }
    }

    private(set) var now: UInt64
    /// Sorted with the first due timer last, so that it is cheap to remove.
    private(set) var timers: [Timer] = []

    init(now: UInt64) {
        self.now = now
    }

    var first: Timer? { timers.last }

    func taken(_ deadline: UInt64) -> UInt64 {
        min(max(deadline, now), UInt64(Int64.max))
    }

    mutating func insert(_ timer: Timer) {
        timers.insert(timer, at: place(of: timer))
    }

    /// Removes a timer.
    ///
    /// - Returns: whether it was there.
    mutating func remove(_ timer: Timer) -> Bool {
        let place = place(of: timer)
        guard place < timers.count, timers[place] == timer else { return false }
        timers.remove(at: place)
        return true
    }

    mutating func go(to time: UInt64) {
        now = time
    }

    /// The first place whose timer is not due after `timer`.
    private func place(of timer: Timer) -> Int {
        var low = 0
        var high = timers.count
        while low < high {
            let middle = (low + high) / 2
            if timers[middle].isDue(after: timer) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
