import Timekeeping

/// Names of time zones that are neither in the tz database nor of Windows: abbreviations, names in
/// other languages, and cities.
///
/// An abbreviation that means several zones, such as CST, IST or BST, is not one of them.
enum CommonZoneNames {
    /// The longest name that is looked up, in bytes.
    private static let octetsMax = 100

    /// The zone of a name.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - directory: the zone rules of the system.
    /// - Returns: the zone; `nil` if the name is not in the tables, or can mean several zones.
    static func zone(_ name: String, by directory: ZoneDirectory) -> Zone? {
        guard name.utf8.count <= octetsMax else { return nil }
        let key = name.lowercased()
        let identifier = table[key] ?? partsOfNames.first { key.contains($0.part) }?.identifier
        if let zone = identifier.flatMap({ directory.zoneIfKnown($0) }) { return zone }
        // A name with a slash is the path of a zone, not a list of cities.
        guard !name.contains("/") else { return nil }
        let city = name.split { ",;(".contains($0) }.first.map(String.init)
        return city.flatMap { Zone.inCity($0, by: directory).first { _ in true } }
    }

    /// The words of names in German, French and Spanish, in which Windows and Java write them:
    /// "Mitteleuropäische Sommerzeit", "heure normale d’Europe centrale", "Hora estándar romance".
    private static let partsOfNames = [
        (part: "mitteleurop", identifier: "Europe/Berlin"),
        (part: "osteurop", identifier: "Europe/Helsinki"),
        (part: "europe centrale", identifier: "Europe/Berlin"),
        (part: "europa central", identifier: "Europe/Berlin"),
        (part: "romance", identifier: "Europe/Paris"),
    ]

    private static let table = Dictionary(
        names.split(separator: "\n").flatMap { line in
            let parts = line.split(separator: "=")
            return parts[1].split(separator: ",").map { ($0.lowercased(), String(parts[0])) }
        }, uniquingKeysWith: { first, _ in first })

    /// The names by the zones of the tz database. Those of North America are in RFC 5322, 4.3.
    private static let names = """
        Africa/Johannesburg=SAST
        Africa/Lagos=WAT
        Africa/Maputo=CAT
        Africa/Nairobi=EAT
        America/Anchorage=AKST,AKDT
        America/Argentina/Buenos_Aires=ART
        America/Chicago=CDT
        America/Denver=MDT
        America/Los_Angeles=PST,PDT
        America/New_York=EDT
        America/Sao_Paulo=BRT
        Asia/Hong_Kong=HKT
        Asia/Jakarta=WIB
        Asia/Jerusalem=IDT
        Asia/Karachi=PKT
        Asia/Kathmandu=NPT
        Asia/Seoul=KST
        Asia/Singapore=SGT
        Asia/Tokyo=JST
        Australia/Adelaide=ACDT
        Australia/Perth=AWST
        Australia/Sydney=AEDT
        Etc/UTC=Universal Time,Universal Coordinated Time,Koordinierte Weltzeit
        Europe/Berlin=CEST,MEZ,MESZ,Western/Central Europe,Central European Time
        Europe/Berlin=Central European Summer Time
        Europe/Dublin=Irish Standard Time
        Europe/Helsinki=EEST,OEZ,OESZ,Eastern European Time,Eastern European Standard Time
        Europe/Helsinki=Eastern European Summer Time
        Europe/Lisbon=WEST,Western European Time,Western European Standard Time
        Europe/Lisbon=Western European Summer Time
        Europe/London=British Summer Time
        Europe/Moscow=MSK,Moscow Standard Time
        Pacific/Auckland=NZST,NZDT
        """
}
