/// The names of the time zones in a folder of zone files.
struct ZoneNames: Sendable {
    /// The names in alphabetical order, including links.
    let identifiers: [String]
    /// The targets of names that are only links. Some systems install the files of old names
    /// separately.
    let targets: [String: String]
    private let spellings: [String: String]

    init(identifiers: some Sequence<String>, targets: [String: String] = [:]) {
        self.identifiers = Set(identifiers).union(["UTC"]).sorted()
        self.targets = targets
        spellings = Dictionary(
            self.identifiers.map { (ZoneNames.folded($0), $0) }, uniquingKeysWith: { $1 })
    }

    /// Reads `tzdata.zi`, in which a line "Z name rules" begins a time zone and a line "L target
    /// name" gives it another name.
    init(zi text: String) {
        var names: [String] = []
        var targets: [String: String] = [:]
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard line.first == UInt8(ascii: "Z") || line.first == UInt8(ascii: "L") else {
                continue
            }
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3).map(String.init)
            if words.count >= 2, words[0] == "Z" {
                names.append(words[1] ?? "")
            } else if words.count >= 3, words[0] == "L" {
                names.append(words[2] ?? "")
                targets[words[2] ?? ""] = words[1]
            }
        }
        self.init(identifiers: names, targets: targets)
    }

    /// The existing name that equals `id` except for case and for spaces instead of underscores.
    func corrected(_ id: String) -> String? {
        spellings[ZoneNames.folded(id)]
    }

    private static func folded(_ id: String) -> String {
        String(id.lowercased().map { $0 == " " ? "_" : $0 })
    }
}

/// Suggestions for unknown names.
extension ZoneNames {
    /// The maximum length in bytes of a text for which names are suggested.
    private static let nearestBytesMax = 40
    /// The maximum number of misspelled letters.
    private static let distanceMax = 3
    /// Cities in the time zones that people in North America call by other names.
    private static let citiesOfTimes = [
        "pacific_time": "America/Los_Angeles", "mountain_time": "America/Denver",
        "central_time": "America/Chicago", "eastern_time": "America/New_York",
    ]

    /// Up to three names that are similar to `id`. If `id` is the city of some names, only those
    /// are returned. Otherwise the names whose city begins with `id`, or has it as a word, come
    /// first; then the names that differ by the fewest letters, in the city or in the whole name.
    ///
    /// "Pacific Time" and the like have the name with their largest city. Offsets have no similar
    /// names, because "GMT+0" has nothing to do with "GMT+2".
    func nearest(to id: String) -> [String] {
        guard WrittenOffset(id) == nil else { return [] }
        if let name = nameOfTime(id) { return [name] }
        let wanted = Array(ZoneNames.folded(id).utf8)
        guard wanted.count >= 3, wanted.count <= ZoneNames.nearestBytesMax else { return [] }
        // Etc/GMT+3 is three hours behind Greenwich, which is never what a person means by GMT+3.
        let places = identifiers.filter { !$0.hasPrefix("Etc/") }
        var spelling = Spelling(
            of: wanted, distanceMax: min(ZoneNames.distanceMax, wanted.count / 3))
        let ranked = places.compactMap { name -> (rank: Int, name: String)? in
            let whole = Array(ZoneNames.folded(name).utf8)
            let city = whole[((whole.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
            if city.elementsEqual(wanted) { return (-2, name) }
            let words = city.split(separator: UInt8(ascii: "_"))
            if city.starts(with: wanted) || words.contains(wanted[...]) { return (-1, name) }
            let distances = [spelling.distance(to: whole), spelling.distance(to: city)]
            return distances.compactMap(\.self).min().map { ($0, name) }
        }
        let cities = ranked.filter { $0.rank == -2 }
        return (cities.isEmpty ? ranked : cities).sorted { $0 < $1 }.prefix(3).map(\.name)
    }

    /// The name with the largest city of a time such as "Pacific Time" or "Eastern Standard Time";
    /// `nil` for other texts.
    private func nameOfTime(_ id: String) -> String? {
        let words = ZoneNames.folded(id).split(separator: "_")
            .filter { $0 != "standard" && $0 != "daylight" }
        let name = ZoneNames.citiesOfTimes[words.joined(separator: "_")]
        return name.flatMap { identifiers.contains($0) ? $0 : nil }
    }
}
