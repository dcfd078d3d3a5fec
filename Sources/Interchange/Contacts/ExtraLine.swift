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

    /// Adds the lines of ``extra`` that another card has and this one lacks. A picture or another
    /// large value replaces those of the same property, and so does a value that a card has once.
    /// Languages are not added: see ``language``.
    public mutating func takeExtra(of newer: ContactCard) {
        var known = Set(extra.map(ExtraLine.plain))
        for line in newer.extra where known.insert(ExtraLine.plain(line)).inserted {
            let name = ExtraLine.name(of: line)
            guard name != "LANG" else { continue }
            if ExtraLine.singleNames.contains(name) {
                extra.removeAll { ExtraLine.name(of: $0) == name }
            } else if line.utf8.count > Self.extraOctetsMax {
                extra.removeAll {
                    $0.utf8.count > Self.extraOctetsMax && ExtraLine.name(of: $0) == name
                }
            }
            if extra.count < Self.extraLinesMax { extra.append(line) }
        }
    }

    /// Removes the lines of ``extra`` that another card has.
    public mutating func removeExtra(of other: ContactCard) {
        let lines = Set(other.extra.map(ExtraLine.plain))
        extra.removeAll { lines.contains(ExtraLine.plain($0)) }
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
