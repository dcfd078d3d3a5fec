import Agenda
import Settings
import Synchronization
import Timekeeping
import Transport

/// One HTTP client for all services. Its connections and its thread are created on first use.
final class SharedClient: Sendable {
    private let userAgent: String
    private let configuration: Configuration
    private let transcript: Transcript?
    private let client = Mutex<HTTPClient?>(nil)

    init(userAgent: String, _ configuration: Configuration, transcript: Transcript?) {
        self.transcript = transcript
        self.userAgent = userAgent
        self.configuration = configuration
    }

    /// Returns the client and creates it on first use.
    ///
    /// - Throws: ``SinkFault`` if the list of allowed addresses is invalid. It names the place of
    ///   the setting.
    func made() throws(SinkFault) -> HTTPClient {
        do {
            return try client.withLock { client in
                if let client { return client }
                let new = try HTTPClient(
                    userAgent: userAgent,
                    guardian: try AddressGuard(allowing: configuration.webhookAllow),
                    transcript: transcript)
                client = new
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
                service, client: try world.client.made(), clock: world.clock,
                standard: isOn ? try service.standard(in: world) : nil)
        }
    }
}
