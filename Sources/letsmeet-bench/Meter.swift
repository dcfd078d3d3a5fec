import Glibc

/// The resources used by this process, as reported by the system.
enum Meter {
    /// The processor time of the whole process; other processes do not count.
    static var processNanoseconds: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// The monotonic wall-clock time, which also passes while nothing is done.
    static var wallNanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

    /// The processor time of this thread.
    static var threadNanoseconds: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// The memory that this process uses now; 0 if the system does not report it.
    static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var bytes = [CChar](repeating: 0, count: 128)
        guard fgets(&bytes, CInt(bytes.count), file) != nil else { return 0 }
        let text = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }

    /// The number of times that a thread of this process waited for something, and was woken up.
    static var wakeUps: Int {
        var usage = rusage()
        return getrusage(RUSAGE_SELF.rawValue, &usage) == 0 ? usage.ru_nvcsw : 0
    }

    /// The most memory that this process ever used; 0 if the system does not report it.
    static var peakBytes: Int {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
        return Int(usage.ru_maxrss) << 10
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The time that a phase took.
struct ResourceUse {
    /// The wall-clock time in nanoseconds.
    let wall: UInt64
    /// The processor time in nanoseconds.
    let processor: UInt64

    static func += (left: inout ResourceUse, right: ResourceUse) {
        left = ResourceUse(
            wall: left.wall + right.wall, processor: left.processor + right.processor)
    }

    static func timing(_ phase: () async throws -> Void) async throws -> ResourceUse {
        let start = ResourceUse(wall: Meter.wallNanoseconds, processor: Meter.processNanoseconds)
        try await phase()
        return ResourceUse(
            wall: Meter.wallNanoseconds - start.wall,
            processor: Meter.processNanoseconds - start.processor)
    }
}

extension BenchReport.Phase {
    init(_ name: String, _ spent: ResourceUse, operationCount: Int) {
        self.init(
            name, nanoseconds: spent.wall, processorNanoseconds: spent.processor,
            operationCount: operationCount)
    }
}
