/// A model of the wheel in its simplest form: a sorted array.
struct ModelWheel {
    struct Timer: Hashable {
        let deadline: UInt64
        let payload: UInt32
    }

    private(set) var now: UInt64
    private(set) var timers: [Timer] = []

    init(now: UInt64) {
        self.now = now
    }

    mutating func add(deadline: UInt64, payload: UInt32) {
        let timer = Timer(
            deadline: min(max(deadline, now), UInt64(Int64.max)), payload: payload)
        let index = timers.partitionPoint { $0.deadline > timer.deadline }
        timers.insert(timer, at: index)
    }

    mutating func cancel(payload: UInt32) -> Bool {
        guard let index = timers.firstIndex(where: { $0.payload == payload }) else { return false }
        timers.remove(at: index)
        return true
    }

    mutating func move(payload: UInt32, to deadline: UInt64) -> Bool {
        guard cancel(payload: payload) else { return false }
        add(deadline: deadline, payload: payload)
        return true
    }

    func deadline(payload: UInt32) -> UInt64? {
        timers.first { $0.payload == payload }?.deadline
    }

    /// The timers that become due, in order of deadline.
    mutating func advance(to time: UInt64) -> [Timer] {
        now = max(now, min(time, UInt64(Int64.max)))
        let index = timers.partitionPoint { $0.deadline > now }
        defer { timers.removeFirst(index) }
        return Array(timers[..<index])
    }
}

extension [ModelWheel.Timer] {
    /// The first index whose element satisfies a condition that holds for all later elements too.
    func partitionPoint(where isBeyond: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
