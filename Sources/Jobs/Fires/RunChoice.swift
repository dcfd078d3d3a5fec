import Ledger
import Timekeeping

/// Decides which runs start: one at a time for each line, and a limited number in all.
struct RunChoice {
    /// The most runs at the same time.
    static let togetherMax = 4
    /// A run is given up after this many daemons stopped during it.
    static let startsMax = 10

    /// The running runs, and the first waiting run of each line.
    let open: [JobRun]
    /// The ids of the runs that this daemon is working on.
    let going: Set<Int64>

    /// The running runs without a daemon.
    var orphans: [JobRun] { open.filter { $0.state == .running && !going.contains($0.id) } }

    /// The runs that start at `now`.
    func beginning(now: Moment) -> [JobRun] {
        let begun = open.filter { $0.state == .running || going.contains($0.id) }
        var busy = Set(begun.map { $0.line ?? "" })
        let next = open.filter { run in
            run.state == .waiting && run.due <= now && busy.insert(run.line ?? "").inserted
        }
        return Array(next.prefix(max(0, Self.togetherMax - going.count)))
    }

    /// The earliest due time of the runs that cannot start yet.
    func next(after now: Moment) -> Moment? {
        open.filter { $0.state == .waiting && $0.due > now }.map(\.due).min()
    }
}
