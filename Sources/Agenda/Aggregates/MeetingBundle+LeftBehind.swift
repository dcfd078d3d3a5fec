import Ledger

extension MeetingBundle {
    /// The lowest revision that somebody knows for whom all news about later ones was withdrawn,
    /// because what it told was taken back; `nil` if there is nobody. The title, the note and the
    /// link may have been edited in those revisions.
    public var revisionLeftBehind: Int? {
        let current = meeting.series?.revision ?? meeting.revision
        let news = rows.filter {
            $0.key.notification.occurrence.isEmpty && $0.key.notification.kind.isNews
        }
        guard news.contains(where: { $0.state == .superseded }) else { return nil }
        let told = Told.read(news.map(\.asPrinted))
        let own = Dictionary(grouping: news, by: \.key.notification.receiver)
        return readers.compactMap { reader -> Int? in
            guard let known = told[reader], known.isOn, let revision = known.revision,
                revision < current
            else { return nil }
            let later = (own[reader] ?? []).filter {
                $0.key.notification.mark.news.revision > revision
            }
            return later.allSatisfy { $0.state == .superseded } ? revision : nil
        }.min()
    }

    /// The people who are invited, without the organizer, and the audiences.
    private var readers: [Receiver] {
        let guests = participants.filter { !$0.isRemoved && $0.person != meeting.organizer }
        return guests.map { .person($0.person.text) } + audiences.map(\.receiver)
    }
}

extension LedgerRow {
    /// The row, for which printing counts as telling.
    fileprivate var asPrinted: LedgerRow {
        var row = self
        row.isOnlyPrinted = false
        return row
    }
}
