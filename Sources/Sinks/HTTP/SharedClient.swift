import Agenda
import Settings
import Synchronization
import Timekeeping
import Transport

/// The HTTP clients of all services: one that may use the exceptions of `webhook.allow`, and one
/// that may not. Each is created on first use.
final class SharedClient: Sendable {
    private let userAgent: String
    private let configuration: Configuration
    private let transcript: Transcript?
    private let clients = Mutex<[Bool: HTTPClient]>([:])

    init(userAgent: String, _ configuration: Configuration, transcript: Transcript?) {
        self.transcript = transcript
        self.userAgent = userAgent
        self.configuration = configuration
    }

    /// Returns a client and creates it on first use.
    ///
    /// - Parameter isPublicOnly: true for the client without exceptions.
    /// - Returns: the client.
    /// - Throws: ``SinkFault`` if the list of allowed addresses is invalid. It names the place of
    ///   the setting.
    func made(isPublicOnly: Bool = false) throws(SinkFault) -> HTTPClient {
        do {
            return try clients.withLock { clients in
                if let client = clients[isPublicOnly] { return client }
                let exceptions = isPublicOnly ? "" : configuration.webhookAllow
                let new = try HTTPClient(
                    userAgent: userAgent,
                    guardian: try AddressGuard(allowing: exceptions),
                    transcript: transcript)
                clients[isPublicOnly] = new
                return new
            }
        } catch let fault as AddressGuard.Fault {
            throw SinkFault(
                sink: SinkKind.webhook.name,
                reason: "\(configuration.place(of: .webhookAllow)): \(fault.reason)")
        } catch {
            throw SinkFault(sink: SinkKind.webhook.name, reason: "\(error)")
        }
    }
}

extension SinkDefinition {
    /// The definition of a service's sink.
    static func service(_ service: any HTTPService.Type) -> SinkDefinition {
        SinkDefinition(
            service.kind, form: service.form, isAlwaysThere: true,
            isBodySecret: service == RequestService.self,
            secrets: { service.secrets(of: $0) }
        ) {
            world, isOn throws(SinkFault) in
            HTTPSink(
                service, client: try world.client.made(),
                publicClient: { () throws(SinkFault) in
                    try world.client.made(isPublicOnly: true)
                }, clock: world.clock,
                standard: isOn ? try service.standard(in: world) : nil)
        }
    }
}
