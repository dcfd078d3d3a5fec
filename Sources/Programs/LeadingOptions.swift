/// Options that every command takes, and that may stand before the command too, as in
/// `letsmeet --home DIR meeting list`.
public struct LeadingOptions: Sendable {
    private let flags: Set<String>
    private let valued: Set<String>

    /// Names the options.
    ///
    /// - Parameters:
    ///   - flags: those without a value, such as `--json`.
    ///   - valued: those with one, such as `--home`.
    public init(flags: Set<String>, valued: Set<String>) {
        self.flags = flags
        self.valued = valued
    }

    /// The same call with these options behind the command, where its parser looks for them.
    public func movedBehind(_ arguments: [String]) -> [String] {
        var rest = arguments[...]
        var leading: [String] = []
        while let count = length(rest) {
            leading += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        guard rest.first?.hasPrefix("-") == false else { return arguments }
        // Behind a "--" nothing is an option any more.
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return rest[..<end] + leading + rest[end...]
    }

    /// Whether an argument is one of these options.
    func hold(_ argument: String) -> Bool { length([argument]) != nil }

    /// How many arguments the option at the beginning takes, with its own name.
    private func length(_ arguments: ArraySlice<String>) -> Int? {
        guard let first = arguments.first else { return nil }
        if flags.contains(first) { return 1 }
        if valued.contains(first) { return min(2, arguments.count) }
        let name = first.prefix { $0 != "=" }
        return name.count < first.count && valued.contains(String(name)) ? 1 : nil
    }
}
