/// Set operations on sorted spans.
extension Array {
    /// The spans sorted, with overlapping and touching ones merged and empty ones removed.
    package func merged<Bound: Comparable>() -> [Range<Bound>] where Element == Range<Bound> {
        var merged: [Range<Bound>] = []
        for span in filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound >= span.lowerBound {
                merged[merged.count - 1] =
                    last.lowerBound..<Swift.max(last.upperBound, span.upperBound)
            } else {
                merged.append(span)
            }
        }
        return merged
    }

    /// The spans minus the other ones. Both lists must be merged.
    package func without<Bound: Comparable>(
        _ others: [Range<Bound>]
    ) -> [Range<Bound>] where Element == Range<Bound> {
        var left: [Range<Bound>] = []
        var next = others.startIndex
        for span in self {
            while next < others.endIndex, others[next].upperBound <= span.lowerBound { next += 1 }
            var start = span.lowerBound
            for other in others[next...].prefix(while: { $0.lowerBound < span.upperBound }) {
                if start < other.lowerBound { left.append(start..<other.lowerBound) }
                start = Swift.max(start, other.upperBound)
            }
            if start < span.upperBound { left.append(start..<span.upperBound) }
        }
        return left
    }

    /// The spans that overlap another span. The list must be sorted.
    package func overlapping<Bound: Comparable>(
        _ span: Range<Bound>
    ) -> ArraySlice<Range<Bound>> where Element == Range<Bound> {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound > span.lowerBound {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return self[low...].prefix { $0.lowerBound < span.upperBound }
    }
}
