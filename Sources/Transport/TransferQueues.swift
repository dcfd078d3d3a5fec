/// What waits to be taken up: each at once, or in the queue that it names.
struct TransferQueues<Entry> {
    private struct Queue {
        var underWay = 0
        var waiting: [Entry] = []
    }

    /// Those whose turn has come.
    private var ready: [Entry] = []
    private var queues: [String: Queue] = [:]

    /// Whether there is one whose turn has come.
    var hasNext: Bool { !ready.isEmpty }

    /// Takes an entry in.
    ///
    /// - Returns: whether its turn has come.
    mutating func add(_ entry: Entry, to place: HTTPQueue?) -> Bool {
        if let place {
            guard queues[place.name, default: Queue()].underWay < place.concurrency else {
                queues[place.name]?.waiting.append(entry)
                return false
            }
            queues[place.name, default: Queue()].underWay += 1
        }
        ready.append(entry)
        return true
    }

    /// The first so many whose turn has come.
    mutating func takeNext(_ count: Int) -> [Entry] {
        let taken = Array(ready.prefix(count))
        ready.removeFirst(taken.count)
        return taken
    }

    /// Takes those away who wait for others, and whom nobody waits for any more.
    mutating func removeWaiting(where isGone: (Entry) -> Bool) -> [Entry] {
        var gone: [Entry] = []
        for name in queues.keys {
            gone += queues[name]?.waiting.filter(isGone) ?? []
            queues[name]?.waiting.removeAll(where: isGone)
        }
        return gone
    }

    /// One has ended, and it is the turn of the one behind it.
    mutating func leave(_ place: HTTPQueue?) {
        guard let name = place?.name, var queue = queues.removeValue(forKey: name) else { return }
        if queue.waiting.isEmpty {
            queue.underWay -= 1
        } else {
            ready.append(queue.waiting.removeFirst())
        }
        if queue.underWay > 0 { queues[name] = queue }
    }
}
