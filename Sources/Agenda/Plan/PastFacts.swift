import Ledger
import Timekeeping

/// The facts that the revisions of a meeting told, as digests from its history. Who was told the
/// facts of now by an earlier revision, and not those in between, needs no news.
public struct PastFacts: Equatable, Sendable {
    /// An entry of the history.
    public struct Entry: Equatable, Sendable {
        /// The revision of the meeting after the act.
        public let revision: Int
        /// The name of the date that was changed; empty for the whole meeting.
        public let date: String
        /// The digest of what all dates share, after the act.
        public let whole: String
        /// The digest of the date's facts after the act. For the whole meeting, that of the whole,
        /// or empty if the act changed single dates, too.
        public let facts: String
        /// True if people are told of it even if they know the facts.
        public let isAnnounced: Bool
        /// True if people are told another title, note or link with it.
        public let tellsTexts: Bool

        /// Creates an entry.
        public init(
            revision: Int, date: String, whole: String, facts: String, isAnnounced: Bool,
            tellsTexts: Bool
        ) {
            self.revision = revision
            self.date = date
            self.whole = whole
            self.facts = facts
            self.isAnnounced = isAnnounced
            self.tellsTexts = tellsTexts
        }

        /// Creates the entry of an act.
        ///
        /// - Parameters:
        ///   - act: the act.
        ///   - meeting: the meeting after it.
        public init(_ act: MeetingAct, on meeting: Meeting) {
            let changed = act.date.map(meeting.on) ?? meeting
            self.init(
                revision: meeting.revision, date: act.date?.name ?? "",
                whole: meeting.factsDigest, facts: act.changesDates ? "" : changed.factsDigest,
                isAnnounced: act.isAnnounced, tellsTexts: act.tellsTexts)
        }

        /// True for an act on the whole that changed single dates.
        fileprivate var changesDates: Bool { date.isEmpty && facts.isEmpty }
    }

    /// The entries, the oldest first.
    private let entries: [Entry]
    /// True if these are the entries of the whole history. Otherwise they begin with a later
    /// revision.
    private let isWhole: Bool
    /// The entries of which people are told even if they know the facts.
    private let announced: [Entry]
    /// The digests of the whole in each revision. Each date of a series looks them up for each
    /// reader.
    private let wholes: [Int: Set<String>]
    /// The first revision in which the whole had other facts than at first; `nil` if there is none.
    private let firstChange: Int?
    /// The revision of the last act on each date.
    private let lastActs: [String: Int]
    /// The revision of the last act on the whole that changed single dates; `nil` if there is none.
    private let lastChangeOfDates: Int?

    /// Creates the facts of a history.
    ///
    /// - Parameters:
    ///   - entries: the entries, the oldest first.
    ///   - isWhole: true if these are all entries. Otherwise they are all those from a later
    ///     revision on, and what was before is not known.
    public init(_ entries: [Entry] = [], isWhole: Bool = true) {
        self.entries = entries
        self.isWhole = isWhole
        announced = entries.filter { $0.isAnnounced || $0.tellsTexts }
        wholes = Dictionary(grouping: entries, by: \.revision).mapValues { Set($0.map(\.whole)) }
        firstChange = entries.first { $0.whole != entries.first?.whole }?.revision
        lastActs = Dictionary(entries.map { ($0.date, $0.revision) }, uniquingKeysWith: max)
        lastChangeOfDates = entries.last(where: \.changesDates)?.revision
    }

    /// The same facts with one more entry.
    public func adding(_ entry: Entry) -> PastFacts {
        PastFacts(entries + [entry], isWhole: isWhole)
    }

    /// True if a revision is told to people who know its facts by an earlier one: its author wrote
    /// words about it or asked to notify people, or other texts were to be told since.
    func isAnnounced(_ revision: Int, after known: Int) -> Bool {
        announced.contains {
            $0.revision == revision && $0.isAnnounced
                || $0.tellsTexts && $0.revision > known && $0.revision <= revision
        }
    }

    /// True if an act on the whole changed single dates since a revision: it dropped or renamed
    /// exceptions, or the meeting was created with some.
    func changesDates(after known: Int) -> Bool {
        lastChangeOfDates.map { $0 > known } ?? false
    }

    /// True if nothing was done about a date alone in a revision and since.
    func areUnchanged(on date: String, since revision: Int) -> Bool {
        let last = max(lastActs[date] ?? .min, lastChangeOfDates ?? .min)
        return last < revision
    }

    /// The digest of what a revision told of the whole meeting; `nil` if that is not known, because
    /// it was changed within the revision.
    func whole(at revision: Int) -> String? {
        Self.only(wholes[revision] ?? [])
    }

    /// The digest of the whole meeting's facts with which a revision began; `nil` if that is not
    /// known.
    func wholeAtStart(of revision: Int) -> String? {
        entries.first { $0.revision == revision }?.whole
    }

    /// True if the whole meeting had these facts in every revision up to this one.
    func wereAlways(_ whole: String, until revision: Int) -> Bool {
        guard isWhole, let first = entries.first, first.revision <= revision else { return false }
        return first.whole == whole && firstChange.map { $0 > revision } ?? true
    }

    /// The digest of what a revision told of one date; `nil` if that is not known.
    ///
    /// - Parameters:
    ///   - date: the name of the date.
    ///   - revision: the revision.
    ///   - regular: the digest of the date as the rule gives it.
    /// - Returns: the digest.
    func facts(of date: String, at revision: Int, regular: String) -> String? {
        guard isWhole, lastChangeOfDates == nil else { return nil }
        let own = entries.filter { $0.date == date }
        let within = own.filter { $0.revision == revision }.map(\.facts)
        let isItsOwn = entries.first { $0.revision == revision }?.date == date
        let before = own.last { $0.revision < revision }?.facts ?? regular
        return Self.only(isItsOwn ? within : within + [before])
    }

    /// The dates that were last changed quietly, within a revision that began with another act.
    /// News about the whole also tells its dates as they are then.
    public var quietDates: Set<String> {
        var begun: Set<Int> = []
        var dates: Set<String> = []
        for entry in entries {
            let isTold = begun.insert(entry.revision).inserted
            switch (entry.date.isEmpty, isTold) {
            case (true, true): dates = []
            case (true, false): break
            case (false, true): dates.remove(entry.date)
            case (false, false): dates.insert(entry.date)
            }
        }
        return dates
    }

    private static func only(_ digests: some Sequence<String>) -> String? {
        let all = Set(digests)
        return all.count == 1 ? all.first : nil
    }
}

extension Meeting {
    /// A digest of the facts whose changes people are always told: time, place, status and
    /// repetition. For a series, of those that all dates share.
    public var factsDigest: String {
        let parts = [
            id.text, status.rawValue, place?.reference ?? "",
            place?.text ?? "", time.start.description, time.zone, time.duration.iso,
            series?.rule.description ?? "",
        ]
        return SipHash.digest(of: parts.joined(separator: "\u{0}"))
    }
}
