extension Array {
    /// All orders of the elements.
    public var permutations: [[Element]] {
        guard count > 1 else { return [self] }
        return indices.flatMap { place -> [[Element]] in
            var rest = self
            let element = rest.remove(at: place)
            return rest.permutations.map { [element] + $0 }
        }
    }
}
