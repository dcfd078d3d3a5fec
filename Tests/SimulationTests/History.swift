/// What something was at each step of a simulation.
struct History<Value: Sendable>: Sendable {
    private var entries: [(step: Int, value: Value)]

    init(_ value: Value, at step: Int) {
        entries = [(step, value)]
    }

    /// What it is now.
    var last: Value { entries[entries.count - 1].value }
    /// The step with which it became that.
    var lastStep: Int { entries[entries.count - 1].step }

    mutating func set(_ value: Value, at step: Int) {
        entries.append((step, value))
    }

    /// All that it was during a step: before what changed it then, and after.
    func values(during step: Int) -> [Value] {
        let before = entries.last { $0.step < step }
        return ([before].compactMap(\.self) + entries.filter { $0.step == step }).map(\.value)
    }

    /// All that it was during any of these steps.
    func values(during steps: [Int]) -> [Value] {
        steps.flatMap { values(during: $0) }
    }
}
