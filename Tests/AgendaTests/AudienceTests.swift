import Agenda
import Ledger
import Testing
import Timekeeping

@Suite struct AudienceTests {
    private var gathering: Gathering

    init() throws {
        gathering = try Gathering()
        gathering.channels = [.stdout, .webhook]
        gathering.audiences = [.installation]
    }

    /// The open notifications of the audience as words, sorted.
    private func told(_ gathering: Gathering) -> [String] {
        gathering.open.filter { $0.hasPrefix("installation ") }
    }

    @Test func `An audience is notified once, however many take part`() throws {
        var gathering = gathering
        gathering.plan()
        let expected = [
            "installation invitation 1 by webhook", "installation reminder P1D by webhook",
            "installation reminder PT1H by webhook",
        ]
        #expect(told(gathering) == expected)
        gathering.participants.append(Participant(person: PersonID(text: "carla")))
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.plan()
        #expect(told(gathering) == Array(expected.dropFirst()))
    }

    @Test func `An audience gets a change and a cancellation once each`() throws {
        var gathering = gathering
        gathering.plan()
        gathering.finish(.accepted, kinds: [.invitation])
        try gathering.move(to: "2026-12-05T13:00")
        gathering.plan()
        #expect(told(gathering).first == "installation change 2 by webhook")
        gathering.finish(.accepted, kinds: [.change])
        gathering.meeting.status = .cancelled
        gathering.meeting.revision += 1
        gathering.plan()
        #expect(told(gathering) == ["installation cancellation 3 by webhook"])
    }

    @Test func `An audience gets nothing before anybody is invited`() throws {
        var gathering = gathering
        gathering.participants = [Participant(person: Gathering.organizer, answer: .going)]
        gathering.plan()
        #expect(told(gathering) == [])
        gathering.participants.append(Participant(person: Gathering.anna))
        gathering.plan()
        #expect(told(gathering).count == 3)
    }

    @Test func `A circle gets a cancellation when its last member is removed`() throws {
        var gathering = gathering
        let circle = Audience(
            name: Audience.circle("c1").name, members: [Gathering.anna, Gathering.organizer])
        gathering.audiences = [circle]
        gathering.own = [OwnChannel(name: "room", sink: "matrix", receiver: circle.receiver)]
        gathering.plan()
        gathering.finish(.accepted, kinds: [.invitation])
        gathering.participants[1].isRemoved = true
        gathering.plan()
        let open = gathering.open.filter { $0.hasPrefix("circle c1 ") }
        #expect(open == ["circle c1 cancellation 1 by matrix"])
        gathering.finish(.accepted, kinds: [.cancellation])
        try gathering.move(to: "2026-12-05T13:00")
        gathering.plan()
        #expect(gathering.open.filter { $0.hasPrefix("circle c1 ") } == [])
        #expect(gathering.open.contains { $0.hasPrefix("ben ") })
    }

    @Test(arguments: [true, false])
    func `A circle that will get a message is told that the meeting is cancelled`(
        _ isWrittenTo: Bool
    ) throws {
        var gathering = gathering
        let circle = Audience(name: Audience.circle("c1").name, members: [Gathering.anna])
        gathering.audiences = [circle]
        gathering.own = [OwnChannel(name: "room", sink: "matrix", receiver: circle.receiver)]
        gathering.plan()
        if isWrittenTo {
            let key = NotificationKey(
                meeting: "meeting", occurrence: "", receiver: circle.receiver, kind: .message,
                mark: "m1")
            gathering.rows.append(
                LedgerRow(
                    key: DeliveryKey(notification: key, channel: "matrix", address: "room"),
                    state: .planned, due: gathering.now,
                    deadline: gathering.meeting.time.endsAt))
        }
        gathering.meeting.status = .cancelled
        gathering.meeting.revision += 1
        gathering.plan()
        let open = gathering.open.filter { $0.hasPrefix("circle c1 ") }
        let expected = [
            "circle c1 cancellation 2 by matrix", "circle c1 message m1 by matrix",
        ]
        #expect(open == (isWrittenTo ? expected : []))
        #expect(gathering.plan().isEmpty)
        gathering.finish(.accepted)
        #expect(gathering.plan().isEmpty)
    }

    @Test func `An audience is not notified of a cancellation from before it existed`() throws {
        var gathering = gathering
        gathering.meeting.status = .cancelled
        gathering.meeting.revision = 2
        gathering.audiences = [Audience(name: "installation", revisionKnown: 2)]
        gathering.plan()
        #expect(told(gathering) == [])
        gathering.audiences = [Audience(name: "installation", revisionKnown: 1)]
        gathering.plan()
        #expect(told(gathering) == ["installation cancellation 2 by webhook"])
        // The row stays open, although the cancellation is no longer news.
        gathering.audiences = [Audience(name: "installation", revisionKnown: 2)]
        #expect(gathering.plan().isEmpty)
    }

    @Test func `A channel without invitations is recognized`() throws {
        let change = OwnChannel(
            name: "x", sink: "webhook", receiver: Audience.installation.receiver, kinds: [.change])
        var directory = ChannelDirectory(sinks: [.stdout], addresses: [:])
        directory.own = [change]
        #expect(!directory.invites(.installation))
        directory.sinks.append(.webhook)
        #expect(directory.invites(.installation))
    }

    @Test func `A person's own settings do not affect the audience`() throws {
        var gathering = gathering
        gathering.policies[Gathering.anna] = [TimeSpan(days: 0, seconds: 60)]
        try gathering.setHours(of: Gathering.anna, quiet: ["00:00-23:59"])
        gathering.plan()
        #expect(told(gathering).count == 3)
        #expect(
            gathering.rows.allSatisfy {
                $0.hold == nil || $0.key.notification.receiver.person != nil
            })
    }

    @Test func `An audience is notified only of what happens after it was created`() throws {
        var gathering = gathering
        gathering.audiences = [Audience(name: "installation", revisionKnown: 1)]
        gathering.plan()
        #expect(told(gathering).allSatisfy { $0.contains("reminder") })
        try gathering.move(to: "2026-12-05T13:00")
        gathering.plan()
        #expect(told(gathering).first == "installation change 2 by webhook")
    }

    @Test func `A waiting invitation stays when the audience starts later`() throws {
        var gathering = gathering
        gathering.plan()
        gathering.audiences = [Audience(name: "installation", revisionKnown: 1)]
        #expect(gathering.plan().superseded == [])
    }

    @Test func `Each channel of an audience gets its own delivery`() throws {
        var gathering = gathering
        gathering.channels = [.stdout]
        gathering.audiences = [.circle("c1")]
        let receiver = Audience.circle("c1").receiver
        gathering.own = ["room", "hook"].map {
            OwnChannel(name: $0, sink: "matrix", receiver: receiver)
        }
        gathering.own.append(
            OwnChannel(name: "bell", sink: "ntfy", receiver: receiver, kinds: [.reminder]))
        gathering.plan()
        let rows = gathering.rows.filter { $0.key.notification.receiver == receiver }
        let ways = rows.map { "\($0.key.notification.kind) \($0.key.channel) \($0.key.address)" }
        #expect(
            Set(ways) == [
                "invitation matrix room", "invitation matrix hook", "reminder matrix room",
                "reminder matrix hook", "reminder ntfy bell",
            ])
        #expect(rows.count == 8)
        #expect(Audience(name: "circle c1").circle == "c1")
        #expect(Audience.installation.circle == nil)
    }

    @Test func `The name of an audience is never a valid person id`() {
        let letters = Set("abcdefghijkmnpqrstuvwxyz23456789")
        for name in [Audience.installation.name, Audience.circle("abc").name] {
            #expect(!Set(name).isSubset(of: letters), "\(name)")
        }
    }
}
