import Agenda
import Ledger
import NIOHTTP1
import Planning
import Settings

extension Site {
    /// The channels of the reader, and those of their circles.
    var channelRoutes: [Route] {
        [
            route(.get, "/me/channels") { request, visitor in
                try await showChannels(request, visitor, of: nil)
            },
            formRoute(.post, "/me/channels") { request, visitor in
                try await changeChannels(request, visitor, of: nil)
            },
            route(.get, "/circles/:circle/channels") { request, visitor in
                let circle = try await ownedCircle(request, visitor)
                return try await showChannels(request, visitor, of: circle)
            },
            formRoute(.post, "/circles/:circle/channels") { request, visitor in
                let circle = try await ownedCircle(request, visitor)
                return try await changeChannels(request, visitor, of: circle)
            },
        ]
    }

    /// A circle whose channels the reader may change.
    private func ownedCircle(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> Circle {
        let circle = try await visitor.planner.circle(named: request["circle"])
        try visitor.planner.checkIsOwner(to: "change the channels of circles")
        return circle
    }

    private func channelsPage(
        _ visitor: Visitor, of circle: Circle?, _ fields: ChannelFields
    ) async throws -> ChannelsPage {
        let planner = visitor.planner
        return ChannelsPage(
            circle: circle, channels: try await channels(planner, of: circle),
            ways: circle == nil ? try await planner.enabledChannels() : [],
            fields: fields, zone: planner.zone, key: planner.newKey())
    }

    private func channels(
        _ planner: Planner, of circle: Circle?
    ) async throws -> [PersonalChannel] {
        guard let circle else { return try await planner.personalChannels() }
        return try await planner.personalChannels(of: circle)
    }

    private func showChannels(
        _ request: PageRequest, _ visitor: Visitor, of circle: Circle?
    ) async throws -> PageAnswer {
        let known = ChannelKinds.help.map(\.kind)
        let kind = request.query["add"]
        let fields = ChannelFields(kind: known.contains(kind) ? kind : "ntfy")
        return show(
            try await channelsPage(visitor, of: circle, fields), in: frame(request, visitor))
    }

    private func changeChannels(
        _ request: PageRequest, _ visitor: Visitor, of circle: Circle?
    ) async throws -> PageAnswer {
        let deed = request.form["do"]
        guard ["test", "pause", "resume", "remove"].contains(deed) else {
            return try await addChannel(request, visitor, of: circle)
        }
        let planner = visitor.planner
        let wanted = try await channels(planner, of: circle)
            .first { $0.channel.name == request.form["channel"] }
        // Pressed twice, the channel is removed already.
        guard let channel = wanted?.channel else {
            return redirect(to: .channels(ofCircle: circle?.name))
        }
        switch deed {
        case "test": return try await testChannel(channel, visitor, of: circle)
        case "remove": _ = try await planner.removeChannel(channel.name)
        default: try await planner.pauseChannel(channel.name, deed == "pause")
        }
        let saved = ["pause": "paused", "resume": "resumed", "remove": "removed"][deed] ?? ""
        return redirect(to: .channels(ofCircle: circle?.name, saved: "channel-\(saved)"))
    }

    private func addChannel(
        _ request: PageRequest, _ visitor: Visitor, of circle: Circle?
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let fields = ChannelFields(request.form)
        let asked = fields.request(
            for: circle.map { .circle($0) } ?? .person(planner.actor),
            secret: request.form["secret"])
        do {
            let outcome = try await planner.addChannel(asked)
            guard let secret = outcome.secret else {
                return redirect(to: .channels(ofCircle: circle?.name, saved: "channel"))
            }
            var page = try await channelsPage(visitor, of: circle, ChannelFields(kind: fields.kind))
            page.madeSecret = secret
            return unkept(show(page, in: Frame(visitor: visitor), .created))
        } catch {
            var page = try await channelsPage(visitor, of: circle, fields)
            page.key = request.form["key"]
            page.faults = [try FieldFault(error, field: Self.field(of: error))]
            return unkept(show(page, in: Frame(visitor: visitor), .badRequest))
        }
    }

    /// The field that a refused channel is about.
    private static func field(of error: any Error) -> String {
        switch (error as? Refusal)?.code {
        case "unproven_address", "known_channel": "target"
        case "not_for_many", "not_by_this_way": "carried"
        case "bad_channel": "new"
        default: "url"
        }
    }

    private func testChannel(
        _ channel: ChannelView, _ visitor: Visitor, of circle: Circle?
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        var fault: FieldFault?
        var report: SinkTestReport?
        do {
            try outsideTurns.countTest(by: planner.actor.id.text)
            report = try await planner.testChannel(
                channel.name, seconds: Int64(OutsideTurns.secondsMax))
        } catch {
            fault = try FieldFault(error, field: "channels")
        }
        // Read afterwards, because a test may open the channel again.
        var page = try await channelsPage(visitor, of: circle, ChannelFields(kind: "ntfy"))
        if let fault { page.faults = [fault] } else { page.tested = (channel, report) }
        return show(page, in: Frame(visitor: visitor))
    }

    /// The answer, which no browser keeps on its disk.
    private func unkept(_ answer: PageAnswer) -> PageAnswer {
        var answer = answer
        answer.fields.removeAll { $0.name == "Cache-Control" }
        answer.fields.append(("Cache-Control", "private, no-store"))
        return answer
    }
}
