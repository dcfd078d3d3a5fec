import Ledger
import Timekeeping

/// Decides which runs begin: of each line one after the other, and of all not too many at once.
struct RunChoice {
    /// So many runs go on at once.
    static let togetherMax = 4
    /// A run under which so many daemons died is given up.
    static let startsMax = 10

    /// Those that go on, and the first of each line that is still to begin.
    let open: [JobRun]
    /// The numbers of those that this daemon works on.
    let going: Set<Int64>

    /// Those that no daemon works on any more.
    var orphans: [JobRun] { open.filter { $0.state == .running && !going.contains($0.id) } }

    /// Those that begin now.
    func beginning(now: Moment) -> [JobRun] {
        let begun = open.filter { $0.state == .running || going.contains($0.id) }
        var busy = Set(begun.map { $0.line ?? "" })
        let next = open.filter { run in
            run.state == .waiting && run.due <= now && busy.insert(run.line ?? "").inserted
        }
        return Array(next.prefix(max(0, Self.togetherMax - going.count)))
    }

    /// When the next one may begin that cannot yet.
    func next(after now: Moment) -> Moment? {
        open.filter { $0.state == .waiting && $0.due > now }.map(\.due).min()
    }
}
