import Agenda
import Ledger
import Testing
import Timekeeping

@Suite struct OwnChannelTests {
    private static let receiver = Receiver.person(Gathering.anna.text)
    private static let bell = OwnChannel(name: "bell", sink: "ntfy", receiver: receiver)

    private func gathering(_ own: [OwnChannel]) throws -> Gathering {
        var gathering = try Gathering()
        gathering.channels = [Gathering.mail]
        gathering.own = own
        gathering.plan()
        return gathering
    }

    /// Anna's open notifications with their channels, sorted.
    private func told(_ gathering: Gathering) -> [String] {
        gathering.open.filter { $0.hasPrefix("anna ") }
    }

    @Test func `A personal channel is used for its person only`() throws {
        let gathering = try gathering([Self.bell])
        #expect(
            told(gathering) == [
                "anna invitation 1 by ntfy", "anna reminder P1D by ntfy",
                "anna reminder PT1H by ntfy",
            ])
        #expect(gathering.open.contains("ben invitation 1 by mail"))
    }

    @Test func `A channel for one kind does not affect the others`() throws {
        let gathering = try gathering([
            OwnChannel(name: "bell", sink: "ntfy", receiver: Self.receiver, kinds: [.reminder])
        ])
        #expect(
            told(gathering) == [
                "anna invitation 1 by mail", "anna reminder P1D by ntfy",
                "anna reminder PT1H by ntfy",
            ])
    }

    @Test func `Waiting rows follow a channel that is added or removed`() throws {
        var gathering = try gathering([])
        #expect(told(gathering).allSatisfy { $0.hasSuffix("by mail") })
        gathering.own = [Self.bell]
        gathering.plan()
        #expect(told(gathering).allSatisfy { $0.hasSuffix("by ntfy") })
        #expect(gathering.plan().isEmpty)
        gathering.own = []
        gathering.plan()
        #expect(told(gathering).allSatisfy { $0.hasSuffix("by mail") })
        #expect(told(gathering).count == 3)
    }

    @Test func `A sent notification is not repeated on a channel added later`() throws {
        var gathering = try gathering([])
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.own = [Self.bell]
        gathering.plan()
        #expect(told(gathering).allSatisfy { $0.contains("reminder") })
    }

    @Test(arguments: [NotificationKind.invitation, .reminder])
    func `A permanent failure leads to the next channel, once`(_ kind: NotificationKind) throws {
        var gathering = try gathering([Self.bell])
        if kind == .reminder { gathering.now = try Moment.parse("2026-12-04T12:00:00+02:00") }
        let rows = gathering.rows.filter {
            $0.key.notification.receiver == Self.receiver && $0.key.notification.kind == kind
                && $0.due <= gathering.now
        }
        let row = try #require(rows.first)
        gathering[row.name]?.state = .failed
        let added = gathering.plan().added
        #expect(added.map(\.key.channel) == ["mail"])
        #expect(added.map(\.key.notification) == [row.key.notification])
        #expect(added.map(\.due) == [gathering.now])
        #expect(gathering.plan().isEmpty)
        let other = try #require(added.first)
        gathering[other.name]?.state = .failed
        #expect(gathering.plan().added == [])
    }

    @Test func `A delivery on another channel makes a fallback unnecessary`() throws {
        let other = OwnChannel(name: "gong", sink: "gotify", receiver: Self.receiver)
        var gathering = try gathering([Self.bell, other])
        gathering.finish(.failed, kinds: [.invitation], channel: "ntfy")
        #expect(gathering.plan().added == [])
        gathering.finish(.accepted, kinds: [.invitation], channel: "gotify")
        #expect(gathering.plan().added == [])
    }

    @Test func `A person without a personal channel has no fallback`() throws {
        var gathering = try gathering([])
        gathering.finish(.failed, kinds: [.invitation])
        #expect(gathering.plan().added == [])
    }

    @Test func `A message sent by hand follows its reader to a new address`() throws {
        var gathering = try gathering([])
        let key = NotificationKey(
            meeting: "meeting", occurrence: "", person: "anna", kind: .message, mark: "m1")
        let notification = PlannedNotification(
            key: key, due: gathering.now, deadline: gathering.meeting.time.endsAt, isNew: true)
        var row = try #require(
            gathering.directory.rows(for: notification, now: gathering.now).first)
        row.body = 7
        gathering.rows.append(row)
        gathering.addresses["anna"] = "new@example.org"
        let difference = gathering.plan()
        let heir = try #require(difference.added.first { $0.key.notification == key })
        #expect(heir.key.address == "new@example.org")
        #expect(heir.body == 7)
        #expect(difference.superseded.contains { $0.name == row.name })
        #expect(gathering.plan().isEmpty)
    }

    @Test func `Rows of a disabled sink keep waiting`() throws {
        var gathering = try gathering([])
        gathering.channels = []
        #expect(gathering.plan().isEmpty)
        gathering.own = [Self.bell]
        #expect(
            gathering.plan().superseded.allSatisfy { $0.key.notification.receiver == Self.receiver }
        )
    }

    @Test func `A row that may have arrived on a removed channel moves to another`() throws {
        var gathering = try gathering([Self.bell])
        gathering.finish(.ambiguous, kinds: [.invitation], person: Gathering.anna)
        gathering.own = []
        let added = gathering.plan().added
        #expect(
            added.filter { $0.key.notification.kind == .invitation }.map(\.key.channel)
                == ["mail"])
        #expect(gathering.plan().isEmpty)
    }

    @Test(arguments: [Suppression.Origin.bounce, .unsubscribed, .hand])
    func `Only a bounced address is bypassed by another channel`(
        _ origin: Suppression.Origin
    ) throws {
        var gathering = try gathering([
            OwnChannel(name: "bell", sink: "ntfy", receiver: Self.receiver, kinds: [.change])
        ])
        gathering.suppressions[Gathering.anna] = [
            Suppression(
                address: "anna@example.org", channel: "mail", origin: origin, reason: "no",
                since: gathering.now)
        ]
        gathering.plan()
        let isAround = origin == .bounce
        #expect(told(gathering).count == (isAround ? 3 : 0))
        #expect(told(gathering).allSatisfy { $0.hasSuffix("by ntfy") })
        let dues = Set(gathering.rows.filter { $0.key.channel == "ntfy" }.map(\.due))
        #expect(dues.count == (isAround ? 3 : 0))
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A private link goes by mail, whatever channel was chosen`() throws {
        let gathering = try gathering([Self.bell])
        let key = NotificationKey(
            meeting: "meeting", occurrence: "", person: "anna", kind: .link, mark: "m")
        let rows = gathering.directory.rows(
            for: PlannedNotification(
                key: key, due: gathering.now, deadline: gathering.now, isNew: true),
            now: gathering.now)
        #expect(rows.map(\.key.channel) == ["mail"])
    }

    @Test func `A personal mail channel is not used while mail is disabled`() throws {
        var gathering = try gathering([
            OwnChannel(
                name: "work", sink: "mail", receiver: Self.receiver, address: "w@example.org")
        ])
        #expect(gathering.rows.contains { $0.key.address == "w@example.org" })
        gathering.channels = [.stdout]
        gathering.rows = []
        gathering.plan()
        #expect(told(gathering).contains("anna invitation 1"))
    }
}
