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
    /// skipped as a whole. When the import is stopped, the reading ends early.
    func read(
        into report: inout ImportReport, besides store: Store,
        isStopped: @escaping () -> Bool = { false }
    ) throws -> [ContactCard] {
        let bytes: [UInt8]
        do throws(NamedFile.Fault) {
            guard !store.holds(path) else { throw .own }
            bytes = try NamedFile(path: path, isNamed: isNamed).contents()
        } catch {
            guard !isNamed || error.isSkipped else {
                throw Refusal(.invalid, code: "unreadable_file", "\(path) \(error.reason).")
            }
            report.skipped.append(
                .init(file: path, line: nil, reason: RemarkText(error.reason)))
            return []
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var reading = ContactFile.read(bytes, name: name, isStopped: isStopped)
        report.skipped += refuseCards(in: &reading)
        report.skipped += reading.skipped.parts(of: path) {
            .init(file: path, line: $0.line, reason: $0.words, count: $1)
        }
        report.warnings += reading.warnings.parts(of: path) {
            .init(file: path, line: $0.line, reason: $0.words, count: $1, kind: $0.kind)
        }
        report.unused += reading.unused.map { .init(file: path, $0) }
        return reading.cards
    }

    /// Removes the cards that break a rule, and returns them with their reasons.
    private func refuseCards(in reading: inout CardReading) -> [ImportReport.Skipped] {
        var refused: [ImportReport.Skipped] = []
        reading.cards.removeAll { card in
            do {
                try ContactRules.check(card)
                return false
            } catch {
                let (name, refusal) = (String(card.formattedName.prefix(60)), Refusal(error))
                refused.append(
                    .init(
                        file: path, line: card.line,
                        reason: "\(name) is not imported. \(refusal.message)", name: name,
                        refusal: refusal))
                return true
            }
        }
        return refused
    }
}

extension RemarkList {
    /// The remarks as parts of a report: the listed ones, and for each kind one part for those that
    /// are not listed.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - part: describes a remark that stands for a number of places.
    /// - Returns: the parts.
    package func parts(
        of path: String, _ part: (Item, _ count: Int) -> ImportReport.Skipped
    ) -> [ImportReport.Skipped] {
        let further = ImportReport.Skipped(
            file: path, reason: "there are problems of further kinds, which are not listed",
            count: furtherCount)
        return map { part($0, 1) } + rests.map { part($0.first, $0.count) }
            + (furtherCount > 0 ? [further] : [])
    }
}
