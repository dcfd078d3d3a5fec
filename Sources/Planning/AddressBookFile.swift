import Foundation
import Interchange
import Storage

/// A file of an address book: one of many cards, or one of many files of a folder, as khard and
/// vdirsyncer keep it.
struct AddressBookFile {
    let path: String
    /// Whether somebody named this very file, and not the folder that it is in.
    let isNamed: Bool

    private static let endings = [".vcf", ".vcard", ".csv"]
    /// Stands for standard input where files are named.
    private static let standardInput = "-"

    static func expand(_ path: String) throws -> [AddressBookFile] {
        guard path != standardInput else { return [AddressBookFile(path: path, isNamed: true)] }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Refusal(.invalid, code: "no_file", "There is no file \(path).")
        }
        guard isFolder.boolValue else { return [AddressBookFile(path: path, isNamed: true)] }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        return (names ?? []).filter { name in
            endings.contains { name.lowercased().hasSuffix($0) }
        }.sorted().map { AddressBookFile(path: "\(path)/\($0)", isNamed: false) }
    }

    /// Reads the cards, and tells the report what is left out. A file of a folder that cannot be
    /// read is left out as a whole.
    func read(into report: inout ImportReport, besides store: Store) throws -> [ContactCard] {
        let bytes: [UInt8]
        do throws(Fault) {
            guard !store.holds(path) else { throw .own }
            bytes = try contents()
        } catch {
            guard !isNamed || error.isSkipped else {
                throw Refusal(.invalid, code: "unreadable_file", "\(path) \(error.reason).")
            }
            report.skipped.append(.init(file: path, line: nil, reason: error.reason))
            return []
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var reading = ContactFile.read(bytes, name: name)
        reading.cards = reading.cards.filter { card in
            do {
                try ContactRules.check(card)
                return true
            } catch {
                reading.skipped.append(
                    SkippedPart(line: card.line, reason: Refusal(error).message))
                return false
            }
        }
        report.skipped += reading.skipped.sorted { $0.line < $1.line }.map {
            .init(file: path, line: $0.line, reason: $0.reason)
        }
        report.warnings += reading.warnings.map {
            .init(file: path, line: $0.line, reason: $0.message)
        }
        return reading.cards
    }
}

extension AddressBookFile {
    /// Why a file is not read at all.
    private enum Fault: Error {
        case unreadable
        case special
        case own
        case tooLong(bytes: Int)
        case endless

        var reason: String {
            switch self {
            case .unreadable: "cannot be read"
            case .special: "is no ordinary file"
            case .own: "is letsmeet's own database"
            case .tooLong(let bytes): ContactLimits.refusal(ofBytes: bytes)
            case .endless: "has more than the \(ContactLimits.fileBytesMax) bytes that are read"
            }
        }

        /// Whether the report tells it, also of a file that somebody named.
        var isSkipped: Bool {
            switch self {
            case .tooLong, .endless: true
            case .unreadable, .special, .own: false
            }
        }
    }

    /// Devices have no end that one could wait for, so that they are not even opened; a pipe that
    /// somebody named ends when its writer does.
    private func contents() throws(Fault) -> [UInt8] {
        guard path != Self.standardInput else { return try Self.contents(of: .standardInput) }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .unreadable }
        let kind = facts.st_mode & S_IFMT
        if kind == S_IFIFO, isNamed {
            guard let pipe = FileHandle(forReadingAtPath: path) else { throw .unreadable }
            return try Self.contents(of: pipe)
        }
        guard kind == S_IFREG else { throw .special }
        let bytes = Int(facts.st_size)
        guard bytes <= ContactLimits.fileBytesMax else { throw .tooLong(bytes: bytes) }
        guard let data = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else {
            throw .unreadable
        }
        return Array(data)
    }

    /// Reads what says only at its end how long it is.
    private static func contents(of stream: FileHandle) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let part = try stream.read(upToCount: pieceBytes), !part.isEmpty {
                bytes += part
                if bytes.count > ContactLimits.fileBytesMax { break }
            }
        } catch {
            throw .unreadable
        }
        guard bytes.count <= ContactLimits.fileBytesMax else { throw .endless }
        return bytes
    }

    private static let pieceBytes = 1 << 16
}
