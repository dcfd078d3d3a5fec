/// Entries that wait to be started: immediately, or in the queue that they name.
struct TransferQueues<Entry> {
    private struct Queue {
        var underWay = 0
        var waiting: [Entry] = []
    }

    /// The entries whose turn has come.
    private var ready: [Entry] = []
    private var queues: [String: Queue] = [:]

    /// True if there is an entry whose turn has come.
    var hasNext: Bool { !ready.isEmpty }

    /// Adds an entry.
    ///
    /// - Returns: true if its turn has come already.
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

    /// Removes and returns up to `count` entries whose turn has come.
    mutating func takeNext(_ count: Int) -> [Entry] {
        let taken = Array(ready.prefix(count))
        ready.removeFirst(taken.count)
        return taken
    }

    /// Removes and returns the entries that wait in queues and whose caller has given up.
    mutating func removeWaiting(where isGone: (Entry) -> Bool) -> [Entry] {
        var gone: [Entry] = []
        for name in queues.keys {
            gone += queues[name]?.waiting.filter(isGone) ?? []
            queues[name]?.waiting.removeAll(where: isGone)
        }
        return gone
    }

    /// Ends an entry of a queue. The next one in that queue gets its turn.
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
