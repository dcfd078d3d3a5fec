import Foundation
import TestKit
import Testing

@testable import Timekeeping

struct ZoneDirectoryTests {
    /// Runs `body` with a folder that has two zone files and the given `files`.
    private func withFolder(
        _ files: [String: String] = [:], _ body: (ZoneDirectory, String) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let root = URL(filePath: folder)
            for name in ["Europe", "Europe/Sub", "etc"] {
                try FileManager.default.createDirectory(
                    at: root.appending(path: name), withIntermediateDirectories: true)
            }
            for name in ["Europe/Helsinki", "Europe/Sub/North_Town"] {
                try Data(TZifFile().bytes).write(to: root.appending(path: name))
            }
            for (name, text) in files {
                try Data(text.utf8).write(to: root.appending(path: name))
            }
            try body(ZoneDirectory(path: folder), folder + "/etc")
        }
    }

    private static let list = """
        # version 2026f
        # This zic input file is in the public domain.
        R E 1977 o - Ap 3 0 1 S
        Z Europe/Helsinki 1:39:49 - LMT 1878 May 31
        2 E EE%sT
        Z Europe/Sub/North_Town 2 - EET
        L Europe/Helsinki Europe/Mariehamn
        Z Etc/GMT+3 -3 - -03
        L Europe/Nowhere Europe/Lost
        """

    @Test func `Names, links and the version are read from tzdata.zi`() throws {
        try withFolder(["tzdata.zi": ZoneDirectoryTests.list]) { zones, _ in
            #expect(
                zones.identifiers == [
                    "Etc/GMT+3",
                    "Europe/Helsinki", "Europe/Lost", "Europe/Mariehamn", "Europe/Sub/North_Town",
                    "UTC",
                ])
            #expect(zones.version == "2026f")
        }
    }

    @Test func `Without tzdata.zi the folder is searched for zones`() throws {
        try withFolder(["+VERSION": "2026f\n", "Europe/README": "no zone", "zone.tab": ""]) {
            zones, _ in
            #expect(zones.identifiers == ["Europe/Helsinki", "Europe/Sub/North_Town", "UTC"])
            #expect(zones.version == "2026f")
        }
    }

    @Test(arguments: [
        ("Europe/Helsinki", "Europe/Helsinki"), ("europe/HELSINKI", "Europe/Helsinki"),
        ("europe/sub/north town", "Europe/Sub/North_Town"),
        // A link whose own file is not installed is read from its target.
        ("Europe/Mariehamn", "Europe/Mariehamn"),
        ("UTC", "UTC"), ("utc", "UTC"), ("Z", "UTC"), ("z", "UTC"), ("+03:00", "+03:00"),
        ("-0330", "-03:30"),
        ("EET-2EEST,M3.5.0/3,M10.5.0/4", "EET-2EEST,M3.5.0/3,M10.5.0/4"),
    ]) func `A zone is found by its name in any case`(typed: String, id: String) throws {
        try withFolder(["tzdata.zi": ZoneDirectoryTests.list]) { zones, _ in
            let zone = try zones.zone(typed)
            #expect(zone.id == id)
            #expect(try zones.zone(typed) == zone)
            #expect(try zones.zone(zone.id) == zone)
        }
    }

    private static let anyName =
        "write a name such as Europe/Helsinki or an offset such as +03:00."

    @Test(arguments: [
        (
            "UTC+3",
            "There is no time zone \"UTC+3\". For a fixed offset, write +03:00; for a place with "
                + "its summer time, its name, such as Europe/Helsinki."
        ),
        (
            "GMT-10",
            "There is no time zone \"GMT-10\". For a fixed offset, write -10:00; for a place with "
                + "its summer time, its name, such as Europe/Helsinki."
        ),
        ("Helsinki", "There is no time zone \"Helsinki\": did you mean Europe/Helsinki?"),
        (
            "Europe/Helsinky",
            "There is no time zone \"Europe/Helsinky\": did you mean Europe/Helsinki?"
        ),
        ("helsnki", "There is no time zone \"helsnki\": did you mean Europe/Helsinki?"),
        ("town", "There is no time zone \"town\": did you mean Europe/Sub/North_Town?"),
        ("north", "There is no time zone \"north\": did you mean Europe/Sub/North_Town?"),
        ("Marie", "There is no time zone \"Marie\": did you mean Europe/Mariehamn?"),
        ("Moon/Base", "There is no time zone \"Moon/Base\": \(anyName)"),
        ("", "There is no time zone \"\": \(anyName)"),
        ("Europe", "There is no time zone \"Europe\": \(anyName)"),
        ("Europe/", "There is no time zone \"Europe/\": \(anyName)"),
        (
            "Europe/Lost",
            "There is no time zone \"Europe/Lost\": \(anyName)"
        ),
        (
            "right/Europe/Helsinki",
            "There is no time zone \"right/Europe/Helsinki\": \(anyName)"
        ),
        ("tzdata.zi", "There is no time zone \"tzdata.zi\": \(anyName)"),
        (
            "Europe/../Europe/Helsinki",
            "There is no time zone \"Europe/../Europe/Helsinki\": "
                + "\(anyName)"
        ),
        (
            "/etc/localtime",
            "There is no time zone \"/etc/localtime\": \(anyName)"
        ),
        (
            "Europe/Helsinki\0",
            "There is no time zone \"Europe/Helsinki?\": did you mean Europe/Helsinki?"
        ),
    ]) func `An unknown name is refused with similar names`(
        typed: String, sentence: String
    ) throws {
        try withFolder(["tzdata.zi": ZoneDirectoryTests.list]) { zones, _ in
            #expect(refusal { try zones.zone(typed) } == sentence)
        }
    }

    /// Texts, and the offsets to write instead.
    @Test(arguments: [
        ("UTC+02:00", "+02:00"), ("GMT+2:30", "+02:30"), ("UTC+5:30", "+05:30"),
        ("utc -0330", "-03:30"), ("UTC+545", "+05:45"), ("GMT+14", "+14:00"), ("+2", "+02:00"),
        ("GMT-00:00", "+00:00"),
    ]) func `An offset in another spelling is refused with the right one`(
        typed: String, offset: String
    ) throws {
        let sentence =
            "There is no time zone \"\(typed)\". For a fixed offset, write \(offset); for a place "
            + "with its summer time, its name, such as Europe/Helsinki."
        let zones = ZoneDirectory(path: "/nowhere/at/all")
        #expect(refusal { try zones.zone(typed) } == sentence)
        #expect(try zones.zone(offset).id == offset)
    }

    @Test(arguments: ["GMT+20", "GMT+14:01", "UTC-24", "UTC+2:60", "UTC+2:3", "UTC+12345", "+99"])
    func `An offset that no place has is refused with the range`(typed: String) throws {
        let list = ZoneDirectoryTests.list + "\nL Europe/Helsinki GMT+0\nL Europe/Helsinki UTC+0"
        try withFolder(["tzdata.zi": list]) { zones, _ in
            #expect(throws: ZoneError.unknown(id: typed, nearest: [])) { try zones.zone(typed) }
            #expect(
                refusal { try zones.zone(typed) }
                    == "There is no time zone \"\(typed)\". Offsets go from -23:59 to +23:59, "
                    + "written as in +03:00; those of places go from -12:00 to +14:00.")
        }
    }

    @Test(arguments: [
        ("Pacific Time", "America/Los_Angeles"), ("Mountain Time", "America/Denver"),
        ("central_time", "America/Chicago"), ("Eastern Standard Time", "America/New_York"),
        ("pacific daylight time", "America/Los_Angeles"),
    ]) func `A time of North America is refused with the name of its largest city`(
        typed: String, id: String
    ) throws {
        let cities = ["Chicago", "Denver", "Los_Angeles", "New_York"]
        let list = cities.map { "Z America/\($0) -8 - LMT\n" }.joined()
        try withFolder(["tzdata.zi": list]) { zones, _ in
            #expect(
                refusal { try zones.zone(typed) }
                    == "There is no time zone \"\(typed)\": did you mean \(id)?")
        }
        // No name is suggested that is not installed.
        try withFolder(["tzdata.zi": ZoneDirectoryTests.list]) { zones, _ in
            #expect(throws: ZoneError.unknown(id: typed, nearest: [])) { try zones.zone(typed) }
        }
    }

    @Test func `A name that is too long is refused`() throws {
        try withFolder { zones, _ in
            let typed = "Europe/" + String(repeating: "x", count: 10_000)
            #expect(throws: ZoneError.unknown(id: typed, nearest: [])) { try zones.zone(typed) }
        }
    }

    @Test func `A damaged file is named in the error`() throws {
        try withFolder(["Europe/Bad": "TZif2"]) { zones, _ in
            #expect(throws: ZoneError.malformed(id: "Europe/Bad", fault: .truncated)) {
                try zones.zone("Europe/Bad")
            }
        }
    }

    @Test func `UTC and offsets need no files`() throws {
        let zones = ZoneDirectory(path: "/nowhere/at/all")
        #expect(try zones.zone("UTC") == .utc)
        #expect(try zones.zone("+05:45").offsetSeconds(at: Moment(seconds: 0)) == 20_700)
        #expect(zones.identifiers == ["UTC"])
        #expect(zones.version == nil)
        #expect(zones.systemZone(tzVariable: "Europe/Helsinki") == .utc)
    }

    @Test(arguments: [
        ("Europe/Helsinki", "Europe/Helsinki"), (":Europe/Helsinki", "Europe/Helsinki"),
        ("/usr/share/zoneinfo/Europe/Helsinki", "Europe/Helsinki"), ("", "UTC"),
        ("/usr/share/zoneinfo/posix/Europe/Helsinki", "Europe/Helsinki"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3"), ("Moon/Base", "UTC"),
        ("-03", "-03:00"),
        ("EST5EDT", "UTC"),
    ]) func `The variable TZ sets the system's zone`(value: String, id: String) throws {
        try withFolder { zones, _ in
            #expect(zones.systemZone(tzVariable: value).id == id)
        }
    }

    @Test func `Without TZ the system's zone comes from the link, then the text file, then UTC`()
        throws
    {
        try withFolder { zones, settings in
            #expect(zones.systemZone(tzVariable: nil, settings: settings) == .utc)
            try Data("Europe/Sub/North_Town\n".utf8)
                .write(to: URL(filePath: settings + "/timezone"))
            #expect(
                zones.systemZone(tzVariable: nil, settings: settings).id == "Europe/Sub/North_Town")
            try FileManager.default.createSymbolicLink(
                atPath: settings + "/localtime",
                withDestinationPath: "../usr/share/zoneinfo/Europe/Helsinki")
            #expect(zones.systemZone(tzVariable: nil, settings: settings).id == "Europe/Helsinki")
        }
    }

    @Test(.enabled(if: SystemZones.areInstalled, "needs the files of tzdata"))
    func `Each zone of this machine is found by its name`() throws {
        let zones = ZoneDirectory()
        #expect(zones.identifiers.count > 300)
        for id in zones.identifiers {
            #expect(try zones.zone(id).id == id)
            #expect(try zones.zone(id.uppercased()).id == id)
        }
        #expect(zones.version?.count == 5)
    }

    @Test(arguments: [
        ("CET-1CEST", "Europe/Berlin"), ("JST-9", "Asia/Tokyo"), ("<+0530>-5:30", "Asia/Kolkata"),
        ("EST5EDT,M3", "America/New_York"),
    ])
    func `A rule without days that is no name suggests a zone with its offsets`(
        _ text: String, _ city: String
    ) {
        let error = #expect(throws: ZoneError.self) { try ZoneDirectory().zone(text) }
        #expect(error == .unknown(id: text, nearest: [city]))
    }
}
