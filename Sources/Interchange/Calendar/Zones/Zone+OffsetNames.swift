import Timekeeping

extension Zone {
    /// The areas of the tz database in which cities are looked up.
    private static let areas = [
        "Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian",
    ]
    /// The most parts of one name that are looked up.
    private static let partsMax = 12
    /// The middle of January and of July 2026, one of which is in standard time.
    private static let seasons = [Moment(seconds: 1_768_435_200), Moment(seconds: 1_784_073_600)]

    nonisolated(unsafe) private static let form =
        /\(?(?:UTC|GMT)(?: ?([+−-][0-9]{1,2})(?:[:.]?([0-9]{2}))?)?\)?(?: *(.+))?/
        .ignoresCase()

    /// A name with the offsets of both seasons, as Exchange wrote it: "GMT +0100 (Standard) / GMT
    /// +0200 (Daylight)".
    nonisolated(unsafe) private static let pair =
        /GMT ?([+-][0-9]{4}) ?\(Standard\) ?\/ ?GMT ?([+-][0-9]{4}) ?\(Daylight\)/
        .ignoresCase()

    /// The seconds of an offset such as "+0530".
    private static func seconds(_ offset: Substring) -> Int? {
        Int(offset).map { $0 / 100 * 3600 + $0 % 100 * 60 }
    }

    /// The beginning of a name with an offset and a text.
    nonisolated(unsafe) private static let namedText = /(?i)^\(?(UTC|GMT)[^\p{L}]*\p{L}/

    /// False for most names, without a match, which takes long.
    private static func mayNameOffset(_ name: String) -> Bool {
        name.utf8.first.map { "(GgUu".utf8.contains($0) } ?? false
    }

    /// The zone of a name that consists of an offset from UTC: "GMT+0200", "UTC-3" or
    /// "(UTC+01:00) Amsterdam, Berlin". In the last form, the zone is that of the first city or
    /// name that is known and has this offset in winter or summer.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - directory: the zone rules of the system.
    init?(offsetNamed name: String, by directory: ZoneDirectory) {
        guard name.utf8.count <= 200, Self.mayNameOffset(name) else { return nil }
        if let pair = name.wholeMatch(of: Self.pair) {
            guard let standard = Self.seconds(pair.1), let daylight = Self.seconds(pair.2),
                let zone = directory.zone(ofOffset: standard, daylight: daylight)
            else { return nil }
            self = zone
            return
        }
        guard let parts = name.wholeMatch(of: Self.form),
            let hours = Int((parts.1 ?? "0").replacing("−", with: "-")), abs(hours) <= 14,
            let minutes = Int(parts.2 ?? "0"), minutes < 60
        else { return nil }
        let isWest = parts.1?.hasPrefix("+") == false
        let offset = hours * 3600 + (isWest ? -minutes : minutes) * 60
        guard let words = parts.3 else {
            self.init(fixedOffsetSeconds: offset)
            return
        }
        // Without an offset or a bracket, the text is no name of this form.
        guard parts.1 != nil || name.hasPrefix("(") else { return nil }
        let found = Self.meant(by: words.replacing("&amp;", with: "&"), by: directory)
            .first { zone in
                Self.seasons.contains { zone.offsetSeconds(at: $0) == offset }
            }
        if let found { self = found } else { self.init(fixedOffsetSeconds: offset) }
    }

    /// The zones that words beside an offset may mean: "Eastern", "Pacific Time - Los Angeles",
    /// "Amsterdam / Berlin" or "Central European Time (Europe/Berlin)".
    private static func meant(
        by words: some StringProtocol, by directory: ZoneDirectory
    ) -> some Sequence<Zone> {
        let whole = String(words).trimmingBlanks
        let parts = [whole] + whole.split { ",;()[]".contains($0) }.map(\.trimmingBlanks)
        let pieces = parts.flatMap { part in
            [part] + part.replacing(" - ", with: "/").split(separator: "/").map(\.trimmingBlanks)
        }
        return pieces.uniqued.prefix(partsMax).lazy.flatMap { part in
            [CalendarZones.windowsZone(part, by: directory)].compactMap(\.self)
                + [directory.zoneIfKnown(part)].compactMap(\.self)
                + [CommonZoneNames.zone(part, by: directory)].compactMap(\.self)
                + Array(inCity(part, by: directory).prefix(2))
        }
    }

    /// The zones of the tz database that are named by a city.
    ///
    /// - Parameters:
    ///   - city: the name, as it is written.
    ///   - directory: the zone rules of the system.
    /// - Returns: the zones, each found when it is needed.
    static func inCity(
        _ city: some StringProtocol, by directory: ZoneDirectory
    ) -> some Sequence<Zone> {
        let name = city.split(separator: " ").joined(separator: "_")
        return areas.lazy.compactMap { directory.zoneIfKnown("\($0)/\(name)") }
    }

    /// True if the zone of a name with an offset and cities is the offset alone, because the tz
    /// database has none of the cities.
    static func isOffsetAlone(_ zone: Zone, named name: String) -> Bool {
        guard mayNameOffset(name) else { return false }
        let offset = zone.offsetSeconds(at: seasons[0])
        return zone.id == Zone(fixedOffsetSeconds: offset).id && name.contains(namedText)
    }
}

extension StringProtocol {
    fileprivate var trimmingBlanks: String {
        let start = drop { $0 == " " }
        return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
    }
}

extension [String] {
    /// The texts without repetitions and empty ones.
    fileprivate var uniqued: [String] {
        var seen: Set = [""]
        return filter { seen.insert($0).inserted }
    }
}
