import Foundation
import Glibc
import Synchronization

/// The deliveries that a worker handed to a sink and whose outcomes are not recorded yet, in a file
/// that outlives a killed process.
///
/// A worker begins deliveries in batches, and sends them one after the other. When it is killed,
/// the ledger alone cannot tell those that were sent from those that only waited. The file can: it
/// is mapped into memory, so a mark costs no system call, and the kernel keeps it when the process
/// ends in any way. It does not survive a crash of the machine, and so counts only within one boot.
public final class SendingMarks: Sendable {
    /// The number of deliveries that can be marked at a time.
    static let slotCount = 4096
    /// The header: a magic number, the worker, whether there were too many marks, the boot.
    private static let headerOctets = 64
    private static let octets = headerOctets + slotCount * MemoryLayout<Int64>.stride
    private static let magic: Int64 = 0x4C4D_5345_4E44_3031
    private static let bootPath = "/proc/sys/kernel/random/boot_id"

    /// The first words of the header.
    private enum Word: Int {
        case magic, worker, isFull
        /// The boot id takes up to 36 bytes from here.
        case boot
    }

    private struct State {
        var free = Array((0..<SendingMarks.slotCount).reversed())
        var slots: [Int64: Int] = [:]
    }

    /// Held as long as the worker lives, so that a later one knows that it does.
    private let lock: FileLock
    private nonisolated(unsafe) let words: UnsafeMutablePointer<Int64>
    private let state = Mutex(State())

    /// Begins the marks of a worker, and reads those of the one before it.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - worker: the number of the new worker.
    /// - Returns: the marks, `nil` if there is no room for the file; and the trace of the worker
    ///   before, `nil` if nothing is known of it, or if it still lives.
    public static func begin(
        at path: String, worker: Int64
    ) -> (marks: SendingMarks?, before: SendingTrace?) {
        guard let boot = try? String(contentsOfFile: bootPath, encoding: .utf8) else {
            return (nil, nil)
        }
        var before: SendingTrace?
        var lock = try? FileLock(path: path, part: .first)
        if lock == nil {
            // The worker before still lives. It keeps its file, without a name.
            unlink(path)
            lock = try? FileLock(path: path, part: .first)
        } else {
            before = trace(at: path, boot: boot)
        }
        guard let lock else { return (nil, before) }
        return (SendingMarks(at: path, lock, worker: worker, boot: boot), before)
    }

    private init?(at path: String, _ lock: FileLock, worker: Int64, boot: String) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // Room is reserved first: a write to a mapped file without room ends the process.
        guard ftruncate(file, 0) == 0, posix_fallocate(file, 0, Self.octets) == 0,
            let map = mmap(nil, Self.octets, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            map != MAP_FAILED
        else { return nil }
        self.lock = lock
        words = map.bindMemory(
            to: Int64.self, capacity: Self.octets / MemoryLayout<Int64>.stride)
        words[Word.worker.rawValue] = worker
        let place = UnsafeMutableRawPointer(words + Word.boot.rawValue)
        for (offset, octet) in Self.bootOctets(boot).enumerated() {
            place.storeBytes(of: octet, toByteOffset: offset, as: UInt8.self)
        }
        // Last, so that a half-written header counts as none.
        words[Word.magic.rawValue] = Self.magic
    }

    deinit { munmap(words, Self.octets) }

    /// Marks a delivery, right before its sink gets it.
    public func mark(_ delivery: Int64) {
        state.withLock { state in
            guard state.slots[delivery] == nil else { return }
            guard let slot = state.free.popLast() else {
                return words[Word.isFull.rawValue] = 1
            }
            state.slots[delivery] = slot
            words[Self.headerWords + slot] = delivery
        }
    }

    /// Removes the marks of deliveries whose outcomes are recorded.
    public func unmark(_ deliveries: some Sequence<Int64>) {
        state.withLock { state in
            for delivery in deliveries {
                guard let slot = state.slots.removeValue(forKey: delivery) else { continue }
                words[Self.headerWords + slot] = 0
                state.free.append(slot)
            }
        }
    }

    private static var headerWords: Int { headerOctets / MemoryLayout<Int64>.stride }

    private static func bootOctets(_ boot: String) -> [UInt8] {
        Array(boot.utf8.prefix(headerOctets - Word.boot.rawValue * MemoryLayout<Int64>.stride))
    }

    /// The trace in a file; `nil` if it is none, of another boot, or incomplete.
    private static func trace(at path: String, boot: String) -> SendingTrace? {
        guard let data = FileManager.default.contents(atPath: path), data.count == octets else {
            return nil
        }
        return data.withUnsafeBytes { octets -> SendingTrace? in
            func word(_ place: Int) -> Int64 {
                octets.loadUnaligned(
                    fromByteOffset: place * MemoryLayout<Int64>.stride, as: Int64.self)
            }
            let own = bootOctets(boot)
            let start = Word.boot.rawValue * MemoryLayout<Int64>.stride
            guard word(Word.magic.rawValue) == magic, word(Word.isFull.rawValue) == 0,
                octets[start..<start + own.count].elementsEqual(own)
            else { return nil }
            let marked = (0..<slotCount).map { word(headerWords + $0) }.filter { $0 != 0 }
            return SendingTrace(worker: word(Word.worker.rawValue), marked: Set(marked))
        }
    }
}

/// The deliveries that a worker that ended had handed to sinks.
public struct SendingTrace: Equatable, Sendable {
    /// The worker.
    public let worker: Int64
    /// The deliveries that were handed to a sink, and whose outcomes were not recorded.
    public let marked: Set<Int64>

    /// True if a delivery that a worker had begun was certainly not handed to a sink.
    public func isUntouched(_ delivery: Int64, of worker: Int64) -> Bool {
        worker == self.worker && !marked.contains(delivery)
    }
}
