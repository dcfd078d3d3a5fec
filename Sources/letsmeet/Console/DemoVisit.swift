import ArgumentParser
import Foundation
import Glibc
import Programs

/// A demo of the pages, in the browser.
struct DemoVisit {
    /// The path of the home folder to make.
    let home: String

    /// Serves the pages until the visitor leaves the demo or presses Ctrl-C.
    ///
    /// - Throws: `ExitCode` if the daemon failed.
    func run() throws {
        let stage = try DemoStage(home: home, port: try Self.freePort())
        Terminal.answer("Preparing the demo…")
        let errors = Pipe()
        var status: Int32 = 1
        try Interruption.passing {
            try stage.start("letsmeetd", ["demo", "--log", "error"], errors: errors)
        } while: { daemon in
            for line in errors.fileHandleForReading.lines { show(line) }
            daemon.waitUntilExit()
            status = daemon.terminationStatus
        }
        guard status == 0 else { throw ExitCode(1) }
        Terminal.answer("The demo has ended.")
    }

    /// Shows a line of the daemon: the link to enter with, or an error.
    private func show(_ line: String) {
        guard line.hasPrefix(Self.opening), let link = line.split(separator: " ").dropFirst().first
        else { return Terminal.say(line) }
        Terminal.answer(
            """
            Open this in a browser, on this machine:
              \(link)
            The demo ends when you leave it there, or with Ctrl-C.
            """)
        Browser.open(String(link))
    }

    private static let opening = "Open http"

    /// A port of this machine that nothing uses.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { known in
                bind(descriptor, known, size) == 0 && getsockname(descriptor, known, &size) == 0
            }
        }
        guard isBound else {
            Terminal.say("This machine has no free port.")
            throw ExitCode(1)
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

extension FileHandle {
    /// The lines as they come, until the end of the file.
    fileprivate var lines: AnyIterator<String> {
        var rest = Data()
        return AnyIterator {
            while true {
                if let end = rest.firstIndex(of: 10) {
                    defer { rest.removeSubrange(...end) }
                    return String(decoding: rest[..<end], as: UTF8.self)
                }
                let more = self.availableData
                guard !more.isEmpty else { return nil }
                rest.append(more)
            }
        }
    }
}

/// The browser of the desktop.
enum Browser {
    /// Opens an address, where there is a desktop. Without one, the person opens it by hand.
    static func open(_ url: String) {
        let environment = ProcessInfo.processInfo.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false })
        else { return }
        let opener = Process()
        opener.executableURL = URL(filePath: "/usr/bin/xdg-open")
        opener.arguments = [url]
        opener.standardOutput = FileHandle.nullDevice
        opener.standardError = FileHandle.nullDevice
        try? opener.run()
    }
}
