import Agenda
import Interchange
import Ledger
import Storage

/// The part of a delivery that a reader sees.
enum DeliverySight {
    /// Everything: the owner of the installation, and the receiver.
    case all
    /// The address, but no private reasons: the organizer of the meeting.
    case address
    /// No private reasons, and nothing that contains the address: the organizer, if they know the
    /// receiver by another address.
    case disguised
    /// Neither address nor reasons: other participants.
    case state

    /// The reason for the state of a row as this reader sees it.
    func reason(of row: LedgerRow) -> String {
        self == .disguised
            ? OthersReason.disguised(row.reason, isQuote: row.isQuoting) : reason(row.reason)
    }

    /// The reason for a change of state that is not the result of an attempt.
    func reason(_ reason: String) -> String {
        switch self {
        case .all: reason
        case .address: OthersReason.shown(reason)
        case .disguised: OthersReason.disguised(reason)
        case .state: ""
        }
    }

    /// The reply of another system as this reader sees it.
    func reply(_ reply: String) -> String {
        self == .disguised ? OthersReason.code(of: reply) : reply
    }
}

/// A reason in the ledger as organizers read it: without the sending hours and the time zone of a
/// receiver, and without the owner's words about a stopped address.
enum OthersReason {
    static let stopMark = "nothing is sent to this address"
    static let held = "held back by the receiver's sending hours"

    /// The beginnings of reasons that end with the words of another system.
    private static let quotingMarks = [
        Store.bounceMark, "delayed: ", LedgerRow.refusalMark, "\(stopMark): ",
        "the sink is not set up: ", "the other system refuses letsmeet: ",
        "there is no time for another attempt: ",
    ]

    /// The reason for an organizer who must not see the receiver's address. The words of other
    /// systems may contain it, or its domain alone, so only their status code is left.
    ///
    /// - Parameters:
    ///   - reason: the reason in the ledger.
    ///   - isQuote: true if the words of another system may be all of it.
    /// - Returns: the reason without these words and without mail addresses.
    static func disguised(_ reason: String, isQuote: Bool = false) -> String {
        let words = shown(reason)
        var rest = words[...]
        while let quote = quote(in: rest) { rest = quote }
        let own = words[..<rest.startIndex]
        guard isQuote || !own.isEmpty else { return withoutAddresses(words) }
        return "\(own)\(code(of: rest))"
    }

    /// The status code (RFC 3463) with which the words of another system begin; "…" if they begin
    /// with none.
    static func code(of words: some StringProtocol) -> String {
        guard !words.isEmpty else { return "" }
        let code = String(words).prefixMatch(of: /[245]\.[0-9]{1,3}\.[0-9]{1,3}\b/)
        return code.map { String($0.output) } ?? "…"
    }

    private static func quote(in reason: Substring) -> Substring? {
        if let mark = quotingMarks.first(where: { reason.hasPrefix($0) }) {
            return reason.dropFirst(mark.count)
        }
        return reason.prefixMatch(of: #/gave up after [0-9]+ attempts: /#)
            .map { reason[$0.range.upperBound...] }
    }

    /// A text with "…" in place of each mail address.
    private static func withoutAddresses(_ text: String) -> String {
        text.replacing(/[^\s<>()"',;:]+@[^\s<>()"',;:]+/, with: "…")
    }

    private static let marks = [("held back until ", held), ("not held back by ", "not \(held)")]

    /// The reason for somebody who neither owns the installation nor is the receiver.
    ///
    /// - Parameter reason: the reason in the ledger.
    /// - Returns: the same, or a shorter one.
    static func shown(_ reason: String) -> String {
        if reason.hasPrefix("\(stopMark): ") {
            let why = reason.dropFirst(stopMark.count + 2)
            return why.hasPrefix(Store.bounceMark) ? reason : stopMark
        }
        guard reason.contains("quiet hours") || reason.contains("send window") else {
            return reason
        }
        // The words may follow others: a delivery that waited comes too late.
        for (mark, words) in marks {
            if let range = reason.firstRange(of: mark) {
                return String(reason[..<range.lowerBound]) + words
            }
        }
        return reason
    }
}

extension Planner {
    /// The part that the actor sees of the deliveries to a person about a meeting.
    func sight(of person: PersonID, in meeting: Meeting) -> DeliverySight {
        guard !actsAsOwner, actor.id != person else { return .all }
        return actor.id == meeting.organizer ? .address : .state
    }

    /// The part that the actor sees of a delivery of which they may see the reasons or the address.
    func sight(of row: LedgerRow) -> DeliverySight {
        guard !actsAsOwner, let person = row.key.notification.receiver.person else { return .all }
        return person == actor.id.text ? .all : .address
    }

    /// The part that the actor sees of a stored delivery.
    func sight(of record: DeliveryRecord) -> DeliverySight {
        sight(of: record.row).disguising(
            record.row, known: record.knownAddress ?? record.personAddress)
    }
}

extension LedgerRow {
    /// True if the reason may consist of the words with which another system answered an attempt.
    fileprivate var isQuoting: Bool {
        switch state {
        case .planned: hold == nil
        case .claimed, .failed, .ambiguous, .parked: true
        case .accepted, .expired, .superseded, .suppressed: false
        }
    }
}

extension DeliverySight {
    /// The part of a delivery that an organizer sees. Mail to another address than the one by which
    /// they know its receiver is disguised: that of a private channel, or another proven one.
    ///
    /// - Parameters:
    ///   - row: the delivery.
    ///   - known: the address by which the organizer knows the receiver; `nil` if there is none.
    /// - Returns: the same, or less.
    func disguising(_ row: LedgerRow, known: String?) -> DeliverySight {
        guard self == .address, row.key.channel == SinkKind.mail.name, !row.key.address.isEmpty,
            MailAddress.folded(row.key.address) != MailAddress.folded(known ?? "")
        else { return self }
        return .disguised
    }
}

extension LedgerRow {
    /// The address for a reader: that of the row, or else that of the person.
    ///
    /// - Parameters:
    ///   - mail: the address to which mail to the person goes.
    ///   - known: the only address that an organizer may know; `nil` if they may know all.
    ///   - sight: what the reader sees.
    /// - Returns: the address; empty if there is none.
    func address(or mail: String, known: String?, _ sight: DeliverySight) -> String {
        switch sight {
        case .disguised: known ?? mail
        case .all: key.address.isEmpty ? mail : key.address
        case .address, .state: key.address.isEmpty ? known ?? mail : key.address
        }
    }
}

extension DeliveryRecord {
    /// The address for a reader.
    func address(_ sight: DeliverySight) -> String {
        row.address(or: personAddress, known: knownAddress, sight)
    }
}

extension Person {
    /// The only address that the organizer of a meeting may know; `nil` if they may know all.
    var knownAddress: String? { destination == nil ? nil : address }
}

extension LedgerRow {
    /// The row as a reader sees it.
    func seen(_ sight: DeliverySight) -> LedgerRow {
        guard sight != .all else { return self }
        var row = self
        row.reason = sight.reason(of: self)
        // The limit of messages is everybody's.
        row.hold = sight != .state && hold?.kind == .flood ? hold : nil
        return row
    }
}
