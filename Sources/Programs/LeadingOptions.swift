/// The options of every command, which may also stand before the command, as in
/// `letsmeet --home DIR meeting list`.
public struct LeadingOptions: Sendable {
    private let flags: Set<String>
    private let valued: Set<String>

    /// Makes a set of options.
    ///
    /// - Parameters:
    ///   - flags: the options without a value, such as `--json`.
    ///   - valued: the options with a value, such as `--home`.
    public init(flags: Set<String>, valued: Set<String>) {
        self.flags = flags
        self.valued = valued
    }

    /// The arguments with these options moved behind the command, where its parser expects them.
    public func movedBehind(_ arguments: [String]) -> [String] {
        var rest = arguments[...]
        var leading: [String] = []
        while let count = length(rest) {
            leading += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        guard rest.first?.hasPrefix("-") == false else { return arguments }
        // After "--" nothing is an option.
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return rest[..<end] + leading + rest[end...]
    }

    /// Whether an argument is one of these options.
    func hold(_ argument: String) -> Bool { length([argument]) != nil }

    /// The number of arguments that the option at the beginning takes, including its name; `nil` if
    /// there is no option.
    private func length(_ arguments: ArraySlice<String>) -> Int? {
        guard let first = arguments.first else { return nil }
        if flags.contains(first) { return 1 }
        if valued.contains(first) { return min(2, arguments.count) }
        let name = first.prefix { $0 != "=" }
        return name.count < first.count && valued.contains(String(name)) ? 1 : nil
    }
}
