public import Agenda
import Ledger
import Storage

extension Planner {
    /// The channels of a circle. Only the owner of the installation has channels for circles, and
    /// sees them; for others the list is empty.
    ///
    /// - Parameter circle: a circle of the actor.
    /// - Returns: the channels.
    /// - Throws: ``StoreError``.
    public func channels(of circle: Circle) async throws -> [ChannelView] {
        guard actsAsOwner else { return [] }
        let own = try await channelRecords(of: circle)
        guard !own.isEmpty else { return [] }
        let troubles = try await store.channelTroubles()
        return own.map { ChannelView($0, troubles: troubles, reader: zone) }
    }

    /// The names of the channels of a circle, which are deleted with it.
    func channelNames(of circle: Circle) async throws -> [String] {
        try await channelRecords(of: circle).map(\.channel.name)
    }

    func channelRecords(of circle: Circle) async throws -> [ChannelRecord] {
        let receiver = Audience.circle(circle.id.text).receiver
        return try await store.ownChannels().filter { $0.channel.receiver == receiver }
    }
}
