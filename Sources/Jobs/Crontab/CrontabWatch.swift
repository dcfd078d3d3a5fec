import Foundation
import Timekeeping

/// Sees whether a crontab was written since the last look.
struct CrontabWatch {
    private struct Facts: Equatable {
        let path: String
        let size: Int64?
        let writtenAt: Date?
        let number: Int64?
    }

    private var last: Facts?

    /// When the file was written last; `nil` where there is none.
    var writtenAt: Moment? {
        (last?.writtenAt).map { Moment(milliseconds: Int64($0.timeIntervalSince1970 * 1000)) }
    }

    /// - Returns: whether it is another one than at the last look, as at the first.
    mutating func look(at file: CrontabFile) -> Bool {
        let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
        let now = Facts(
            path: file.path, size: (facts?[.size] as? NSNumber)?.int64Value,
            writtenAt: facts?[.modificationDate] as? Date,
            number: (facts?[.systemFileNumber] as? NSNumber)?.int64Value)
        defer { last = now }
        return now != last
    }
}
