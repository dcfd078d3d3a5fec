import Agenda
import Ledger
import Settings
import Sinks
import Storage
import Timekeeping

/// The rules for new channels.
extension Planner {
    /// The receiver of a channel, and its name for people; an empty name for the installation.
    func receiver(
        of request: ChannelRequest
    ) async throws -> (receiver: Receiver, owner: String) {
        switch request.readers {
        case .meeting(let id):
            let meeting = try await channelMeeting(id)
            return (Audience.meeting(meeting.id).receiver, meeting.title)
        case .person(let person):
            if person.id != actor.id { try checkIsOwner(to: "add channels for other people") }
            return (.person(person.id.text), person.name)
        case .circle(let circle):
            try checkIsOwner(to: "add channels for groups")
            return (Audience.circle(circle.id.text).receiver, circle.name)
        case .installation:
            try checkIsOwner(to: "add channels for groups")
            return (Audience.installation.receiver, "")
        }
    }

    /// A meeting to which the actor may add channels.
    private func channelMeeting(_ id: MeetingID) async throws -> Meeting {
        let meeting = try await bundle(id).meeting
        try drafting.checkMayChange(meeting)
        try drafting.checkIsAhead(meeting, verb: "given a channel")
        return meeting
    }

    /// Checks that a request has the fields that its kind of sink needs.
    func check(
        _ request: ChannelRequest, _ target: ChannelTarget, against form: ChannelForm,
        of channel: SinkKind
    ) throws {
        let parts: [(ChannelForm.Need, Bool, RequestField)] = [
            (form.url, !request.url.isEmpty, .url),
            (
                form.target, !request.target.isEmpty,
                channel.name == "http" ? .requestFile : .target
            ),
            (form.secret, request.secret != nil, .secret),
        ]
        for (need, isGiven, field) in parts {
            switch (need, isGiven) {
            case (.must, false): throw ChannelKinds.missing(field, of: channel, form)
            case (.no, true): throw ChannelKinds.superfluous(field, of: channel)
            default: break
            }
        }
        if channel == .mail {
            guard sinks.contains(.mail) else {
                throw Refusal(
                    .refused, code: "sink_off",
                    "Mail is not enabled. Set `smtp.url`, and name mail in `sinks` if that is set.")
            }
            guard request.readers.isOnePerson || !request.target.isEmpty else {
                throw ChannelKinds.missing(.target, of: channel, form)
            }
        }
        if let kind = request.kinds.first(where: { !Audience.hears($0) }),
            !request.readers.isOnePerson
        {
            throw Refusal(
                .invalid, code: "not_for_many",
                "Notifications of the kind \(kind.rawValue) go to single people only.",
                advice: [.give([.who])])
        }
        if request.kinds.contains(.link), channel != .mail {
            throw Refusal(
                .invalid, code: "not_by_this_way",
                "Private links are sent by mail only. Leave `link` out of the kinds.")
        }
        try checked(target, form, of: channel.name)
    }

    /// Checks that a member does not add too many channels, nor sends mail to an address that was
    /// not proven to be theirs.
    ///
    /// - Throws: ``Refusal`` with `too_many_channels` or `unproven_address`.
    func checkMember(_ record: ChannelRecord) async throws {
        guard !actsAsOwner else { return }
        let count = try await store.ownChannels().count {
            $0.channel.receiver == record.channel.receiver
        }
        guard count < Self.channelsEachMax else {
            throw Refusal(
                .refused, code: "too_many_channels",
                "\(record.owner) has \(Self.channelsEachMax) channels already. Remove one first.",
                advice: [.channels(.list)])
        }
        // Mail to others' addresses would reach people who never agreed to it.
        guard record.channel.receiver.person != nil, let address = record.channel.address else {
            return
        }
        let me = actor.id
        let isProven = try await store.lookUp { try $0.isProven(address, of: me) }
        guard isProven else {
            throw Refusal(
                .refused, code: "unproven_address",
                "It is not known that \(address) is yours. Sign in once by a link that is mailed "
                    + "there, or ask \(owner.name) to add the channel.")
        }
    }

    /// The most channels of one person or meeting that members may add.
    public static let channelsEachMax = 20

    func checked(
        _ target: ChannelTarget, _ form: ChannelForm?, of sink: String
    ) throws {
        do {
            try form?.check(target)
        } catch {
            throw Refusal(
                .invalid, code: "bad_channel",
                "The \(sink) channel is not valid: \(SinkFault.words(of: error))",
                advice: (error as? SinkFault)?.advice ?? [])
        }
    }

    /// The requested name, or one made from the kind and the reader.
    func name(
        for request: ChannelRequest, called owner: String
    ) async throws -> String {
        if let name = request.name {
            guard Self.isChannelName(name) else {
                let fault =
                    name.isEmpty
                    ? "The name of the channel is empty." : "\"\(name)\" cannot name a channel."
                throw Refusal(
                    .invalid, code: "bad_name",
                    "\(fault) Use 1 to 50 letters, digits, - or _, and not the name of a sink.")
            }
            return name
        }
        let whose = request.label ?? (owner.isEmpty ? "all" : owner)
        let word = SearchKey.fold(whose).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            .prefix(30)
        let base = "\(request.kind)-\(word.isEmpty ? "own" : String(word))"
        let taken = Set(try await store.ownChannels().map(\.channel.name))
        return ([base] + (2...Store.channelsMax).lazy.map { "\(base)-\($0)" })
            .first { !taken.contains($0) } ?? base
    }

    private static func isChannelName(_ name: String) -> Bool {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || scalar == "-" || scalar == "_"
        }
        return isPlain && (1...50).contains(name.utf8.count)
            && !SinkTable.definitions.contains { $0.kind.name == name }
    }
}
