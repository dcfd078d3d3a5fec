public import Agenda
package import Interchange

/// The result of an import of contacts.
public struct ImportReport: Encodable, Sendable {
    /// A part of a file that was skipped, or that has a problem.
    public struct Skipped: Encodable, Sendable {
        /// The file.
        public let file: String
        /// The line, counted from 1; `null` for the whole file.
        @Null public var line: Int?
        /// The reason, with a pattern for other languages.
        let words: RemarkText
        /// The number of places: more than 1 for places of one kind that are not listed one by one.
        public let count: Int
        /// The person or the event; empty for another part.
        public let name: String
        /// A text that is the same for all parts of a kind.
        public let kind: String
        /// The actions that help, the best first.
        public let advice: [Advice]
        /// The refusal of the part, whose message is a value of the reason; `nil` if there is none.
        let refusal: Refusal?

        private enum CodingKeys: CodingKey {
            case file, line, reason, count
        }

        /// Describes a part of a file.
        ///
        /// - Parameters:
        ///   - file: the file.
        ///   - line: the line, counted from 1; `nil` for the whole file.
        ///   - reason: the reason.
        ///   - name: the person or the event that is named in the reason.
        ///   - count: the number of places.
        ///   - kind: a text for all parts of the kind; the default is the reason without the name,
        ///     digits and quoted parts.
        ///   - refusal: the refusal of the part, whose message is a value of the reason.
        ///   - advice: the actions that help, the best first.
        package init(
            file: String, line: Int? = nil, reason: RemarkText, name: String = "", count: Int = 1,
            kind: String? = nil, refusal: Refusal? = nil, advice: Advice...
        ) {
            self.file = file
            self.line = line
            words = reason
            self.refusal = refusal
            self.name = name
            self.count = count
            self.advice = advice
            self.kind =
                kind ?? Self.statement(reason.description, without: name).withoutParticulars
        }

        /// The reason in English.
        public var reason: String { words.description }

        /// The reason without the name.
        var statement: String { Self.statement(reason, without: name) }

        private static func statement(_ reason: String, without name: String) -> String {
            name.isEmpty ? reason : reason.replacing(name, with: "", maxReplacements: 1)
        }

        /// The reason with its advice.
        public var remark: Remark { remark(saying: { _ in nil }) }

        /// The reason with its advice, for interfaces in other languages.
        ///
        /// - Parameter translation: the message of a refusal in the language; `nil` if it is known
        ///   in English only.
        /// - Returns: the remark.
        public func remark(saying translation: (Refusal) -> String?) -> Remark {
            let message = refusal.flatMap(translation)
            let values = words.values.enumerated().map { place, value in
                let isMessage = value == refusal?.message
                return ("\(place + 1)", Phrase.Value.text(isMessage ? message ?? value : value))
            }
            return Remark(
                reason, advice: advice,
                phrase: Phrase(words.pattern, Dictionary(values) { first, _ in first }))
        }

        /// Writes the reason with its advice in the words of the interface that writes.
        public func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(file, forKey: .file)
            try fields.encode(line, forKey: .line)
            try fields.encode(remark, forKey: .reason)
            try fields.encode(count, forKey: .count)
        }
    }

    /// A group that became a circle or was added to an existing one.
    public struct Group: Encodable, Sendable {
        /// The name of the circle.
        public let name: String
        /// True if the circle is new.
        public let isNew: Bool
        /// The number of people who came into the circle.
        public let added: Int
        /// The number of people in the circle.
        public let people: Int
    }

    /// Data of one kind that no contact has a place for.
    public struct Unused: Encodable, Sendable {
        /// The file.
        public let file: String
        /// The kind: a column or a property.
        public let what: String
        /// The number of values.
        public let count: Int
        /// The line of the first value, counted from 1.
        public let line: Int
        /// The name of the column or property.
        public let name: String
        /// True for a column.
        public let isColumn: Bool
        /// The kind as a phrase of pages, if its name does not say it.
        public let phrase: Phrase?
        /// The number of kinds, if the entry stands for those that are not named; otherwise 0.
        public let kindCount: Int

        private enum CodingKeys: CodingKey {
            case file, what, count, line
        }

        init(
            file: String, property name: String, what: String, phrase: Phrase, count: Int,
            line: Int
        ) {
            self.file = file
            self.phrase = phrase
            self.what = what
            self.count = count
            self.line = line
            self.name = name
            isColumn = false
            kindCount = 0
        }

        package init(file: String, _ unused: UnusedData) {
            self.file = file
            what = unused.what
            count = unused.count
            line = unused.line
            name = unused.name
            isColumn = unused.kind == .column
            kindCount = unused.kindCount
            phrase =
                unused.kind == .group && unused.kindCount == 0
                ? Phrase("Google’s own group “%name%”", ["name": .text(unused.name)]) : nil
        }
    }

    /// The id by which the import can be taken back; `null` if it has changed nothing.
    @Null public internal(set) var importID: String?
    /// True if the import was stopped before the last card. What was saved until then stays.
    public internal(set) var isStopped = false

    private enum CodingKeys: String, CodingKey {
        case importID = "import"
        case imported, updated, unchanged, skipped, warnings, unused, circles, withoutAddress, read
    }

    /// The number of new contacts.
    public internal(set) var imported = 0
    /// The number of cards that changed a contact.
    public internal(set) var updated = 0
    /// The number of cards that changed nothing.
    public internal(set) var unchanged = 0
    /// The parts of files that were skipped.
    public internal(set) var skipped: [Skipped] = []
    /// The parts of files that were read, but perhaps not as their author meant them.
    public internal(set) var warnings: [Skipped] = []
    /// The data that was not used, one entry for each kind and file.
    public internal(set) var unused: [Unused] = []
    /// The circles made from groups, or extended by them.
    public internal(set) var circles: [Group] = []
    /// The names of contacts without a mail address, who cannot be invited by mail.
    public internal(set) var withoutAddress: [String] = []
    /// The number of cards that were read.
    public internal(set) var read = 0

    /// The report of an import that was stopped while its files were read, so that nothing was
    /// saved. Remarks on a file that was read in part would mislead.
    static var stoppedWhileReading: ImportReport {
        var report = ImportReport()
        report.isStopped = true
        return report
    }
}
