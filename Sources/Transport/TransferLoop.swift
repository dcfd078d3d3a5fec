import CCurl
import Foundation
import Synchronization

/// Runs any number of transfers on one thread, which exists only while there is something to do.
///
/// libcurl's calls block, so they never happen on a thread of Swift concurrency. One thread serves
/// all transfers at once, through libcurl's multi interface; connections are kept for the next.
final class TransferLoop: Sendable {
    /// How many transfers are under way at once; the rest waits its turn. libcurl's own list of
    /// waiting transfers gets slow when it is long.
    static let transfersMax = 256
    /// The longest wait for the network before the loop looks around; a wake-up ends it at once.
    private static let waitMillisecondsMax: Int32 = 60_000
    /// How long the thread stays although there is nothing to do: the next transfer mostly comes
    /// soon after the last.
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
        /// Whether somebody gave up since the loop last looked.
        var isAnyCancelled = false
        /// Whether the thread waits for the network, and nobody has woken it yet.
        var isAsleep = false
    }

    private let state = Mutex(State())
    private let multi: MultiHandle

    init() throws(TransportError) {
        multi = try MultiHandle()
    }

    /// Runs a transfer; `completion` is called once, on the loop's thread.
    func start(_ transfer: Transfer, completion: @escaping Completion) {
        let (needsThread, isAsleep) = state.withLock { state in
            let entry = Entry(transfer: transfer, completion: completion)
            let hasTurn = state.waiting.add(entry, to: transfer.queue)
            if transfer.isCancelled { state.isAnyCancelled = true }
            // What waits for another has its turn when that one has ended.
            guard hasTurn || transfer.isCancelled else { return (false, false) }
            defer { (state.hasThread, state.isAsleep) = (true, false) }
            return (!state.hasThread, state.isAsleep)
        }
        // A thread that is awake looks for more before it sleeps.
        if isAsleep { wake() }
        guard needsThread else { return }
        let thread = Thread { self.run() }
        thread.name = "transfers"
        thread.stackSize = TransferLoop.stackBytes
        thread.start()
    }

    /// Has the loop look at what was cancelled.
    func heedCancelling() {
        state.withLock { $0.isAnyCancelled = true }
        wake()
    }

    private func wake() {
        // The one function that libcurl lets other threads call while one uses the handle.
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

    /// Awake again: whether there is something to do. When there is nothing, the thread is given
    /// up, in the same lock in which the next transfer would look for it.
    private func mayStay(beside runningCount: Int) -> Bool {
        state.withLock { state in
            state.isAsleep = false
            state.hasThread = runningCount > 0 || state.waiting.hasNext || state.isAnyCancelled
            return state.hasThread
        }
    }

    /// Whether the thread may wait: nothing is there that it could take up.
    private func fallAsleep(beside runningCount: Int) -> Bool {
        state.withLock { state in
            let isFull = runningCount >= TransferLoop.transfersMax
            state.isAsleep = !state.isAnyCancelled && (isFull || !state.waiting.hasNext)
            return state.isAsleep
        }
    }

    /// Takes up waiting transfers.
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
        // Who decides whether the next one goes hears of it first.
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
            // Read before the handle is removed, which ends the message's life.
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

/// libcurl's handle for many transfers at once. Only the loop's thread uses it, but for the
/// wake-up, which libcurl allows from anywhere: so it may be shared.
private struct MultiHandle: ~Copyable, @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init() throws(TransportError) {
        guard Libcurl.isReady, let pointer = curl_multi_init() else {
            throw .failed("libcurl could not be started")
        }
        self.pointer = pointer
        // Else libcurl closes connections whenever few transfers are under way.
        letsmeet_curl_set_multi(pointer, CURLMOPT_MAXCONNECTS, TransferLoop.transfersMax)
    }

    deinit { curl_multi_cleanup(pointer) }
}
