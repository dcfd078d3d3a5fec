import Foundation
import Settings
import Testing

/// The built programs, run as a user runs them.
@Suite("Programs", .enabled(if: FileManager.default.isExecutableFile(atPath: Program.letsmeet)))
struct ProgramTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func `Completions are there for each shell, with files and values`(shell: String) throws {
        let result = try Program.run(["--generate-completion-script", shell])
        #expect(result.status == 0)
        for word in ["merge", "restore", "vcard4", "superseded", "silent"] {
            #expect(result.output.contains(word), "\(word)")
        }
    }

    @Test func `A home is backed up and a person erased while its daemon runs`() async throws {
        try await TemporaryHome.run { home in
            let folder = home.home.path
            func letsmeet(_ arguments: String...) throws -> Program.Result {
                try Program.run(arguments + ["--home", folder, "--json"])
            }
            #expect(
                try letsmeet("people", "add", "Zelda Quixote", "--email", "z@example.org")
                    .status == 0)
            let made = try letsmeet(
                "meeting", "new", "Games", "--with", "zelda", "--start", "tomorrow 18:00")
            #expect(made.status == 0)
            let daemon = try Program.Daemon(home: folder)
            defer { daemon.end() }
            #expect(try letsmeet("backup", folder + "/copy").status == 0)
            let refused = try letsmeet("restore", folder + "/copy")
            #expect(refused.status == 1)
            #expect(refused.output.contains("\"code\":\"daemon_running\""))
            #expect(try letsmeet("people", "remove", "zelda", "--erase").status == 0)
            #expect(try letsmeet("ledger", "verify").status == 0)
            for file in ["letsmeet.sqlite", "letsmeet.sqlite-wal"] {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
                #expect(bytes.range(of: Data("Zelda".utf8)) == nil)
                #expect(bytes.range(of: Data("z@example.org".utf8)) == nil)
            }
            daemon.end()
            #expect(try letsmeet("restore", folder + "/copy").status == 0)
            #expect(try letsmeet("people", "show", "zelda").status == 0)
        }
    }

    @Test func `What is wrong with a configuration ends with its status`() async throws {
        try await TemporaryHome.run { home in
            try "sinks: smoke\n".write(
                toFile: home.home.configuration, atomically: true, encoding: .utf8)
            let folder = home.home.path
            #expect(try Program.run(["config", "check", "--home", folder]).status == 2)
            #expect(try Program.run(["doctor", "--home", folder]).status == 1)
            let check = try Program.run(["check", "--home", folder], of: Program.letsmeetd)
            #expect(check.status == 1)
            #expect(check.output.contains("PROBLEM"))
        }
    }
}

/// Runs the programs of this package.
enum Program {
    static let letsmeet = TemporaryHome.packageRoot + ".build/debug/letsmeet"
    static let letsmeetd = letsmeet + "d"

    struct Result {
        let status: Int32
        let output: String
    }

    static func run(_ arguments: [String], of program: String = letsmeet) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }

    /// A daemon that works, until it is ended.
    struct Daemon {
        private let process = Process()

        init(home: String) throws {
            let log = Pipe()
            process.executableURL = URL(filePath: Program.letsmeetd)
            process.arguments = ["run", "--home", home]
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            process.standardError = log
            try process.run()
            var text = ""
            while !text.contains("letsmeetd works") {
                let bytes = log.fileHandleForReading.availableData
                guard !bytes.isEmpty else { break }
                text += String(decoding: bytes, as: UTF8.self)
            }
        }

        func end() {
            guard process.isRunning else { return }
            process.terminate()
            process.waitUntilExit()
        }
    }
}
