extension CalendarComponent {
    /// The most properties of a calendar that are kept with each of its objects.
    static let headLinesMax = 200
    /// The most octets of these properties.
    static let headOctetsMax = 16 << 10

    /// The properties of a calendar that are kept with each of its objects: the first ones that fit
    /// into the limits. Without limits, a file of 48 MiB could become one of terabytes.
    var keptHead: [CalendarLine] { dividedHead.kept }

    /// The first property of a calendar that is not kept with its objects; `nil` if all are.
    var firstUnkept: CalendarLine? { dividedHead.unkept }

    private var dividedHead: (kept: [CalendarLine], unkept: CalendarLine?) {
        var (kept, unkept): ([CalendarLine], CalendarLine?) = ([], nil)
        var octets = 0
        for line in lines {
            let size = line.octetCount
            if kept.count < Self.headLinesMax, octets + size <= Self.headOctetsMax {
                octets += size
                kept.append(line)
            } else {
                unkept = unkept ?? line
            }
        }
        return (kept, unkept)
    }
}
