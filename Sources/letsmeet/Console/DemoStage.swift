import ArgumentParser
import Foundation
import Planning
import Programs
import Settings

/// The environment of the demo: a home of its own, the real programs, and a terminal that shows
/// commands and their output.
struct DemoStage {
    /// The path of the home folder.
    let home: String
    private let folder: URL
    private let shipped: ShippedFiles
    /// The port of the pages; `nil` without pages.
    private let port: Int?

    /// Makes the home.
    ///
    /// - Parameters:
    ///   - home: the path of its folder.
    ///   - port: the port of its pages; `nil` for none.
    /// - Throws: an error of the system if it cannot be made.
    init(home: String, port: Int? = nil) throws {
        self.port = port
        let surroundings = try PlannerSurroundings.read(homeOption: home, machine: .real)
        try surroundings.home.make()
        self.home = surroundings.home.path
        shipped = surroundings.shipped
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        folder = URL(filePath: program).deletingLastPathComponent()
        try Data(Self.settings(port: port).utf8)
            .write(to: URL(filePath: surroundings.home.configuration))
    }

    private static func settings(port: Int?) -> String {
        let owner = "owner:\n  name: Kim\n  tz: Europe/Helsinki\n"
        guard let port else { return owner }
        // A server that does not exist: the demo shows mail on a page instead of sending it.
        return owner + """
              address: kim@example.org
            area: Helsinki
            smtp.url: smtp://demo.invalid
            listen: 127.0.0.1:\(port)
            base.url: http://localhost:\(port)

            """
    }

    /// The path of the sample address book, relative to the folder of the shipped files.
    var sampleContacts: String { String(shipped.sampleContacts.dropFirst(shipped.root.count + 1)) }

    /// Prints a heading.
    func explain(_ text: String) {
        Terminal.answer("\n\(Style.bold("# " + text))")
    }

    /// Shows a command and runs it; its output goes to the terminal.
    ///
    /// - Throws: `ExitCode` if it exits with another status than expected.
    func type(_ arguments: String..., expecting status: Int32 = 0) throws {
        let shown = arguments.map { $0.contains(where: { " |&;".contains($0) }) ? "\"\($0)\"" : $0 }
        Terminal.answer("$ letsmeet \(shown.joined(separator: " "))")
        let process = try start("letsmeet", arguments)
        process.waitUntilExit()
        guard process.terminationStatus == status else { throw ExitCode(1) }
    }

    /// Runs a command and returns its output, without showing it.
    func answer(_ program: String, _ arguments: [String]) throws -> String {
        let pipe = Pipe()
        let process = try start(program, arguments, output: pipe)
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Starts a program from the folder of this one, on the home of the demo.
    func start(
        _ program: String, _ arguments: [String], output: Pipe? = nil, errors: Pipe? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = folder.appending(path: program)
        process.arguments = arguments + ["--home", home]
        process.environment = environment
        process.currentDirectoryURL = URL(filePath: shipped.root)
        process.standardInput = FileHandle.nullDevice
        if let output { process.standardOutput = output }
        if let errors { process.standardError = errors }
        try process.run()
        return process
    }

    /// The environment variables for the demo, without the user's own settings for letsmeet.
    private var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        let own = environment.keys.filter {
            $0.hasPrefix("LETSMEET_") && $0 != "LETSMEET_SHARE" || $0.hasPrefix("FOURSQUARE_")
        }
        for name in own { environment[name] = nil }
        // The user's own daemon may already listen at the default address.
        if port == nil { environment["LETSMEET_LISTEN"] = "none" }
        return environment
    }
}
