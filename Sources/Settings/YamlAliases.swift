/// Aliases of YAML (`*name`), which repeat a value that was marked before (`&name`).
///
/// The parser copies what an alias stands for. Aliases of values with aliases in them multiply, so
/// that a file of 1 kB could take minutes and gigabytes.
public enum YamlAliases {
    /// The maximum number of aliases in a text. Ten of them repeat nothing more than 40 times.
    public static let countMax = 10

    /// The line, counted from 1, of the first alias beyond ``countMax``; `nil` if there is none.
    ///
    /// Words such as `*name` in other text count only if `&name` occurs as well.
    public static func excess(in text: String) -> Int? {
        var (anchors, aliases) = (Set<[UInt8]>(), [(name: [UInt8], line: Int)]())
        var (line, sign, name) = (1, UInt8(0), [UInt8]())
        for octet in Array(text.utf8) + [UInt8(ascii: "\n")] {
            if sign != 0, isOfName(octet) {
                name.append(octet)
                continue
            }
            if sign == UInt8(ascii: "&") { anchors.insert(name) }
            if sign == UInt8(ascii: "*") { aliases.append((name, line)) }
            let isSign = octet == UInt8(ascii: "&") || octet == UInt8(ascii: "*")
            (sign, name) = (isSign ? octet : 0, [])
            if octet == UInt8(ascii: "\n") { line += 1 }
        }
        anchors.remove([])
        return aliases.filter { anchors.contains($0.name) }.dropFirst(countMax).first?.line
    }

    /// True for the characters of which libyaml lets the name of an anchor consist.
    private static func isOfName(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
