import Foundation
import Interchange
import Storage

/// A file with cards of an address book. khard and vdirsyncer keep an address book as a folder of
/// such files.
struct AddressBookFile {
    let path: String
    /// True if the user named this file itself and not its folder.
    let isNamed: Bool

    private static let endings = [".vcf", ".vcard", ".csv"]
    static func expand(_ path: String) throws -> [AddressBookFile] {
        guard path != NamedFile.standardInput else {
            return [AddressBookFile(path: path, isNamed: true)]
        }
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

    /// Reads the cards and adds what is skipped to the report. An unreadable file of a folder is
    /// skipped as a whole.
    func read(into report: inout ImportReport, besides store: Store) throws -> [ContactCard] {
        let bytes: [UInt8]
        do throws(NamedFile.Fault) {
            guard !store.holds(path) else { throw .own }
            bytes = try NamedFile(path: path, isNamed: isNamed).contents()
        } catch {
            guard !isNamed || error.isSkipped else {
                throw Refusal(.invalid, code: "unreadable_file", "\(path) \(error.reason).")
            }
            report.skipped.append(.init(file: path, line: nil, reason: error.reason))
            return []
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var reading = ContactFile.read(bytes, name: name)
        var refused: [SkippedPart] = []
        reading.cards.removeAll { card in
            do {
                try ContactRules.check(card)
                return false
            } catch {
                refused.append(
                    SkippedPart(
                        line: card.line,
                        reason: "\(card.formattedName.prefix(60)) is not imported. "
                            + Refusal(error).message))
                return true
            }
        }
        reading.skipped += refused
        report.skipped += reading.skipped.sorted { $0.line < $1.line }.map {
            .init(file: path, line: $0.line, reason: $0.reason)
        }
        report.warnings += reading.warnings.map {
            .init(file: path, line: $0.line, reason: $0.message)
        }
        report.unused += reading.unused.map { .init(file: path, $0) }
        return reading.cards
    }
}
