/// A priority queue of occurrences that are known ahead of their turn: a binary heap with the
/// earliest one first.
///
/// It can become large: if all occurrences from one on are moved an hour earlier, it holds the
/// occurrences of an hour.
struct WaitingOccurrences: Sendable {
    private var heap: [Occurrence] = []

    /// The earliest occurrence; `nil` if the queue is empty.
    var first: Occurrence? { heap.first }

    mutating func insert(_ occurrence: Occurrence) {
        heap.append(occurrence)
        var place = heap.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place].comes(before: heap[parent]) else { return }
            heap.swapAt(place, parent)
            place = parent
        }
    }

    /// Removes and returns the earliest occurrence; `nil` if the queue is empty.
    mutating func popFirst() -> Occurrence? {
        guard let last = heap.popLast() else { return nil }
        guard let first = heap.first else { return last }
        heap[0] = last
        var place = 0
        while true {
            let (left, right) = (2 * place + 1, 2 * place + 2)
            var least = place
            if left < heap.count, heap[left].comes(before: heap[least]) { least = left }
            if right < heap.count, heap[right].comes(before: heap[least]) { least = right }
            guard least != place else { return first }
            heap.swapAt(place, least)
            place = least
        }
    }
}
