import Foundation
import Glibc

/// Metrics of this process, with the names that Prometheus's own client libraries use.
enum ProcessFacts {
    /// Reads the metrics afresh. A metric that cannot be read is left out.
    static func families() -> [MetricFamily] {
        guard let text = contents(of: "/proc/self/stat"), let fields = fields(of: text) else {
            return []
        }
        let ticks = Double(max(1, sysconf(CInt(_SC_CLK_TCK))))
        var families = [
            MetricFamily(
                "process_cpu_seconds_total", .counter, help: "CPU time used, in seconds.",
                [MetricSample((fields.userTicks + fields.systemTicks) / ticks)]),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, help: "Memory in use, in bytes.",
                [MetricSample(fields.residentPages * Double(sysconf(CInt(_SC_PAGESIZE))))]),
        ]
        if let boot = contents(of: "/proc/stat").flatMap(bootSeconds) {
            families.append(
                MetricFamily(
                    "process_start_time_seconds", .gauge,
                    help: "Start time of the process, in seconds since 1970.",
                    [MetricSample(boot + fields.startTicks / ticks)]))
        }
        return families
    }

    /// The fields of `/proc/self/stat` that are used here; see proc(5).
    struct Fields: Equatable {
        let userTicks: Double
        let systemTicks: Double
        let startTicks: Double
        let residentPages: Double
    }

    /// Parses `/proc/self/stat`. The program's name is in parentheses and may itself contain blanks
    /// and parentheses, so parsing starts after the last one.
    static func fields(of text: String) -> Fields? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let words = text[text.index(after: end)...].split(separator: " ").map(String.init)
        // The first word is field 3.
        guard words.count > 21, let user = Double(words[11]), let system = Double(words[12]),
            let start = Double(words[19]), let pages = Double(words[21])
        else { return nil }
        return Fields(
            userTicks: user, systemTicks: system, startTicks: start, residentPages: pages)
    }

    /// The boot time of the machine in seconds since 1970, from the line `btime` of `/proc/stat`.
    static func bootSeconds(in text: String) -> Double? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("btime ") }
        return line.flatMap { Double($0.dropFirst("btime ".count)) }
    }

    private static func contents(of path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
