extension ImportReport {
    /// The parts of one kind in one file.
    public struct Kind: Sendable {
        /// The first part.
        public let first: Skipped
        /// The number of places.
        public fileprivate(set) var count: Int
        /// True if all parts say the same, apart from the names of people and events.
        public fileprivate(set) var areSame = true
        /// The next parts that name a person or an event, or their lines, at most
        /// ``examplesMax``.
        public fileprivate(set) var examples: [Skipped] = []

        /// The most examples besides the first part.
        public static let examplesMax = 5
    }
}

extension [ImportReport.Skipped] {
    /// The number of places.
    public var placeCount: Int { reduce(0) { $0 + $1.count } }

    /// The kinds of parts in each file, in the order of their first parts.
    public var kinds: [ImportReport.Kind] {
        var places: [[String]: Int] = [:]
        var kinds: [ImportReport.Kind] = []
        for part in self {
            if let place = places[[part.file, part.kind]] {
                kinds[place].count += part.count
                if part.statement != kinds[place].first.statement { kinds[place].areSame = false }
                if part.count == 1, kinds[place].examples.count < ImportReport.Kind.examplesMax {
                    kinds[place].examples.append(part)
                }
            } else {
                places[[part.file, part.kind]] = kinds.count
                kinds.append(ImportReport.Kind(first: part, count: part.count))
            }
        }
        return kinds
    }
}
