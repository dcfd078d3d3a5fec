import Glibc

/// What the system says this process has used.
enum Meter {
    /// Processor time of the whole process: what others run on the machine does not count.
    static var processNanoseconds: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// Time that passes, also while nothing is done.
    static var wallNanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

    /// Processor time of this thread.
    static var threadNanoseconds: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// Memory that this process has in use; 0 where the system does not tell.
    static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var bytes = [CChar](repeating: 0, count: 128)
        guard fgets(&bytes, CInt(bytes.count), file) != nil else { return 0 }
        let text = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
