import ArgumentParser

/// How much a benchmark sends, and over how many connections.
struct SendSize: ParsableArguments {
    @Option(help: "How many messages.") var n = 20_000
    @Option(help: "How many connections are kept at once.") var connections = 10
    @Option(
        help: ArgumentHelp(
            "Leave one message here as it is sent, for a rival to send the same.",
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
