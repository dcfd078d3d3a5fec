import Ledger
import Planning
import Timekeeping

extension PageWords {
    /// The name of a kind of channel.
    func channelKind(_ kind: String) -> String {
        switch kind {
        case "mail": self("Mail")
        case "stdout": self("Log of the service")
        case "page": self("Inbox")
        case "ntfy": "ntfy"
        case "gotify": "Gotify"
        case "matrix": "Matrix"
        case "slack": self("Slack, Mattermost, Rocket.Chat or Discord")
        case "webhook": "Webhook"
        case "http": self("Custom HTTP request")
        default: kind
        }
    }

    /// A note on a kind of channel for those who add one; `nil` for nothing.
    func channelNote(_ kind: String) -> String? {
        switch kind {
        case "mail":
            self("The messages that you choose below go to this address instead of your usual one.")
        case "ntfy":
            self(
                "Anyone who knows the topic can read its messages. Choose a name that is hard to "
                    + "guess.")
        case "webhook": self("A program gets each message, signed by Standard Webhooks.")
        case "slack": self("Everybody in the chat room reads the messages.")
        case "matrix": self("Everybody in the room reads the messages.")
        default: nil
        }
    }

    /// The help text of the address of a service; `nil` for kinds without one.
    func channelAddress(_ kind: String) -> String? {
        switch kind {
        case "ntfy": self("The server with the topic, such as https://ntfy.sh/our-club")
        case "gotify": self("The server, such as https://gotify.example")
        case "matrix": self("The home server, such as https://matrix.example")
        case "slack":
            self("The address of an incoming webhook; for Discord, with /slack at its end")
        case "webhook": self("The address for requests, such as https://example.org/hook")
        default: nil
        }
    }

    /// The help text of the destination at a service; `nil` for kinds without one.
    func channelTarget(_ kind: String, isForMany: Bool) -> String? {
        switch kind {
        case "mail" where isForMany: self("The address of a mailing list")
        case "mail": self("Another mail address of yours; empty for your usual one")
        case "matrix": self("The room ID, such as !abc:example")
        case "http":
            self("The description of the request, with lines such as method, url and body")
        default: nil
        }
    }

    /// The help text of the secret; `nil` for kinds without one.
    func channelSecret(_ kind: String) -> String? {
        switch kind {
        case "ntfy": self("An access token, if the topic needs one")
        case "gotify": self("The token of an application")
        case "matrix": self("The access token of an account in the room")
        case "webhook": self("A secret of your own. If it is empty, one is made and shown once.")
        case "http": self("The text that replaces {{secret}} in the description")
        default: nil
        }
    }

    /// The result of a test; `nil` stands for no answer in time.
    func testResult(_ report: SinkTestReport?, of channel: ChannelView) -> String {
        let name = channel.address ?? channelKind(channel.kind)
        guard let report else {
            return self(
                "Still waiting: %name% has not answered within 10 seconds. The test message may "
                    + "arrive later.", ["name": name])
        }
        if report.isAccepted {
            return self(
                "Sent: %name% has taken the test message. Look there, to be sure that it arrived.",
                ["name": name])
        }
        if report.code == "forbidden" {
            return self(
                "Not sent: this address belongs to a private network or to the machine of "
                    + "letsmeet.")
        }
        let reply = [report.code, report.reply].filter { !$0.isEmpty }.joined(separator: ": ")
        let refusal = self(
            "Not sent to %name%: %reason%", ["name": name, "reason": reply])
        return "\(refusal) \(consequence(of: report.outcome))"
    }

    private func consequence(of outcome: AttemptOutcome) -> String {
        switch outcome {
        case .accepted: ""
        case .retry, .ambiguous: self("A real message would be tried again.")
        case .permanent: self("A real message would go through another channel.")
        case .misconfigured: self("Real messages wait until this is put right.")
        }
    }

    /// The sentence about a channel or a calendar that was just saved; `nil` for another code.
    func savedOutside(_ code: String) -> String? {
        switch code {
        case "channel": self("The channel is added. Send a test, to be sure that it works.")
        case "channel-paused": self("The channel is paused. Nothing goes through it.")
        case "channel-resumed": self("Messages go through the channel again.")
        case "channel-removed": self("The channel is removed.")
        case "calendar": self("The calendar is added. It is read again twice an hour.")
        case "calendar-removed": self("The calendar is removed, with its busy times.")
        default: nil
        }
    }

    /// The trouble of a channel in words; `nil` if it has none.
    func trouble(of channel: ChannelView, in zone: Zone) -> String? {
        guard let trouble = channel.trouble else { return nil }
        let failure = self(
            "Failing since %when%: %reason%",
            ["when": moment(trouble.at.moment, in: zone), "reason": trouble.reason])
        if channel.isClosed {
            return failure + " "
                + self("Nothing more is sent there. A test that succeeds opens it again.")
        }
        return trouble.outcome == "misconfigured"
            ? failure + " " + self("Messages wait until this is put right.") : failure
    }
}
