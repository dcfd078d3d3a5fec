import Places
import Timekeeping

extension PlannerSurroundings {
    /// For so long nobody wonders why nothing happens.
    private static let quietMilliseconds: Int64 = 1000
    /// No service is asked for longer.
    private static let noticeSecondsMax: Int64 = 86_400

    /// Lets a service be asked, and shows that it is waited for when that takes long.
    func awaiting<Value: Sendable>(
        _ service: PlaceService, _ body: () async throws -> Value
    ) async throws -> Value {
        // Where the body ends, the notice is told to end too, and waited for.
        async let _ = tellOfSilence(of: service)
        return try await body()
    }

    /// Shows that a service is silent, from a second on until the task is cancelled.
    private func tellOfSilence(of service: PlaceService) async {
        do throws(CancellationError) {
            try await waitClock.sleep(
                until: waitClock.now.advanced(byMilliseconds: Self.quietMilliseconds))
        } catch {
            return
        }
        showAwaited(service.rawValue)
        try? await waitClock.sleep(
            until: waitClock.now.advanced(bySeconds: Self.noticeSecondsMax))
        showAwaited(nil)
    }
}
