import Places
import Timekeeping

extension PlannerSurroundings {
    /// Lets a service be asked, and shows that it is waited for when that takes long.
    func awaiting<Value: Sendable>(
        _ service: PlaceService, _ body: () async throws -> Value
    ) async throws -> Value {
        let notice = AwaitedNotice(of: service, in: self)
        do {
            let value = try await body()
            await notice.end()
            return value
        } catch {
            await notice.end()
            throw error
        }
    }
}

/// What a person reads while a service is silent.
private struct AwaitedNotice {
    /// For so long nobody wonders why nothing happens.
    private static let quietMilliseconds: Int64 = 1000

    private let teller: Task<Bool, Never>
    private let show: @Sendable (_ service: String?) -> Void

    init(of service: PlaceService, in surroundings: PlannerSurroundings) {
        let clock = surroundings.waitClock
        let show = surroundings.showAwaited
        let deadline = clock.now.advanced(byMilliseconds: Self.quietMilliseconds)
        self.show = show
        teller = Task {
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return false
            }
            show(service.rawValue)
            return true
        }
    }

    /// Takes the notice away, if it is there.
    func end() async {
        teller.cancel()
        if await teller.value { show(nil) }
    }
}
