import Agenda
import ArgumentParser
import Calendars
import Foundation
import Ledger
import Planning
import Programs
import Wording

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything that you may see into a folder.",
        discussion: """
            The folder gets people.vcf, calendar.ics, and as JSON people, circles, places, \
            meetings and deliveries, in the form in which --json prints them, and the pictures of \
            contacts. Other programs can read these files; to move or keep an installation, use \
            letsmeet backup. Only you can read the files.

            EXAMPLE: letsmeet export --all ~/letsmeet-2026-12-01
            """)

    @Option(
        name: .customLong("all"),
        help: ArgumentHelp("The folder to write, which is new or empty.", valueName: "folder"),
        completion: .directory)
    var folder: String
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let folder: String
        let people: Int
        let circles: Int
        let places: Int
        let meetings: Int
        let deliveries: Int
    }

    func run() async throws {
        let planner = try await common.planner()
        let files = try ExportFolder(folder)
        let count = try await planner.export(.all, to: files)
        try files.finish()
        let answer = Answer(
            folder: folder, people: count.people, circles: count.circles, places: count.places,
            meetings: count.meetings, deliveries: count.deliveries)
        try common.confirm(answer) {
            "Saved \(TimeWords.count(count.people, "person", plural: "people")), "
                + "\(TimeWords.count(count.meetings, "meeting")) and "
                + "\(TimeWords.count(count.deliveries, "delivery", plural: "deliveries")) in "
                + "\(folder)."
        }
    }
}

/// A new folder for the files of an export.
private final class ExportFolder: ExportWriter {
    private let path: String
    private var file: ExportFile?

    /// Creates the folder.
    ///
    /// - Throws: ``Refusal`` with `file_exists` if it is there and not empty, or an error of the
    ///   system.
    init(_ path: String) throws {
        self.path = path
        let files = FileManager.default
        if let names = try? files.contentsOfDirectory(atPath: path), !names.isEmpty {
            throw Refusal(
                .refused, code: "file_exists",
                "\(path) is not empty. Give a folder that is new or empty.")
        }
        do {
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Refusal.unwritten(path, error)
        }
    }

    func begin(_ name: String) throws {
        try finish()
        file = try ExportFile("\(path)/\(name)")
    }

    func add(_ bytes: some Collection<UInt8>) throws { try file?.add(Data(bytes)) }

    /// Ends the last file.
    func finish() throws {
        try file?.finish()
        file = nil
    }
}

/// A file of an export, which only its owner can read.
private final class ExportFile {
    private let path: String
    private let handle: FileHandle

    init(_ path: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let handle = FileHandle(forWritingAtPath: path) else {
            throw Refusal.unwritten(path, CocoaError(.fileWriteUnknown))
        }
        self.path = path
        self.handle = handle
    }

    func add(_ data: Data) throws {
        do { try handle.write(contentsOf: data) } catch { throw Refusal.unwritten(path, error) }
    }

    func finish() throws {
        do { try handle.close() } catch { throw Refusal.unwritten(path, error) }
    }
}

extension Refusal {
    /// Describes why a file or a folder of an export was not written.
    fileprivate static func unwritten(_ path: String, _ error: any Error) -> Refusal {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let words = cause.map { String(cString: strerror(CInt($0.code))) }
        return Refusal(
            .unreachable, code: "file",
            "\(path) cannot be written: \(words ?? error.localizedDescription).")
    }
}
