import ArgumentParser

/// The number of messages and connections of a benchmark.
struct SendSize: ParsableArguments {
    @Option(help: "The number of messages.") var n = 20_000
    @Option(help: "The number of persistent connections.") var connections = 10
    @Option(
        help: ArgumentHelp(
            "Save one message as sent here, so that other programs can send the same.",
            valueName: "file"))
    var sample: String?

    func validate() throws {
        guard (1...10_000_000).contains(n) else {
            throw ValidationError("--n must be from 1 to 10000000.")
        }
        guard (1...200).contains(connections) else {
            throw ValidationError("--connections must be from 1 to 200.")
        }
    }

    func run(_ name: String, _ way: any SendBenchmark) -> SendRun {
        SendRun(
            name: name, way: way, count: n, connectionCount: connections, sample: sample)
    }
}
