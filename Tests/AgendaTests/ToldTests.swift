import Ledger
import Testing
import Timekeeping

@testable import Agenda

/// The knowledge of a person that the rows of the ledger show.
@Suite struct ToldTests {
    private static func told(
        _ rows: (kind: NotificationKind, revision: Int, round: Int, state: DeliveryState)...
    ) -> Told {
        let now = Moment(seconds: 0)
        let ledger = rows.map { row in
            let key = NotificationKey(
                meeting: "m", occurrence: "", person: "p", kind: row.kind,
                mark: NotificationMark(.init(revision: row.revision, round: row.round)))
            return LedgerRow(
                key: DeliveryKey(notification: key, channel: "mail", address: "p@x"),
                state: row.state, due: now, deadline: now)
        }
        return Told.read(ledger)[.person("p")] ?? Told()
    }

    @Test func `News after a cancellation has a round of its own`() {
        let off = Self.told((.invitation, 1, 0, .accepted), (.cancellation, 2, 0, .accepted))
        #expect(!off.isOn && off.round == 1)
        let again = Self.told(
            (.invitation, 1, 0, .accepted), (.cancellation, 2, 0, .accepted),
            (.invitation, 3, 1, .accepted))
        #expect(again.isOn && again.round == 1)
    }

    @Test func `A cancellation that came back does not lower the round`() {
        let rows: [(NotificationKind, Int, Int, DeliveryState)] = [
            (.invitation, 1, 0, .accepted), (.cancellation, 2, 0, .failed),
            (.invitation, 3, 1, .accepted),
        ]
        let told = Self.told(rows[0], rows[1], rows[2])
        #expect(told.isOn && told.round == 1)
        let off = Self.told(rows[0], rows[1], rows[2], (.cancellation, 4, 1, .accepted))
        #expect(!off.isOn && off.round == 2)
    }

    @Test func `A message that waits is told apart from one that arrived`() {
        let waiting = Self.told((.message, 1, 0, .suppressed))
        #expect(waiting.awaitsMessage && !waiting.isAware)
        let read = Self.told((.message, 1, 0, .accepted))
        #expect(!read.awaitsMessage && read.isAware)
        let dropped = Self.told((.message, 1, 0, .superseded))
        #expect(!dropped.awaitsMessage && !dropped.isAware)
    }
}
