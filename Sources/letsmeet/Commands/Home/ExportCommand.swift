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
            meetings and deliveries, in the form in which --json prints them. Other programs can \
            read these files; to move or keep an installation, use letsmeet backup. Only you can \
            read the files.

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

    private struct CircleMembers: Encodable {
        let circle: CircleView
        let people: [PersonLine]
    }

    func run() async throws {
        let planner = try await common.planner()
        let files = try ExportFolder(folder)
        try await files.write("people.vcf") { file in
            try await planner.exportPeople(.vcard4) { file.add($0) }
        }
        let calendar = try await planner.exportCalendar()
        try await files.write("calendar.ics") { file in file.add(Data(calendar)) }
        let people = try await files.list("people.json") { add in
            for person in try await planner.people() { try add(person) }
        }
        let circles = try await files.list("circles.json") { add in
            for known in try await planner.circles() {
                let (circle, people) = try await planner.members(
                    of: try await planner.circle(named: known.name))
                try add(CircleMembers(circle: circle, people: people))
            }
        }
        let places = try await files.list("places.json") { add in
            for place in try await planner.savedPlaces() { try add(place) }
        }
        let ids = try await planner.allMeetings()
        let meetings = try await files.list("meetings.json") { add in
            for id in ids { try add(try await planner.meeting(id)) }
        }
        let deliveries = try await files.list("deliveries.json") { add in
            for id in ids {
                for story in try await planner.stories(of: id, limit: Self.deliveriesMax) {
                    try add(story.delivery)
                }
            }
        }
        let answer = Answer(
            folder: folder, people: people, circles: circles, places: places, meetings: meetings,
            deliveries: deliveries)
        try common.confirm(answer) {
            "Saved \(TimeWords.count(people, "person", plural: "people")), "
                + "\(TimeWords.count(meetings, "meeting")) and "
                + "\(TimeWords.count(deliveries, "delivery", plural: "deliveries")) in \(folder)."
        }
    }

    /// The most deliveries of one meeting.
    private static let deliveriesMax = 1_000_000
}

/// A new folder for the files of an export.
private struct ExportFolder {
    private let path: String

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

    /// Writes a file in parts.
    func write(_ name: String, _ body: (_ file: ExportFile) async throws -> Void) async throws {
        let file = try ExportFile("\(path)/\(name)")
        try await body(file)
        try file.finish()
    }

    /// Writes a JSON array.
    ///
    /// - Returns: the number of its elements.
    func list(
        _ name: String, _ body: (_ add: (any Encodable) throws -> Void) async throws -> Void
    ) async throws -> Int {
        let file = try ExportFile("\(path)/\(name)")
        var count = 0
        file.add("[")
        try await body { value in
            file.add("\(count == 0 ? "" : ",")\n\(try JSONText.of(value))")
            count += 1
        }
        file.add("\n]\n")
        try file.finish()
        return count
    }
}

/// A file of an export, which only its owner can read.
private final class ExportFile {
    private let path: String
    private let handle: FileHandle
    private var fault: (any Error)?

    init(_ path: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let handle = FileHandle(forWritingAtPath: path) else {
            throw Refusal.unwritten(path, CocoaError(.fileWriteUnknown))
        }
        self.path = path
        self.handle = handle
    }

    func add(_ text: String) { add(Data(text.utf8)) }

    /// Adds bytes. An error is thrown in the end.
    func add(_ data: Data) {
        guard fault == nil else { return }
        do {
            try handle.write(contentsOf: data)
        } catch {
            fault = error
        }
    }

    /// - Throws: the first error of writing.
    func finish() throws {
        if let fault { throw Refusal.unwritten(path, fault) }
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
