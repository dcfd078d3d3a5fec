/// The values that something had at each step of a simulation.
struct History<Value: Sendable>: Sendable {
    private var entries: [(step: Int, value: Value)]

    init(_ value: Value, at step: Int) {
        entries = [(step, value)]
    }

    /// The current value.
    var last: Value { entries[entries.count - 1].value }
    /// The step of the last change.
    var lastStep: Int { entries[entries.count - 1].step }

    mutating func set(_ value: Value, at step: Int) {
        entries.append((step, value))
    }

    /// All values during a step: before a change in that step, and after it.
    func values(during step: Int) -> [Value] {
        let before = entries.last { $0.step < step }
        return ([before].compactMap(\.self) + entries.filter { $0.step == step }).map(\.value)
    }

    /// All values during any of these steps.
    func values(during steps: [Int]) -> [Value] {
        steps.flatMap { values(during: $0) }
    }
}
