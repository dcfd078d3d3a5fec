import Glibc
public import Logging
import NIOCore
public import ServiceLifecycle
public import Settings
public import Timekeeping

/// Serves the pages on one address of this machine.
///
/// Nothing else depends on it. If it cannot listen, it logs the reason and retries every minute.
public struct PageServer: Service, CustomStringConvertible {
    /// The time between two attempts to listen, in seconds.
    public static let retrySeconds: Int64 = 60

    private let address: ListenAddress
    private let responder: PageResponder
    private let clock: any WallClock
    private let logger: Logger
    private let onTry: @Sendable (ListenAddress?) -> Void
    var limits = PageLimits()

    /// A server of these pages.
    ///
    /// - Parameters:
    ///   - address: the address to listen on.
    ///   - routes: the routes of the pages.
    ///   - site: the addresses of the pages; `nil` for any host and no path prefix.
    ///   - problemPage: shows a problem to people; `nil` for a text for programs.
    ///   - areOperationsOpen: true if the health check and the metrics are open to everybody who
    ///     reaches the address; false if only to programs on this machine.
    ///   - uploads: the folder for the files of forms; `nil` to take none.
    ///   - clock: the clock of this machine.
    ///   - logger: logs the address, or the reason why it cannot listen.
    ///   - onTry: called after each attempt to listen, with the bound address and port, or `nil` if
    ///     the attempt failed.
    public init(
        on address: ListenAddress, routes: [Route],
        site: @escaping @Sendable () -> SiteAddress? = { nil },
        problemPage: @escaping @Sendable (Problem, PageRequest) async -> PageAnswer? = { _, _ in
            nil
        },
        areOperationsOpen: Bool = false, uploads: String? = nil, clock: any WallClock,
        logger: Logger,
        onTry: @escaping @Sendable (ListenAddress?) -> Void = { _ in }
    ) {
        self.address = address
        self.clock = clock
        self.logger = logger
        self.onTry = onTry
        responder = PageResponder(
            routes, site: site, problemPage: problemPage, areOperationsOpen: areOperationsOpen,
            uploads: uploads, clock: clock, logger: logger)
    }

    /// The name that the service group logs at debug level.
    public var description: String { "PageServer" }

    /// Serves until the service group shuts down.
    public func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            do {
                try await serve()
            } catch {
                logger.error("\(advice(on: error))")
                onTry(nil)
            }
            guard !Task.isShuttingDownGracefully else { return }
            let next = clock.now.advanced(bySeconds: Self.retrySeconds)
            try? await cancelWhenGracefulShutdown { try await clock.sleep(until: next) }
        }
    }

    private func serve() async throws {
        let listener = try await Listener(address, responder, limits)
        let address = listener.address
        logger.info("listening for HTTP requests", metadata: ["address": "\(Self.url(address))"])
        onTry(address)
        await cancelWhenGracefulShutdown { await listener.untilClosed() }
        await listener.close()
    }

    private static func url(_ address: ListenAddress) -> String {
        switch address {
        case .network: "http://\(address)"
        case .socket: "\(address)"
        }
    }

    /// The cause of the error and what to do about it.
    private func advice(on error: any Error) -> String {
        let place = "letsmeetd cannot serve its pages on \(address): "
        let remedy =
            " Set listen (LETSMEET_LISTEN) to another address or to none, and start letsmeetd "
            + "again; until then it still sends notifications, and tries to listen every minute."
        guard let error = error as? IOError else { return place + "\(error)." + remedy }
        let cause =
            switch error.errnoCode {
            case EADDRINUSE: "another program listens there."
            case EADDRNOTAVAIL: "this machine has no such address."
            case EACCES where address.port != nil: "only root may listen on that port."
            case EACCES, EROFS: "letsmeetd may not write to its folder."
            case ENOENT, ENOTDIR: "its folder does not exist."
            case EEXIST: "there is a file that is not a socket."
            default: String(cString: strerror(error.errnoCode)) + "."
            }
        return place + cause + remedy
    }
}
