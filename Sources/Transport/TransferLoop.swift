import CCurl
import Foundation
import Synchronization

/// Runs any number of transfers on one thread, which exists only while there are transfers.
///
/// libcurl's calls block, so they never run on a thread of Swift concurrency. One thread serves all
/// transfers at once through libcurl's multi interface. Connections are kept open for reuse.
final class TransferLoop: Sendable {
    /// The maximum number of transfers in progress; the others wait. libcurl's own list of waiting
    /// transfers becomes slow when it is long.
    static let transfersMax = 256
    /// The longest wait for the network before the loop checks its state again, in milliseconds. A
    /// wake-up ends the wait immediately.
    private static let waitMillisecondsMax: Int32 = 60_000
    /// The time for which an idle thread is kept, in milliseconds, because the next transfer
    /// usually starts soon after the last.
    private static let lingerMilliseconds: Int32 = 500
    private static let stackBytes = 512 << 10

    typealias Completion = @Sendable (Transfer.Outcome) -> Void

    private struct Entry {
        let transfer: Transfer
        let completion: Completion
    }

    private struct State {
        var waiting = TransferQueues<Entry>()
        var hasThread = false
        /// True if a transfer was cancelled since the loop last checked.
        var isAnyCancelled = false
        /// True if the thread is waiting for the network and has not been woken yet.
        var isAsleep = false
    }

    private let state = Mutex(State())
    private let multi: MultiHandle

    init() throws(TransportError) {
        multi = try MultiHandle()
    }

    /// Starts a transfer. `completion` is called once, on the loop's thread.
    func start(_ transfer: Transfer, completion: @escaping Completion) {
        let (needsThread, isAsleep) = state.withLock { state in
            let entry = Entry(transfer: transfer, completion: completion)
            let hasTurn = state.waiting.add(entry, to: transfer.queue)
            if transfer.isCancelled { state.isAnyCancelled = true }
            // A transfer that waits in a queue gets its turn when an earlier one ends.
            guard hasTurn || transfer.isCancelled else { return (false, false) }
            defer { (state.hasThread, state.isAsleep) = (true, false) }
            return (!state.hasThread, state.isAsleep)
        }
        // A thread that is awake checks for new transfers before it sleeps.
        if isAsleep { wake() }
        guard needsThread else { return }
        let thread = Thread { self.run() }
        thread.name = "transfers"
        thread.stackSize = TransferLoop.stackBytes
        thread.start()
    }

    /// Makes the loop check for cancelled transfers.
    func heedCancelling() {
        state.withLock { $0.isAnyCancelled = true }
        wake()
    }

    private func wake() {
        // The only function that other threads may call while one thread uses the handle.
        curl_multi_wakeup(multi.pointer)
    }

    private func run() {
        var running: [UnsafeMutableRawPointer: Entry] = [:]
        while true {
            admit(to: &running)
            var count: Int32 = 0
            curl_multi_perform(multi.pointer, &count)
            finishDone(in: &running)
            finishCancelled(in: &running)
            guard fallAsleep(beside: running.count) else { continue }
            let patience =
                running.isEmpty
                ? TransferLoop.lingerMilliseconds : TransferLoop.waitMillisecondsMax
            curl_multi_poll(multi.pointer, nil, 0, patience, nil)
            guard mayStay(beside: running.count) else { return }
        }
    }

    /// True if there is something to do after a wait. If not, the thread ends; this is decided
    /// under the same lock under which the next transfer looks for a thread.
    private func mayStay(beside runningCount: Int) -> Bool {
        state.withLock { state in
            state.isAsleep = false
            state.hasThread = runningCount > 0 || state.waiting.hasNext || state.isAnyCancelled
            return state.hasThread
        }
    }

    /// True if the thread may wait, because no transfer can be started.
    private func fallAsleep(beside runningCount: Int) -> Bool {
        state.withLock { state in
            let isFull = runningCount >= TransferLoop.transfersMax
            state.isAsleep = !state.isAnyCancelled && (isFull || !state.waiting.hasNext)
            return state.isAsleep
        }
    }

    /// Starts transfers that wait.
    private func admit(to running: inout [UnsafeMutableRawPointer: Entry]) {
        while true {
            let room = TransferLoop.transfersMax - running.count
            let admitted = state.withLock { $0.waiting.takeNext(room) }
            guard !admitted.isEmpty else { return }
            for entry in admitted { admit(entry, to: &running) }
        }
    }

    private func admit(_ entry: Entry, to running: inout [UnsafeMutableRawPointer: Entry]) {
        let pointer = entry.transfer.pointer
        if let error = entry.transfer.refusal {
            end(entry, as: .failure(error))
        } else if curl_multi_add_handle(multi.pointer, pointer) == CURLM_OK {
            running[pointer] = entry
        } else {
            end(entry, as: .failure(.failed("libcurl refused the transfer")))
        }
    }

    private func end(_ entry: Entry, as outcome: Transfer.Outcome) {
        // The queue gets this outcome before it decides whether to send the next request.
        entry.transfer.queue?.onEnd(outcome)
        state.withLock { $0.waiting.leave(entry.transfer.queue) }
        entry.completion(outcome)
    }

    private func finishDone(in running: inout [UnsafeMutableRawPointer: Entry]) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE,
                let pointer = message.pointee.easy_handle
            else { continue }
            // Read the code before the handle is removed, because removing it frees the message.
            let code = letsmeet_curl_result(message)
            finish(pointer, in: &running) { $0.outcome(of: code) }
        }
    }

    private func finishCancelled(in running: inout [UnsafeMutableRawPointer: Entry]) {
        let gone: [Entry]? = state.withLock { state in
            guard state.isAnyCancelled else { return nil }
            state.isAnyCancelled = false
            return state.waiting.removeWaiting { $0.transfer.isCancelled }
        }
        guard let gone else { return }
        for entry in gone { entry.completion(.failure(.cancelled)) }
        for (pointer, entry) in running where entry.transfer.isCancelled {
            finish(pointer, in: &running) { $0.outcomeOfCancelling }
        }
    }

    private func finish(
        _ pointer: UnsafeMutableRawPointer,
        in running: inout [UnsafeMutableRawPointer: Entry],
        as outcome: (Transfer) -> Transfer.Outcome
    ) {
        curl_multi_remove_handle(multi.pointer, pointer)
        guard let entry = running.removeValue(forKey: pointer) else { return }
        end(entry, as: outcome(entry.transfer))
    }
}

/// libcurl's multi handle. Only the loop's thread uses it, except for the wake-up, which libcurl
/// allows from any thread; so it can be shared.
private struct MultiHandle: ~Copyable, @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init() throws(TransportError) {
        guard Libcurl.isReady, let pointer = curl_multi_init() else {
            throw .failed("libcurl cannot be initialized")
        }
        self.pointer = pointer
        // Otherwise libcurl closes connections whenever few transfers are in progress.
        letsmeet_curl_set_multi(pointer, CURLMOPT_MAXCONNECTS, TransferLoop.transfersMax)
    }

    deinit { curl_multi_cleanup(pointer) }
}
