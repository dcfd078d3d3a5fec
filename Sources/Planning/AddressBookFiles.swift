import Foundation
import Interchange

/// The files of an address book: one file of many cards, or a folder of many files, as khard and
/// vdirsyncer keep it.
enum AddressBookFiles {
    private static let endings = [".vcf", ".vcard", ".csv"]

    static func expand(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Refusal(.invalid, code: "no_file", "There is no file \(path).")
        }
        guard isFolder.boolValue else { return [path] }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        return (names ?? []).filter { name in
            endings.contains { name.lowercased().hasSuffix($0) }
        }.sorted().map { "\(path)/\($0)" }
    }

    static func read(_ path: String, into report: inout ImportReport) throws -> [ContactCard] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Refusal(.invalid, code: "unreadable_file", "\(path) cannot be read.")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var reading = ContactFile.read(Array(data), name: name)
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
