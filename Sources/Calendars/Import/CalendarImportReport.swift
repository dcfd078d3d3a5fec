import Interchange
public import Planning

/// The outcome of the import of one object.
enum CalendarImportOutcome: Equatable, Sendable {
    /// A new meeting, with remarks.
    case imported(noting: [String] = [])
    /// A changed meeting, with remarks on changes that are lost.
    case updated(noting: [String] = [])
    case unchanged
    /// Unchanged, and stored without a meeting.
    case known
    case kept(String), skipped(String)

    /// The outcome with further remarks, if the meeting is new or was changed.
    func noting(_ remarks: [String]) -> CalendarImportOutcome {
        switch self {
        case .imported(let known): .imported(noting: known + remarks)
        case .updated(let known): .updated(noting: known + remarks)
        case .unchanged, .known, .kept, .skipped: self
        }
    }
}

extension CalendarImportReport {
    mutating func take(_ outcome: CalendarImportOutcome, of read: ReadObject) {
        switch outcome {
        case .imported(let remarks):
            imported += 1
            warnings += remarks.map(read.remark) + [read.guestRemark].compactMap(\.self)
        case .updated(let remarks):
            updated += 1
            warnings += remarks.map(read.remark)
        case .unchanged: unchanged += 1
        case .known:
            unchanged += 1
            unchangedOthers += 1
        case .kept(let reason): kept.append(read.remark(reason))
        case .skipped(let reason): skipped.append(read.remark(reason))
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
    /// The number of those among them that are stored without a meeting.
    public internal(set) var unchangedOthers = 0
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
