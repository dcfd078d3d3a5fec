import Planning
import Wording

extension ImportReport {
    /// The most remarks in the result of a job.
    private static let jobRemarksMax = 50

    /// The result of a scheduled import: the numbers, and on lines of their own what somebody
    /// should know, one line for each kind.
    var jobText: String {
        let numbers = "\(imported) new, \(updated) changed, \(unchanged) unchanged"
        let news = circles.filter(\.isNew).map { circle in
            "a new circle: \(circle.name), with "
                + TimeWords.count(circle.people, "person", plural: "people")
        }
        let gaps = skipped.kinds.map { "skipped: \($0.placeText)\($0.text)" }
        let remarks = news + gaps + warnings.kinds.map(\.text)
        let more = remarks.count - Self.jobRemarksMax
        let rest = more > 0 ? ["and \(TimeWords.count(more, "more remark"))"] : []
        return ([numbers] + remarks.prefix(Self.jobRemarksMax) + rest).joined(separator: "\n")
    }
}

extension ImportReport.Kind {
    /// The first part of the kind, and the number of the others.
    fileprivate var text: String {
        count > 1 ? "\(first.reason) (and \(count - 1) more of this kind)" : first.reason
    }

    fileprivate var placeText: String {
        "\(first.file)\(first.line.map { ", line \($0)" } ?? ""): "
    }
}
