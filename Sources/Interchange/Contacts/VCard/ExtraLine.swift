/// A property without a field of its own, as an unfolded line of vCard 3.0 and 4.0.
enum ExtraLine {
    /// `property` with its decoded value `value`.
    ///
    /// Everything that a 3.0 reader understands stays unchanged, byte for byte. Syntax that only
    /// 2.1 has is converted to 3.0: bare parameters, BASE64, QUOTED-PRINTABLE and CHARSET.
    static func line(_ property: VCardProperty, value: ArraySlice<UInt8>) -> String {
        let text =
            property.isBase64
            ? String(decoding: value.filter { !$0.isBlank }, as: UTF8.self)
            : String(decoding: value, as: UTF8.self).replacingLineBreaks
        let head =
            isOfOldSyntax(property)
            ? rebuiltHead(property) : DecodedText(property.head, charset: nil).text
        return KeptText.line(head + ":" + text)
    }

    /// The property name of `line`, in capitals and without its group.
    static func name(of line: String) -> String {
        let head = line.utf8.prefix { $0 != .colon && $0 != .semicolon }
        let name = head.split(separator: UInt8(ascii: ".")).last ?? head
        return String(decoding: name, as: UTF8.self).uppercased()
    }

    /// The parsed `line`; `nil` if it is not a property, or if it is one that belongs to the card
    /// as a whole.
    static func property(of line: String) -> VCardProperty? {
        let bytes = Array(KeptText.line(line).utf8)[...]
        guard let property = VCardProperty(LogicalLine(number: 1, bytes: bytes)),
            !["BEGIN", "END", "VERSION"].contains(property.name)
        else { return nil }
        return property
    }

    private static func isOfOldSyntax(_ property: VCardProperty) -> Bool {
        property.hasBareParameter || property.parameter("CHARSET") != nil
            || property.encoding.map { $0 != "B" } ?? false
    }

    private static func rebuiltHead(_ property: VCardProperty) -> String {
        var head = property.group.isEmpty ? property.name : "\(property.group).\(property.name)"
        for parameter in property.parameters {
            switch (parameter.name, parameter.value.uppercased()) {
            case ("CHARSET", _): continue
            case ("ENCODING", let encoding):
                if encoding == "BASE64" || encoding == "B" { head += ";ENCODING=b" }
            default: head += ";\(parameter.name)=\(ParameterEscapes.encoded(parameter.value))"
            }
        }
        return head
    }
}

extension ContactCard {
    /// The longest line of ``extra`` that is no picture or other large value, in octets.
    public static let extraOctetsMax = 1000
    /// The most lines of ``extra`` to which lines of other cards are added.
    private static let extraLinesMax = 100

    /// Adds the lines of ``extra`` that another card has and this one lacks, with their labels. A
    /// picture or another large value replaces those of the same property, and so does a value that
    /// a card has once. Languages are not added: see ``language``. A card with very many lines gets
    /// no more, but its values are still replaced.
    public mutating func takeExtra(of newer: ContactCard) {
        var entries = ExtraEntry.all(of: extra)
        var contents = Set(entries.map(\.content))
        var groups = Set(entries.map(\.group))
        var unique = Set(entries.flatMap(\.uniqueNames))
        for entry in ExtraEntry.all(of: newer.extra)
        where !entry.names.contains("LANG") && contents.insert(entry.content).inserted {
            let gone =
                unique.isDisjoint(with: entry.uniqueNames)
                ? [] : entries.filter { $0.isReplaced(by: entry) }.flatMap(\.lines)
            let count = extra.count - gone.count + entry.lines.count
            guard count <= max(Self.extraLinesMax, extra.count) else { continue }
            if !gone.isEmpty {
                removeExtra(gone)
                entries.removeAll { $0.isReplaced(by: entry) }
            }
            // The group of another value would give both the same label.
            let added = entry.moved(to: entry.group(besides: groups))
            groups.insert(added.group)
            unique.formUnion(added.uniqueNames)
            entries.append(added)
            extra += added.lines
        }
    }

    /// Removes the lines of ``extra`` that other cards have, each together with its label.
    public mutating func removeExtra(of others: [ContactCard]) {
        let contents = Set(others.flatMap { ExtraEntry.all(of: $0.extra).map(\.content) })
        guard !contents.isEmpty else { return }
        let gone = ExtraEntry.all(of: extra).filter { contents.contains($0.content) }
        removeExtra(gone.flatMap(\.lines))
    }

    private mutating func removeExtra(_ lines: [String]) {
        let gone = Set(lines)
        extra.removeAll(where: gone.contains)
    }
}

/// A line of ``ContactCard/extra``, or all lines of one group: a value with its label.
private struct ExtraEntry {
    /// The group; empty if the line has none.
    private(set) var group: String
    private(set) var lines: [String] = []
    /// The lines without their group, for comparisons.
    private(set) var content: Set<String> = []
    /// The names of the properties.
    private(set) var names: Set<String> = []
    /// The names of the properties of which a card has one: those with pictures and other large
    /// values, and those that are meant once.
    private(set) var uniqueNames: Set<String> = []

    /// The entries of some lines, in the order of their first lines.
    static func all(of lines: [String]) -> [ExtraEntry] {
        var entries: [ExtraEntry] = []
        var places: [String: Int] = [:]
        for line in lines {
            let group = ExtraLine.property(of: line)?.group ?? ""
            let place = places[group] ?? entries.count
            if place == entries.count { entries.append(ExtraEntry(group: group)) }
            if !group.isEmpty { places[group] = place }
            entries[place].add(line)
        }
        return entries
    }

    private init(group: String) { self.group = group }

    private mutating func add(_ line: String) {
        let name = ExtraLine.name(of: line)
        lines.append(line)
        content.insert(String(ExtraLine.plain(line).dropFirst(group.count)))
        names.insert(name)
        if line.utf8.count > ContactCard.extraOctetsMax || ExtraLine.singleNames.contains(name) {
            uniqueNames.insert(name)
        }
    }

    /// True if a newer entry has a value that a card has once, in place of this one.
    func isReplaced(by newer: ExtraEntry) -> Bool {
        !uniqueNames.isDisjoint(with: newer.uniqueNames)
    }

    /// The group, or another one if it is taken.
    func group(besides taken: Set<String>) -> String {
        guard !group.isEmpty, taken.contains(group) else { return group }
        return (1...).lazy.map { "item\($0)" }.first { !taken.contains($0) } ?? group
    }

    /// The same lines in a group.
    func moved(to other: String) -> ExtraEntry {
        guard other != group else { return self }
        var entry = self
        entry.group = other
        entry.lines = lines.map { other + KeptText.line($0).dropFirst(group.count) }
        return entry
    }
}

extension ExtraLine {
    /// The properties that a card has once (RFC 2426, RFC 6350), as far as they have no field.
    fileprivate static let singleNames: Set<String> = [
        "PRODID", "SORT-STRING", "MAILER", "CLASS", "PROFILE", "GENDER",
    ]

    /// `line` in the form of 4.0, for comparisons: the same picture can be encoded in several ways.
    fileprivate static func plain(_ line: String) -> String {
        property(of: line).map { BinaryProperty.line($0, for: .v4) } ?? line
    }
}

extension String {
    /// The text with line breaks, which quoted-printable can carry, as escapes of 3.0.
    fileprivate var replacingLineBreaks: String {
        guard utf8.contains(.lineFeed) || utf8.contains(.carriageReturn) else { return self }
        return KeptText.block(self).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\\n")
    }
}
