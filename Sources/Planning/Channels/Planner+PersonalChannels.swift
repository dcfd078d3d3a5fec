public import Agenda
import Ledger
import Storage
public import Timekeeping

/// A channel of the actor or of one of their circles, as its page shows it.
public struct PersonalChannel: Sendable {
    /// The channel, without its secret.
    public let channel: ChannelView
    /// True if it has a secret, such as a token. The secret itself is never shown again.
    public let hasSecret: Bool
    /// The time of the last message that went through it; `nil` if none is known.
    public let sentAt: Moment?
}

extension Planner {
    /// The channels of the actor, by name.
    ///
    /// - Returns: the channels, also those that are paused.
    /// - Throws: ``StoreError``.
    public func personalChannels() async throws -> [PersonalChannel] {
        let own = try await store.ownChannels().filter {
            $0.channel.receiver == .person(actor.id.text)
        }
        guard !own.isEmpty else { return [] }
        return try await personal(own, uses: store.channelUses(of: actor.id))
    }

    /// The channels of a circle, for the owner of the installation.
    ///
    /// - Parameter circle: a circle of the actor.
    /// - Returns: the channels, also those that are paused. Their last messages are not known.
    /// - Throws: ``StoreError``.
    public func personalChannels(of circle: Circle) async throws -> [PersonalChannel] {
        guard actsAsOwner else { return [] }
        return try await personal(channelRecords(of: circle), uses: [])
    }

    /// The ways that the configuration enables for everybody. Only the owner sees them.
    public func enabledChannels() async throws -> [ChannelView] {
        guard actsAsOwner else { return [] }
        let troubles = try await store.channelTroubles()
        return sinks.filter { $0.readers != .owners }.map {
            ChannelView($0, surroundings.configuration, troubles: troubles, reader: zone)
        }
    }

    private func personal(
        _ records: [ChannelRecord], uses: [ChannelUse]
    ) async throws -> [PersonalChannel] {
        let troubles = try await store.channelTroubles()
        return records.map { record in
            let channel = record.channel
            let isMail = channel.sink == SinkKind.mail.name
            let address = isMail ? channel.address ?? actor.address : channel.name
            return PersonalChannel(
                channel: ChannelView(record, troubles: troubles, reader: zone),
                hasSecret: !record.target.secret.isEmpty,
                sentAt: uses.first { $0.sink == channel.sink && $0.address == address }?.at)
        }
    }
}
