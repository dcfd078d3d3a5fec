import Foundation
public import Timekeeping

/// The time zone files of this machine, which most tests of zones read.
public enum SystemZones {
    /// The directory of the zone files.
    public static let directory = ZoneDirectory()
    /// True if the zone files are installed.
    public static let areInstalled = FileManager.default.fileExists(
        atPath: directory.path + "/Europe/Helsinki")
    /// True if zdump is installed, which prints the contents of zone files.
    public static let haveWitness =
        areInstalled && FileManager.default.isExecutableFile(atPath: Zdump.program)

    /// The contents of a zone file.
    public static func bytes(_ id: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: directory.path + "/" + id)))
    }

    /// One name for each distinct zone file; links have the same contents.
    public static func distinctIdentifiers() throws -> [String] {
        var seen: Set<[UInt8]> = []
        return try directory.identifiers.filter { seen.insert(try bytes($0)).inserted }
    }
}
