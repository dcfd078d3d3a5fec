import Foundation
public import Timekeeping

/// The zone files of this machine, which most tests of zones read.
public enum SystemZones {
    /// Their reader.
    public static let directory = ZoneDirectory()
    /// Whether they are there.
    public static let areInstalled = FileManager.default.fileExists(
        atPath: directory.path + "/Europe/Helsinki")
    /// Whether zdump is there to say what is in them.
    public static let haveWitness =
        areInstalled && FileManager.default.isExecutableFile(atPath: Zdump.program)

    /// A zone file as it is.
    public static func bytes(_ id: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: directory.path + "/" + id)))
    }

    /// One name of each zone file: links have the same bytes.
    public static func distinctIdentifiers() throws -> [String] {
        var seen: Set<[UInt8]> = []
        return try directory.identifiers.filter { seen.insert(try bytes($0)).inserted }
    }
}
