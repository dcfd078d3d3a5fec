/// Occurrences that are known before their turn, the first of them at hand: a binary heap.
///
/// All from one on that are earlier by an hour are an hour's worth of occurrences here, which may
/// be many.
struct WaitingOccurrences: Sendable {
    private var heap: [Occurrence] = []

    /// The first of them; `nil` when there is none.
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

    /// Takes the first of them out, and returns it; `nil` when there is none.
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
