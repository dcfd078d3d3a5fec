import Glibc
public import Logging
import NIOCore
public import ServiceLifecycle
public import Settings
public import Timekeeping

/// Answers requests on one address of this machine.
///
/// Nothing else depends on it: where it cannot listen, it says so, and tries again each minute.
public struct PageServer: Service, CustomStringConvertible {
    /// How long it waits before it tries again to listen, in seconds.
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
    ///   - address: where it listens.
    ///   - pages: what it shows.
    ///   - folder: the path under which others see it; empty where there is none.
    ///   - clock: the machine's clock.
    ///   - logger: where it says where it listens, and why not.
    ///   - onTry: hears of each try where it listens now, with the port that was free; `nil` of
    ///     one that failed.
    public init(
        on address: ListenAddress, pages: [Page], folder: @escaping @Sendable () -> String = { "" },
        clock: any WallClock, logger: Logger,
        onTry: @escaping @Sendable (ListenAddress?) -> Void = { _ in }
    ) {
        self.address = address
        self.clock = clock
        self.logger = logger
        self.onTry = onTry
        responder = PageResponder(pages: pages, folder: folder, clock: clock, logger: logger)
    }

    /// Its group logs this at debug.
    public var description: String { "PageServer" }

    /// Serves until the group that it runs in ends.
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
        logger.info("the page listens", metadata: ["address": "\(Self.url(address))"])
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

    /// What happened and what to do, in sentences.
    private func advice(on error: any Error) -> String {
        let place = "/healthz and /metrics are not served on \(address): "
        let remedy =
            " Set LETSMEET_LISTEN to another address and start letsmeetd again, or to none. It "
            + "delivers all the same, and tries to listen again in a minute."
        guard let error = error as? IOError else { return place + "\(error)." + remedy }
        let cause =
            switch error.errnoCode {
            case EADDRINUSE: "another program listens there."
            case EADDRNOTAVAIL: "this machine has no such address."
            case EACCES where address.port != nil: "only root may listen on that port."
            case EACCES, EROFS: "its folder may not be written to."
            case ENOENT, ENOTDIR: "its folder is not there."
            case EEXIST: "there is a file that is no socket."
            default: String(cString: strerror(error.errnoCode)) + "."
            }
        return place + cause + remedy
    }
}
