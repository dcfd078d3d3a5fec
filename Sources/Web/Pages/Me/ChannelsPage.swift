import Agenda
import Ledger
import Planning
import Timekeeping
import Wording

/// The channels of the reader, or of one of their circles.
struct ChannelsPage: PageModel {
    static let template = "channels"
    static let names = TemplateNames(
        FieldFault.names + ChannelFields.names + [
            "path", "back", "isForMany", "isEmpty", "key", "testResult", "isAccepted",
            "madeSecret", "hasWays",
        ],
        lists: [
            "channels": [
                "channelName", "channelKind", "channelAddress", "channelCarries", "channelState",
                "channelTrouble", "isPaused", "hasSecret", "channelLabel",
            ],
            "ways": ["wayKind", "wayLine", "wayTrouble"],
            "offered": ["offeredKind", "offeredText", "isOffered"],
        ].merging(FieldFault.lists) { $1 }.merging(ChannelFields.lists) { $1 })

    /// The circle whose channels these are; `nil` for the reader's own.
    let circle: Circle?
    let channels: [PersonalChannel]
    /// The ways that the configuration enables; empty for people who are not the owner.
    let ways: [ChannelView]
    /// The form for a new channel.
    var fields: ChannelFields
    let zone: Zone
    var key = ""
    /// The channel that was tested, and the result; the result is `nil` if none came in time.
    var tested: (channel: ChannelView, report: SinkTestReport?)?
    /// A generated secret, which is shown once.
    var madeSecret: String?
    var faults: [FieldFault] = []

    var section: Section? { circle == nil ? nil : .people }

    func title(_ words: PageWords) -> String {
        circle.map { words("Channels of “%title%”", ["title": $0.name]) }
            ?? words("My channels")
    }

    func values(_ words: PageWords) -> TemplateValues {
        let folder = circle.map { "circles/\(Link.segment($0.name))" } ?? "me"
        var values: TemplateValues = [
            "path": .text("\(folder)/channels"),
            "back": .text(circle == nil ? folder : "\(folder)/edit"),
            "isForMany": .flag(circle != nil),
            "isEmpty": .flag(channels.isEmpty), "key": .text(key),
            "isAccepted": .flag(tested?.report?.isAccepted == true),
            "channels": .list(channels.map { self.values(of: $0, words) }),
            "hasWays": .flag(!ways.isEmpty),
            "ways": .list(ways.map { self.values(ofWay: $0, words) }),
            "offered": .list(
                ChannelKinds.help.map { kind, _ in
                    [
                        "offeredKind": .text(kind), "offeredText": .text(words.channelKind(kind)),
                        "isOffered": .flag(kind == fields.kind),
                    ]
                }),
        ]
        values[text: "testResult"] = tested.map { words.testResult($0.report, of: $0.channel) }
        values[text: "madeSecret"] = madeSecret
        values.merge(fields.values(words, isForMany: circle != nil)) { $1 }
        values.merge(FieldFault.values(faults, words)) { $1 }
        return values
    }

    private func values(of own: PersonalChannel, _ words: PageWords) -> TemplateValues {
        let channel = own.channel
        let carried = NotificationKind.allCases.filter { channel.kinds.contains($0.rawValue) }
        let label = [words.channelKind(channel.kind), channel.address].compactMap(\.self)
        var values: TemplateValues = [
            "channelName": .text(channel.name),
            "channelKind": .text(words.channelKind(channel.kind)),
            "channelLabel": .text(label.joined(separator: ", ")),
            "isPaused": .flag(channel.isPaused), "hasSecret": .flag(own.hasSecret),
            "channelCarries": .text(
                carried.isEmpty
                    ? words("All messages")
                    : carried.map(words.notification).joined(separator: ", ")),
        ]
        values[text: "channelAddress"] = channel.address
        values[text: "channelState"] = own.sentAt.map {
            words("Last message %when%", ["when": words.moment($0, in: zone)])
        }
        values[text: "channelTrouble"] = words.trouble(of: channel, in: zone)
        return values
    }

    private func values(ofWay way: ChannelView, _ words: PageWords) -> TemplateValues {
        let readers =
            switch way.scope {
            case "everybody": words("for each person")
            case "accounts": words("for each person with an account")
            default: words("for the whole installation")
            }
        var values: TemplateValues = [
            "wayKind": .text(words.channelKind(way.kind)),
            "wayLine": .text([readers, way.address].compactMap(\.self).joined(separator: " · ")),
        ]
        values[text: "wayTrouble"] = words.trouble(of: way, in: zone)
        return values
    }
}
