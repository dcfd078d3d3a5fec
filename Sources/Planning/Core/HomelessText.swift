/// Hides user names in the paths of home folders, so that a text may be shown to anybody.
package struct HomelessText {
    /// The home folder of the user who runs the program; `nil` if `HOME` is not an absolute path,
    /// or is the root folder.
    private let home: [Character]?

    /// Takes the value of `HOME`.
    package init(home: String?) {
        let path = home.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
        self.home = path.hasPrefix("/") ? Array(path) : nil
    }

    /// The text with `~` for the user's own home folder, and `…` for the name of any other user.
    package func of(_ text: String) -> String {
        let characters = Array(text)
        var shown = ""
        var index = 0
        while index < characters.count {
            let rest = characters[index...]
            if let home, rest.starts(with: home), Self.nameLength(rest.dropFirst(home.count)) == 0,
                index == 0 || Self.endsName(characters[index - 1])
            {
                shown += "~"
                index += home.count
            } else if rest.starts(with: Self.homes) {
                let length = Self.nameLength(rest.dropFirst(Self.homes.count))
                shown += String(Self.homes) + (length > 0 ? "…" : "")
                index += Self.homes.count + length
            } else {
                shown.append(characters[index])
                index += 1
            }
        }
        return shown
    }

    private static let homes = Array("/home/")

    /// The number of characters at the start of a text that belong to a folder name. Periods after
    /// the name end a sentence and do not count.
    private static func nameLength(_ text: ArraySlice<Character>) -> Int {
        let name = text.prefix { !endsName($0) }
        return name.count - name.reversed().prefix { $0 == "." }.count
    }

    private static func endsName(_ character: Character) -> Bool {
        character.isWhitespace || "/\"'`“”‘’,;:()[]<>=".contains(character)
    }
}
