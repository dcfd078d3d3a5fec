/// The contents of a zone file: the listed transitions, and the rule for the time after them.
final class ZoneRules: Sendable {
    /// Seconds since 1970 UTC, ascending.
    let transitions: [Int64]
    /// The index in `types` of the local time type after each transition.
    let typeIndexes: [UInt8]
    /// The local time types. Never empty; the first one applies before the first transition.
    let types: [LocalTimeType]
    /// The rule that applies from the last transition on, or always if there are no transitions.
    let footer: PosixRule?

    init(
        transitions: [Int64] = [], typeIndexes: [UInt8] = [], types: [LocalTimeType],
        footer: PosixRule? = nil
    ) {
        precondition(transitions.count == typeIndexes.count && !types.isEmpty)
        self.transitions = transitions
        self.typeIndexes = typeIndexes
        self.types = types
        self.footer = footer
    }

    /// The local time type at a second since 1970 UTC.
    func type(at seconds: Int64) -> LocalTimeType {
        let count = transitionCount(upTo: seconds)
        guard count == transitions.count, let footer else { return listedType(count) }
        return footer.type(at: seconds)
    }

    /// The period with unchanged clocks that contains a second since 1970 UTC. The periods next to
    /// it may have the same type.
    func stretch(at seconds: Int64) -> Stretch {
        let count = transitionCount(upTo: seconds)
        let start = count == 0 ? .min : transitions[count - 1]
        guard count == transitions.count else {
            return Stretch(start: start, end: transitions[count], type: listedType(count))
        }
        guard let footer else { return Stretch(start: start, end: .max, type: listedType(count)) }
        let stretch = footer.stretch(at: seconds)
        return Stretch(start: max(start, stretch.start), end: stretch.end, type: stretch.type)
    }

    /// The local time type after the first `count` transitions.
    private func listedType(_ count: Int) -> LocalTimeType {
        types[count == 0 ? 0 : Int(typeIndexes[count - 1])]
    }

    /// The number of transitions up to a time, by binary search.
    private func transitionCount(upTo seconds: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension ZoneRules: Hashable {
    static func == (left: ZoneRules, right: ZoneRules) -> Bool {
        left === right
            || left.transitions == right.transitions && left.typeIndexes == right.typeIndexes
                && left.types == right.types && left.footer == right.footer
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(transitions.last)
        hasher.combine(types)
        hasher.combine(footer)
    }
}
