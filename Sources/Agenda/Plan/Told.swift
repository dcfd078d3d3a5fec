public import Ledger

/// The notifications about a meeting that a person or an audience has got or may have got.
struct Told: Equatable {
    /// The highest revision in an invitation or a change to them; `nil` if there was none.
    var revision: Int?
    /// True if the last news to them was that the meeting is cancelled for them.
    var isOff = false
    /// The highest revision in any news to them, including cancellations.
    var heard: Int?
    /// The highest round in the marks of cancellations.
    private var roundOff = -1
    /// The last cancellation that was only printed.
    private var printedCancellation: NotificationMark.News?
    /// The highest round in the marks of invitations and changes.
    private var roundOn = -1
    /// True if a reminder or a message told them of the meeting, even if no invitation did.
    var isAware = false
    /// True if a message about the meeting has not arrived yet.
    var awaitsMessage = false
    /// The notifications that reached them or are on their way.
    var notifications: Set<NotificationKey> = []

    /// The round for the mark of the next news. An invitation after a cancellation needs a mark of
    /// its own, also if the cancellation came back later or was only printed.
    var round: Int { max(roundOn, roundOff + 1, (printedCancellation?.round ?? -1) + 1) }

    /// The mark of a cancellation of this revision. A cancellation that was only printed keeps its
    /// mark when it is sent.
    func cancellation(of revision: Int) -> NotificationMark.News? {
        if isOff { return lastCancellation }
        if let printed = printedCancellation, printed.round >= max(roundOn, roundOff + 1) {
            return printed
        }
        return NotificationMark.News(revision: revision, round: round)
    }

    /// True if they know of the meeting and believe that it concerns them.
    var isOn: Bool { revision != nil && !isOff }
}

extension Told {
    /// Reads from the ledger what each person and each audience knows of a meeting. For a
    /// series, only the news about the whole counts.
    static func read(_ rows: [LedgerRow]) -> [Receiver: Told] {
        var receivers: [Receiver: Told] = [:]
        for row in rows where row.key.notification.occurrence.isEmpty {
            let key = row.key.notification
            if row.mayHaveArrived {
                receivers[key.receiver, default: Told()].note(key)
            } else if row.isUnreadMessage {
                receivers[key.receiver, default: Told()].awaitsMessage = true
            } else if row.isOnlyPrinted, key.kind == .cancellation {
                // The marks of later news are the same, whoever plans them.
                receivers[key.receiver, default: Told()].note(printed: key.mark.news)
            }
        }
        for (receiver, told) in receivers {
            receivers[receiver]?.isOff = told.roundOff >= max(told.roundOn, 0)
        }
        return receivers
    }

    /// The same, for a receiver who knows a revision without having been notified.
    func knowing(_ revision: Int?) -> Told {
        guard let revision else { return self }
        var told = self
        told.revision = max(told.revision ?? 0, revision)
        return told
    }

    private mutating func note(_ key: NotificationKey) {
        guard notifications.insert(key).inserted else { return }
        if key.kind.isNews { heard = max(heard ?? 0, key.mark.news.revision) }
        switch key.kind {
        case .invitation, .change:
            revision = max(revision ?? 0, key.mark.news.revision)
            roundOn = max(roundOn, key.mark.news.round)
        case .cancellation: roundOff = max(roundOff, key.mark.news.round)
        case .reminder, .nudge, .message: isAware = true
        case .promotion, .admission, .decision: isAware = true
        case .answer, .proposal, .refusal, .join, .leave, .request, .link, .digest, .alarm,
            .signIn, .follow:
            break
        }
    }

    private mutating func note(printed news: NotificationMark.News) {
        guard news.round > printedCancellation?.round ?? -1 else { return }
        printedCancellation = news
    }

    /// Reads what each receiver knows of one date of a series. News about the whole also covers its
    /// dates as they were then; later news about the date itself takes precedence.
    ///
    /// - Parameters:
    ///   - rows: the rows of the date.
    ///   - whole: the knowledge of each receiver from news about the whole: ``ofDates``.
    ///   - leftOut: the people who are invited to the series but not to this date, with the
    ///     revision since when.
    /// - Returns: the knowledge of each receiver about the date.
    static func read(
        date rows: [LedgerRow], knowing whole: [Receiver: Told], leftOut: [Receiver: Int]
    ) -> [Receiver: Told] {
        var receivers = whole
        for (receiver, since) in leftOut where receivers[receiver]?.heard ?? -1 >= since {
            receivers[receiver]?.isOff = true
        }
        for row in rows where row.isUnreadMessage {
            receivers[row.key.notification.receiver, default: Told()].awaitsMessage = true
        }
        let news = rows.filter(\.mayHaveArrived).map(\.key.notification).sorted {
            let (left, right) = ($0.mark.news, $1.mark.news)
            return (left.revision, left.round) < (right.revision, right.round)
        }
        for key in news {
            receivers[key.receiver, default: Told()]
                .note(key, after: whole[key.receiver]?.heard ?? -1)
        }
        return receivers
    }

    /// The knowledge about the dates of a series that follows from news about the whole.
    var ofDates: Told {
        Told(revision: revision, isOff: isOff, heard: heard)
    }

    private mutating func note(_ key: NotificationKey, after heard: Int) {
        let known = self
        note(key)
        guard key.kind.isNews else { return }
        guard key.mark.news.revision > heard else {
            (revision, isOff) = (known.revision, known.isOff)
            return
        }
        isOff = key.kind == .cancellation
    }

    /// The mark of the last cancellation that was sent.
    private var lastCancellation: NotificationMark.News? {
        notifications.filter { $0.kind == .cancellation }.map(\.mark.news)
            .max { $0.round < $1.round }
    }
}

extension [LedgerRow] {
    /// True if the last news that a person got about a meeting, or about one date of it, is that it
    /// is cancelled for them.
    public func haveToldOff(_ person: PersonID, on date: String) -> Bool {
        let told = filter { row in
            let key = row.key.notification
            return row.mayHaveArrived && key.kind.isNews && key.occurrence == date
                && key.receiver == .person(person.text)
        }.map { (mark: $0.key.notification.mark.news, kind: $0.key.notification.kind) }
        let last = told.max { left, right in
            (left.mark.round, left.mark.revision, left.kind == .cancellation ? 1 : 0)
                < (right.mark.round, right.mark.revision, right.kind == .cancellation ? 1 : 0)
        }
        return last?.kind == .cancellation
    }
}
