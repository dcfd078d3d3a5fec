/// What an import of calendar files did.
public struct CalendarImportReport: Encodable, Sendable {
    /// Events of which meetings were made.
    public internal(set) var imported = 0
    /// Meetings that are now as the file says.
    public internal(set) var updated = 0
    /// What was there and is as it was.
    public internal(set) var unchanged = 0
    /// What is kept as it stands, and no meeting: it is there again in what is exported.
    public internal(set) var kept: [ImportReport.Skipped] = []
    /// What was left out.
    public internal(set) var skipped: [ImportReport.Skipped] = []
    /// What was read, but perhaps not as its author meant it.
    public internal(set) var warnings: [ImportReport.Skipped] = []
    /// How many events, tasks and the like were read.
    public internal(set) var read = 0
}
