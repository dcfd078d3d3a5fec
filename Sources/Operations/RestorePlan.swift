import Foundation
public import Planning
import Settings
import Storage
import Timekeeping
import Wording

/// The contents of a backup, and the changes to a home folder when it is restored there.
public struct RestorePlan: Equatable, Sendable {
    /// The number of meetings, contacts and rows of the ledger in the backup.
    public let meetings: Int
    /// The number of contacts in the backup.
    public let people: Int
    /// The machine and the home folder of the backup; `nil` if the backup does not name them.
    public private(set) var origin: Origin?
    /// The files of the home that are replaced, below the home folder.
    public private(set) var replaced: [String] = []
    /// The number of meetings and contacts in the database that is replaced, in words; `nil` if
    /// there is none that can be read.
    public private(set) var present: String?
    /// The files that the home does not have yet.
    public private(set) var added: [String] = []
    /// The files of the home that are not in the backup and stay.
    public private(set) var kept: [String] = []

    /// The place and the time of a backup.
    public struct Origin: Equatable, Sendable {
        /// The name of the machine.
        public let host: String
        /// The path of the home folder.
        public let home: String
        /// The time, in words.
        public let time: String
        /// True if it was made from another machine's home or another folder.
        public let isElsewhere: Bool
        /// True if a daemon worked on that home.
        public let hasDaemon: Bool
    }

    /// Reads a backup, which is verified, and compares it with a home.
    ///
    /// - Parameters:
    ///   - surroundings: the home.
    ///   - path: the path of the backup.
    /// - Throws: ``Refusal`` with `no_file`, `bad_backup` or `newer_version`.
    public init(_ surroundings: PlannerSurroundings, from path: String) throws {
        try Refusal.checkNames(path, a: "file")
        let home = surroundings.home
        let (contents, copy) = try Self.read(path)
        (meetings, people) = (contents.meetings, contents.people)
        replaced = FileManager.default.fileExists(atPath: home.database) ? [Self.database] : []
        present = (try? Store.contents(ofBackup: home.database)).map { Self.counts(of: $0.0) }
        guard let copy else { return }
        let zone = Self.zone(surroundings)
        origin = Origin(
            host: copy.host, home: copy.home,
            time: TimeWords.longMoment(copy.madeAt, in: zone),
            isElsewhere: copy.host != surroundings.hostName || copy.home != home.path,
            hasDaemon: copy.hasDaemon)
        for file in copy.files {
            let present = StagedFiles.content(of: file, in: home)
            if present == nil { added.append(file.path) }
            if let present, present != file.bytes { replaced.append(file.path) }
        }
        let saved = Set(copy.files.map(\.path))
        kept = HomeFiles.paths(in: home).filter { !saved.contains($0) }.sorted()
    }

    /// The time zone that the command names, or else the owner's as this home has it, or the
    /// system's.
    private static func zone(_ surroundings: PlannerSurroundings) -> Zone {
        let named = surroundings.zoneOption.flatMap { try? surroundings.zones.zone($0) }
        return named ?? (try? Planner.ownerZone(in: surroundings)) ?? surroundings.systemZone
    }

    private static func read(_ path: String) throws -> (BackupContents, HomeCopy?) {
        do {
            return try Store.contents(ofBackup: path)
        } catch let fault as BackupFault {
            throw Refusal(fault, file: path)
        }
    }

    private static let database = "letsmeet.sqlite"

    private static func counts(of contents: BackupContents) -> String {
        counts(contents.meetings, contents.people)
    }

    private static func counts(_ meetings: Int, _ people: Int) -> String {
        "\(TimeWords.count(meetings, "meeting")) and "
            + TimeWords.count(people, "person", plural: "people")
    }

    /// The plan in sentences.
    public var lines: [String] {
        let counts = Self.counts(meetings, people)
        let replaced = replaced.map { name in
            name == Self.database ? name + (present.map { " with \($0)" } ?? "") : name
        }
        let made = origin.map { ", made \($0.time) on \($0.host) in \($0.home)" } ?? ""
        let parts: [(String, [String])] = [
            ("Replaces", replaced), ("Adds", added), ("Keeps, as the backup has none", kept),
        ]
        return ["The backup has \(counts)\(made)."]
            + parts.filter { !$0.1.isEmpty }.map { "\($0.0): \(Self.list($0.1))." }
            + (warning.map { [$0] } ?? [])
    }

    /// The most files that a sentence names.
    private static let namesMax = 10

    private static func list(_ names: [String]) -> String {
        let more = names.count > namesMax ? " and \(names.count - namesMax) more" : ""
        return names.prefix(namesMax).map { $0.replacing("\n", with: "\\n") }
            .joined(separator: ", ") + more
    }

    /// The warning about two daemons that would work on two copies of one home.
    private var warning: String? {
        guard let origin, origin.isElsewhere else { return nil }
        let daemon = origin.hasDaemon ? "letsmeetd was running there. " : ""
        return daemon
            + "If letsmeetd still runs on \(origin.host) in \(origin.home), stop it there "
            + "before you start it here, or people get each message twice."
    }
}
