import Storage
import Agenda
import Inbox
import Interchange
import Ledger
import Notifications
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

@testable import Sinks

/// Answers to the personal reply addresses of the receivers.
@Suite(.timeLimit(.minutes(5))) struct SignedAnswerTests {
    private static let settings: [SettingName: String] = [
        .sinks: "mail", .smtpURL: "smtp://127.0.0.1:1", .mailFrom: "olga@example.org",
        .mailReplies: "replies+*@example.org",
    ]

    private struct Lunch {
        let planner: Planner
        let id: String
        /// The messages that were sent, by address.
        let messages: [String: OutgoingMessage]

        /// The address to which the calendar program of a receiver answers.
        func address(_ receiver: String) -> String {
            messages[receiver]?.enclosure?.entry?.answersTo ?? ""
        }

        func take(
            _ word: String, of attendee: String, to receiver: String, from author: String? = nil,
            field: String = "To"
        ) async throws -> MailReceipt {
            let text = """
                From: \(author ?? attendee)
                \(field): Olga <\(receiver)>
                Content-Type: text/calendar; method=REPLY

                BEGIN:VCALENDAR
                METHOD:REPLY
                BEGIN:VEVENT
                UID:\(id)@letsmeet
                DTSTAMP:20261201T120000Z
                ATTENDEE;PARTSTAT=\(word):mailto:\(attendee)
                END:VEVENT
                END:VCALENDAR
                """
            return try await planner.receiveMail(Array(text.utf8))
        }
    }

    private func withLunch(_ body: (Lunch) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.settings)
            try await planner.add("Anna", "anna@example.org", "anna@work.example")
            try await planner.add("Ben", "ben@example.org")
            let id = try await planner.create(.lunch(with: "Anna", "Ben")).meeting.id
            let sink = ScriptedSink(name: "mail", schedule: .mail, takesEnclosures: true)
            let engine = try world.engine(
                planner, sinks: [sink], links: try planner.surroundings.linkBuilder())
            _ = try await engine.runOnce()
            try await body(
                Lunch(
                    planner: planner, id: id,
                    messages: Dictionary(
                        uniqueKeysWithValues: sink.messages.map { ($0.address, $0) })
                )
            )
        }
    }

    @Test func `An unsigned answer shows no organizer when the guest is busy`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna", "anna@example.org")
            try await owner.add("Ben", "ben@example.org")
            _ = try await owner.create(.lunch(with: "Anna"))
            let ben = try await world.planner(actingAs: "Ben")
            let id = try await ben.create(.lunch(start: "2026-12-08T12:00")).meeting.id
            _ = try await owner.invite(["Anna"], to: id, saving: true)
            let person = try await owner.knownPerson(named: "Anna")
            func isBusy() async throws -> Bool {
                let time = try Moment.parse("2026-12-05T00:00:00Z")
                let known = try await ben.knownTimes(
                    of: [person], within: time..<time.advanced(bySeconds: 86_400))
                return known.spans[person.id]?.isEmpty == false
            }
            let lunch = Lunch(planner: owner, id: id, messages: [:])
            let receipt = try await lunch.take(
                "ACCEPTED", of: "anna@example.org", to: "olga@example.org")
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            #expect(try await isBusy() == false)
            let anna = try await world.planner(actingAs: "Anna")
            _ = try await anna.answer(id, .maybe, who: nil, plus: nil, note: nil, saving: true)
            #expect(try await isBusy())
        }
    }

    @Test func `An answer of a guest without an account keeps the name that the organizer typed`()
        async throws
    {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Self.settings)
            try await owner.add("Ben", "ben@example.org")
            let ben = try await world.planner(settings: Self.settings, actingAs: "Ben")
            let id = try await ben.create(.lunch(with: "zoe@example.org")).meeting.id
            try await owner.add("Zoe Secret", "zoe@example.org")
            let sink = ScriptedSink(name: "mail", schedule: .mail, takesEnclosures: true)
            let engine = try world.engine(
                owner, sinks: [sink], links: try owner.surroundings.linkBuilder())
            _ = try await engine.runOnce()
            let lunch = Lunch(
                planner: owner, id: id,
                messages: Dictionary(sink.messages.map { ($0.address, $0) }) { $1 })
            let receipt = try await lunch.take(
                "ACCEPTED", of: "zoe@example.org", to: lunch.address("zoe@example.org"))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            let participant = try await ben.meeting(id).participants.last
            #expect(participant?.answer == .going)
            #expect(participant?.name == "zoe@example.org")
        }
    }

    @Test func `Each guest has their own reply address, in the calendar and in the links`()
        async throws
    {
        try await withLunch { lunch in
            let (anna, ben) = (lunch.address("anna@example.org"), lunch.address("ben@example.org"))
            #expect(anna != ben)
            for (receiver, address) in [("anna@example.org", anna), ("ben@example.org", ben)] {
                #expect(address.hasPrefix("replies+") && address.hasSuffix("@example.org"))
                let outgoing = try #require(lunch.messages[receiver])
                let link = address.replacing("+", with: "%2B")
                let page = outgoing.enclosure?.page ?? ""
                #expect(page.contains("mailto:\(link)?subject=Yes"))
                let message = try MailText.message(
                    of: outgoing, from: try Mailbox("olga@example.org"))
                #expect(message.from.address == "olga@example.org")
                let calendars = ReceivedMail(message.octets).parts.filter {
                    $0.type == "text/calendar"
                }
                let object = calendars.first?.text.replacing("\r\n ", with: "") ?? ""
                #expect(
                    object.contains(
                        "ORGANIZER;CN=Olga Owner;SENT-BY=\"mailto:olga@example.org\":"
                            + "mailto:\(address)"))
            }
        }
    }

    @Test(arguments: ["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"])
    func `The reply address identifies the person, whatever the From field contains`(
        _ field: String
    ) async throws {
        try await withLunch { lunch in
            let receipt = try await lunch.take(
                "ACCEPTED", of: "anna@example.org",
                to: lunch.address("anna@example.org").uppercased(), from: "alias@other.example",
                field: field)
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            let anna = try await lunch.planner.meeting(lunch.id).participants
                .first { $0.name == "Anna" }
            #expect(anna?.answer == .going)
            #expect(anna?.unsigned == false)
        }
    }

    @Test func `A forged answer changes nothing`() async throws {
        try await withLunch { lunch in
            let (anna, ben) = ("anna@example.org", "ben@example.org")
            let token = lunch.address(anna).dropFirst("replies+".count).prefix(32)
            for (attendee, receiver, word) in [
                (anna, "olga@example.org", "not sent to"),
                (anna, "replies+@example.org", "not sent to"),
                (anna, "replies+\(token.dropLast())a2@example.org", "not sent to"),
                (anna, "replies+\(token)@elsewhere.example", "not sent to"),
                (anna, lunch.address(ben), "does not own"),
                ("crash@example.org", lunch.address(anna), "does not own"),
            ] {
                let receipt = try await lunch.take("DECLINED", of: attendee, to: receiver)
                #expect(receipt.outcome == .ignored)
                #expect(receipt.reason.contains(word), "\(receiver): \(receipt.reason)")
            }
            let other = try await lunch.planner.create(
                .lunch(with: "Anna", start: "2026-12-09T12:00")
            ).meeting.id
            let words =
                "From: x@y.example\nTo: \(lunch.address(anna))\nSubject: Yes: Lunch [\(other)]\n\n"
            #expect(
                try await lunch.planner.receiveMail(Array(words.utf8)).reason.contains(
                    "not sent to"))
        }
    }

    @Test func `An answer by a link counts for the person for whom the link was made`()
        async throws
    {
        try await withLunch { lunch in
            let mail = """
                From: Somebody <phone@carrier.example>
                To: \(lunch.address("ben@example.org"))
                Subject: Maybe: Lunch [\(lunch.id)]

                I have to see.
                """
            let receipt = try await lunch.planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            let ben = try await lunch.planner.meeting(lunch.id).participants
                .first { $0.name == "Ben" }
            #expect(ben?.answer == .maybe)
            #expect(ben?.note == "I have to see.")
        }
    }

    @Test func `A mail in words to a guest's reply address names the meeting and the guest`()
        async throws
    {
        try await withLunch { lunch in
            for receiver in ["anna@example.org", "ben@example.org"] {
                let mail = """
                    From: Anna <anna@work.example>
                    To: \(lunch.address(receiver))
                    Subject: Saturday

                    I come by train.
                    """
                _ = try await lunch.planner.receiveMail(Array(mail.utf8))
            }
            let mails = try await lunch.planner.ignoredMails().rows
            #expect(mails.map(\.isAnswer) == [true, false])
            #expect(mails.first?.title == "Lunch" && mails.first?.person == "Anna")
        }
    }

    @Test func `A person who was merged into another answers as that person`() async throws {
        try await withLunch { lunch in
            try await lunch.planner.add("Anna Aalto", "aalto@example.org")
            _ = try await lunch.planner.mergePeople("Anna Aalto", "person:Anna")
            let receipt = try await lunch.take(
                "ACCEPTED", of: "anna@example.org", to: lunch.address("anna@example.org"))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
        }
    }

    @Test func `Two guests with the same mailbox each answer for themselves`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.settings)
            try await planner.add("Carl", "home@example.org")
            try await planner.add("Dora", "home@example.org")
            let id = try await planner.create(.lunch(with: "Carl", "Dora")).meeting.id
            let sink = ScriptedSink(name: "mail", schedule: .mail, takesEnclosures: true)
            _ = try await world.engine(
                planner, sinks: [sink], links: try planner.surroundings.linkBuilder()
            ).runOnce()
            let outgoing = try #require(sink.messages.first { $0.name == "Dora" })
            let lunch = Lunch(planner: planner, id: id, messages: ["home@example.org": outgoing])
            let receipt = try await lunch.take(
                "ACCEPTED", of: "home@example.org", to: lunch.address("home@example.org"))
            #expect(receipt.person == "Dora", "\(receipt.reason)")
        }
    }

    @Test func `An invalid pattern for reply addresses is refused`() async throws {
        try await withTemporaryHome { world in
            var settings = Self.settings
            settings[.mailReplies] = "replies@example.org"
            let planner = try await world.planner(settings: settings)
            let refused = await refusal { _ = try planner.surroundings.linkBuilder() }
            #expect(refused?.code == "bad_address")
        }
    }
}
