import Interchange
public import Planning

/// The outcome of the import of one object.
enum CalendarImportOutcome: Equatable, Sendable {
    case imported, updated, unchanged
    case kept(String), skipped(String)
    /// Updated, and with remarks on changes that are lost.
    case noted([String])

    /// An update with remarks on what it replaced and on what it did not take.
    ///
    /// - Parameter merge: the combination of the file with the changes made here.
    /// - Returns: the outcome.
    func noting(_ merge: ImportMerge) -> CalendarImportOutcome {
        guard case .updated = self else { return self }
        var remarks: [String] = []
        if !merge.replaced.isEmpty {
            let list = merge.replaced.joined(separator: ", ")
            remarks.append(
                "was changed here and in the file, which replaced your changes to: \(list)")
        }
        if merge.untaken > 0 {
            let dates = merge.untaken == 1 ? "one date" : "\(merge.untaken) dates"
            remarks.append(
                "is changed in the file on \(dates) that you moved out of the series here: such "
                    + "changes are not taken")
        }
        return remarks.isEmpty ? self : .noted(remarks)
    }
}

extension CalendarImportReport {
    mutating func take(_ outcome: CalendarImportOutcome, of read: ReadObject) {
        func remark(_ reason: String) -> ImportReport.Skipped {
            .init(
                file: read.file, line: read.object.number,
                reason: "\(read.object.title) \(reason)", name: read.object.title)
        }
        switch outcome {
        case .imported: imported += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .kept(let reason): kept.append(remark(reason))
        case .skipped(let reason): skipped.append(remark(reason))
        case .noted(let reasons):
            updated += 1
            warnings += reasons.map(remark)
        }
    }
}

/// The result of an import of calendar files.
public struct CalendarImportReport: Encodable, Sendable {
    /// The number of events from which meetings were created.
    public internal(set) var imported = 0
    /// The number of meetings that were updated to match the file.
    public internal(set) var updated = 0
    /// The number of objects that were imported before and have not changed.
    public internal(set) var unchanged = 0
    /// Objects that did not become meetings. They are stored unchanged, and exports contain them.
    public internal(set) var kept: [ImportReport.Skipped] = []
    /// Parts of the files that were not imported.
    public internal(set) var skipped: [ImportReport.Skipped] = []
    /// Parts that were imported, but perhaps not as their author meant them.
    public internal(set) var warnings: [ImportReport.Skipped] = []
    /// The properties of events that meetings have no place for. Exports contain them.
    public internal(set) var unused: [ImportReport.Unused] = []
    /// The number of events, tasks and other objects that were read.
    public internal(set) var read = 0
}
