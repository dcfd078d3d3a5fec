/// What a benchmark found wrong with its own result.
struct BenchFault: Error, Equatable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
