import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import Storage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChannelTests {
    private func request(
        _ kind: String, url: String = "", _ change: (inout ChannelRequest) -> Void = { _ in }
    ) -> ChannelRequest {
        var request = ChannelRequest()
        request.kind = kind
        request.url = url
        change(&request)
        return request
    }

    @Test func `A channel is listed with its reader and its host, but no secret`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto", "anna@example.org")
            let anna = try await planner.readers(who: "anna")
            let added = try await planner.addChannel(
                request("webhook", url: "https://example.org/hidden?key=s") {
                    $0.readers = anna
                    $0.label = "anna"
                })
            let secret = try #require(added.secret)
            #expect(secret.hasPrefix("whsec_"))
            _ = try await planner.addChannel(
                request("matrix", url: "https://matrix.example") {
                    $0.target = "!abc:example"
                    $0.secret = Secret("very-secret")
                    $0.kinds = [.reminder, .change]
                    $0.name = "room"
                })
            let list = try await planner.channelViews()
            #expect(list.map(\.name) == ["stdout", "page", "room", "webhook-anna"])
            #expect(list.map(\.scope) == ["everybody", "accounts", "installation", "person"])
            #expect(list.map(\.owner) == [nil, nil, nil, "Anna Aalto"])
            #expect(list[2].kinds == ["change", "reminder"])
            #expect(list[3].address == "https://example.org/…")
            let dumped = "\(list) \(try await planner.store.ownChannels())"
            for hidden in [secret, "very-secret", "hidden", "key=s"] {
                #expect(!dumped.contains(hidden), "\(hidden)")
            }
        }
    }

    private static let openHosts = ["192.168.7.8", "chat.example", "134744072"]

    @Test(
        arguments: [
            "127.0.0.1:1", "[::1]", "LOCALHOST", "a.localhost", "10.1.2.3", "127.1", "2130706433",
            "0x7f.1", "0177.0.0.1", "0", "10.1", "[fe80::1%25lo]", "127.0.0.1.", "localhost.",
            "%31%32%37.1",
        ] + openHosts)
    func `A channel is not added if nothing would be sent to its host`(_ host: String) async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(
                environment: ["LETSMEET_WEBHOOK_ALLOW": "192.168.0.0/16"])
            let refused = await refusalCode {
                _ = try await planner.addChannel(request("slack", url: "http://\(host)/x") { _ in })
            }
            #expect(refused == (Self.openHosts.contains(host) ? nil : "forbidden_host"))
        }
    }

    @Test func `A list of allowed hosts that cannot be read is named`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: ["LETSMEET_WEBHOOK_ALLOW": "10/x"])
            let refused = await refusal {
                _ = try await planner.addChannel(
                    request("slack", url: "https://chat.example/x") { _ in })
            }
            #expect(refused?.code == "bad_setting")
            #expect(refused?.message.hasPrefix("webhook.allow: \"10/x\" is neither") == true)
        }
    }

    @Test func `A channel of a meeting carries notifications of that meeting only`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            let lunch = try await planner.create(.lunch(with: "Anna")).meeting.id
            var dinner = MeetingRequest.lunch(with: "Anna", start: "2026-12-06T19:00")
            dinner.title = "Dinner"
            let other = try await planner.create(dinner).meeting.id
            world.clock.advance(bySeconds: 60)
            let id = try await planner.meetingID(named: "lunch")
            let added = try await planner.addChannel(
                request("slack", url: "https://chat.example/x") { $0.readers = .meeting(id) })
            #expect(added.channel.name == "slack-lunch")
            #expect(added.channel.scope == "meeting")
            #expect(added.channel.owner == "Lunch")
            #expect(
                added.notifications.added.map(\.kind) == [.invitation, .reminder, .reminder])
            _ = try await planner.edit(lunch) { $0.start = "2026-12-05T13:00" }
            _ = try await planner.edit(other) { $0.start = "2026-12-06T20:00" }
            let sink = ScriptedSink(name: "slack")
            world.clock.advance(bySeconds: 1)
            _ = try await world.engine(planner, sinks: [sink, ScriptedSink()]).runOnce()
            #expect(sink.messages.map(\.kind) == [.invitation])
            #expect(sink.messages.map(\.audience) == ["Lunch"])
            let rows = try await planner.ledger(states: [], meeting: lunch, limit: 99)
            #expect(
                rows.filter { $0.delivery.channel == "slack" }.allSatisfy { $0.name == "Lunch" })
            _ = try await planner.removeChannel("slack-lunch")
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `Only the organizer adds channels to a meeting`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            let anna = try await world.planner(actingAs: "Anna")
            _ = try await anna.add("Ben", "ben@example.org")
            let id = try await anna.create(.lunch(with: "Ben")).meeting.id
            let asked = request("slack", url: "https://chat.example/x") {
                $0.readers = .meeting(MeetingID(text: id))
            }
            let ben = planner.acting(as: try await planner.knownPerson(named: "Ben"))
            #expect(
                await refusal { _ = try await ben.addChannel(asked) }?.code == "not_organizer")
            _ = try await anna.addChannel(asked)
            #expect(
                await refusal { _ = try await ben.removeChannel("slack-lunch") }?.code
                    == "unknown_channel")
            #expect(try await ben.channelViews().isEmpty)
            #expect(try await anna.channelViews().map(\.name) == ["slack-lunch"])
            _ = try await anna.removeChannel("slack-lunch")
        }
    }

    @Test func `A rotated secret is replaced, and the old one stays valid for a day`() async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let added = try await planner.addChannel(request("webhook", url: "https://a.example"))
            let rotated = try await planner.rotateChannel("webhook-all", to: nil)
            #expect(rotated.secret != nil && rotated.secret != added.secret)
            #expect(rotated.oldSecretUntil?.text == "2026-12-02T12:00:00.000Z")
            let mine = Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            #expect(
                await refusal { _ = try await planner.rotateChannel("webhook-all", to: mine) }?.code
                    == "rotated_lately")
            let own = try await planner.rotateChannel("webhook-all", to: mine, isOldGood: false)
            #expect(own.secret == nil)
            #expect(own.oldSecretUntil == nil)
            _ = try await planner.addChannel(request("slack", url: "https://a.example/x"))
            #expect(
                await refusal { _ = try await planner.rotateChannel("slack-all", to: nil) }?.code
                    == "no_secret")
            #expect(
                await refusal {
                    _ = try await planner.rotateChannel("webhook-all", to: Secret("short"))
                }?.code == "bad_channel")
        }
    }

    /// Refused requests with their codes.
    private var refused: [(ChannelRequest, String)] { incomplete + forNobody }

    private var incomplete: [(ChannelRequest, String)] {
        [
            (request("pigeon"), "unknown_sink"), (request("stdout"), "no_own_channel"),
            (request("webhook"), "bad_channel"),
            (request("webhook", url: "ftp://example.org"), "bad_channel"),
            (request("webhook", url: "http://a b"), "bad_channel"),
            (request("webhook", url: "https://u:p@example.org"), "bad_channel"),
            (
                request(
                    "webhook", url: "https://example.org/" + String(repeating: "x", count: 9000)
                ), "bad_channel"
            ),
            (request("gotify", url: "https://example.org"), "bad_channel"),
            (request("ntfy", url: "https://ntfy.example"), "bad_channel"),
            (request("ntfy", url: "https://ntfy.example/a%20b"), "bad_channel"),
            (request("slack"), "bad_channel"), (request("http"), "bad_channel"),
            (
                request("http") { $0.target = "url: https://a.example\nbody: '{{nothing}}'" },
                "bad_channel"
            ),
            (request("http") { $0.target = "[" }, "bad_channel"),
            (
                request("http") {
                    $0.target = """
                        url: https://a.example
                        headers: {Content-Type: application/json}
                        body: '{"t": "{{text}}"}'
                        """
                }, "bad_channel"
            ),
            (
                request("matrix", url: "https://m.example") {
                    $0.target = "#alias:example"
                    $0.secret = Secret("t")
                }, "bad_channel"
            ),
        ]
    }

    private let anna = Person(id: PersonID(text: "anna"), name: "Anna")

    private var forNobody: [(ChannelRequest, String)] {
        [
            (request("mail") { $0.readers = .person(anna) }, "sink_off"),
            (
                request("webhook", url: "https://a.example") { $0.kinds = [.nudge] },
                "not_for_many"
            ),
            (request("webhook", url: "https://a.example") { $0.name = "a/b" }, "bad_name"),
            (
                request("webhook", url: "https://a.example") {
                    $0.name = "a" + String(repeating: "\u{301}", count: 9000)
                }, "bad_name"
            ),
            (
                request("ntfy", url: "https://a.example/topic") {
                    $0.readers = .person(anna)
                    $0.kinds = [.link]
                }, "not_by_this_way"
            ),
            (request("webhook", url: "https://a.example") { $0.name = "mail" }, "bad_name"),
        ]
    }

    @Test func `An incomplete or invalid channel is refused`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            for (request, code) in refused {
                let refused = await refusal { _ = try await planner.addChannel(request) }
                #expect(refused?.code == code, "\(request.kind) \(refused?.message ?? "")")
                #expect(refused?.message.contains("u:p") != true)
            }
            #expect(try await planner.channelViews().map(\.name) == ["stdout", "page"])
            _ = try await planner.addChannel(
                request("webhook", url: "https://a.example") { $0.name = "x" })
            for _ in 0..<2 {
                let refused = await refusal {
                    _ = try await planner.addChannel(
                        request("webhook", url: "https://b.example") { $0.name = "x" })
                }
                #expect(refused?.code == "known_channel")
            }
        }
    }

    @Test func `A circle has a mailing list as a channel, a person one mail channel`() async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(
                environment: [
                    "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
                    "LETSMEET_MAIL_FROM": "letsmeet@example.org",
                ])
            try await planner.add("Anna", "anna@example.org")
            _ = try await planner.addCircle("chess", members: ["Anna"])
            let anna = try await planner.readers(who: "Anna")
            let chess = try await planner.readers(circle: "chess")
            _ = try await planner.addChannel(
                request("mail") {
                    $0.readers = chess
                    $0.target = "chess@lists.example.org"
                })
            _ = try await planner.addChannel(
                request("mail") {
                    $0.readers = anna
                    $0.target = "anna@work.example.org"
                })
            #expect(
                await refusal {
                    _ = try await planner.addChannel(request("mail") { $0.readers = anna })
                }?.code == "known_channel")
            let outcome = try await planner.create(.lunch(with: "chess"))
            #expect(
                Set(outcome.notifications.added.compactMap(\.address))
                    == [
                        "chess@lists.example.org", "anna@work.example.org",
                        "letsmeet@example.org",
                    ])
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `The preview of a new channel shows its changes`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org"))
            world.clock.advance(bySeconds: 1)
            let asked = request("webhook", url: "https://a.example")
            let preview = try await planner.addChannel(asked, saving: false)
            #expect(preview.notifications.added.map(\.kind) == [.reminder, .reminder])
            #expect(preview.secret == nil)
            #expect(try await planner.channelViews().count == 1)
            let added = try await planner.addChannel(asked)
            #expect(added.notifications.added.count == 2)
            #expect(added.daemon == .none)
            let twin = try await planner.addChannel(asked, saving: false)
            #expect(twin.remarks == ["The channel webhook-all has the same address."])
            let removal = try await planner.removeChannel("webhook-all", saving: false)
            #expect(removal.notifications.superseded.count == 2)
            #expect(try await planner.channelViews().count == 2)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `Without a sink for people a remark says so, and the ledger is sound`() async throws
    {
        try await withTemporaryHome { world in
            let webhooks = try await world.planner(
                environment: ["LETSMEET_WEBHOOK_URL": "https://a.example"])
            let outcome = try await webhooks.create(.lunch(with: "anna@example.org"))
            #expect(outcome.remarks.contains { $0.text.contains("No guest will be notified") })
            #expect(try await webhooks.verifyLedger().faults.map(\.rule) == [])
            #expect(try await world.planner().verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test(
        arguments: [
            ([:], true), (["LETSMEET_SINKS": "stdout"], false),
            (
                [
                    "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
                    "LETSMEET_MAIL_FROM": "o@example.org",
                ], false
            ),
        ] as [([String: String], Bool)])
    func `A remark says that guests are not notified where messages are only printed`(
        _ environment: [String: String], _ isSaid: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: environment)
            func remark(on outcome: MeetingOutcome) -> Remark? {
                outcome.remarks.first { $0.phrase == Planner.onlyPrinting }
            }
            let alone = try await planner.create(.lunch())
            #expect(remark(on: alone) == nil)
            let id = alone.meeting.id
            let asked = try await planner.invite(["anna@example.org"], to: id, saving: false)
            #expect((remark(on: asked) != nil) == isSaid)
            let seen = try await planner.createMeeting(
                .lunch(with: "anna@example.org"), saving: false)
            #expect(remark(on: seen)?.advice == (isSaid ? [.installation(.setUpMail)] : nil))
            let made = try await planner.create(.lunch(with: "anna@example.org"))
            let advice: [Advice] = [
                .installation(.setUpMail), .meetings(.handOutLinks(made.meeting.id)),
            ]
            #expect(remark(on: made)?.advice == (isSaid ? advice : nil))
        }
    }

    @Test func `People who are not the owner see and change only their own channels`() async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            try await planner.add("Ben", "ben@example.org")
            for who in ["Anna", "Ben", nil] {
                let readers = try await planner.readers(who: who)
                _ = try await planner.addChannel(
                    request("webhook", url: "https://a.example") { $0.readers = readers })
            }
            let anna = try await world.planner(actingAs: "Anna")
            #expect(try await anna.channelViews().map(\.name) == ["webhook-anna"])
            for name in ["webhook-ben", "webhook-all", "stdout"] {
                let code = await refusal { _ = try await anna.removeChannel(name) }?.code
                #expect(code == "unknown_channel")
            }
            #expect(
                await refusal { _ = try await anna.rotateChannel("webhook-ben", to: nil) }?.code
                    == "unknown_channel")
            // Her attempt rotated nothing, or the owner could not rotate yet.
            _ = try await planner.rotateChannel("webhook-ben", to: nil)
            #expect(
                await refusal {
                    _ = try await anna.addChannel(request("webhook", url: "https://a.example"))
                }?.code == "not_allowed")
            _ = try await anna.removeChannel("webhook-anna")
            #expect(try await planner.channelViews().count == 3)
            #expect(
                await refusal { _ = try await planner.removeChannel("stdout") }?.code
                    == "configured")
            #expect(
                await refusal { _ = try await planner.removeChannel("none") }?.code
                    == "unknown_channel")
        }
    }
}
