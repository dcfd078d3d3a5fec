import Foundation
import Ledger
public import Planning
import Settings
import Storage
import Wording

extension Doctor {
    /// Looks at the crontab that is in use.
    public var crontabCheck: HealthCheck {
        do {
            let surroundings = try surroundings()
            let file = CrontabFile(surroundings)
            let crontab = try file.read(try Crontab.Setting(surroundings))
            guard let fault = crontab.faults.first else {
                let name = file.isShipped ? "the shipped one" : "crontab of the home"
                return HealthCheck(
                    "crontab", "\(name), \(TimeWords.count(crontab.lines.count, "line"))")
            }
            return HealthCheck(
                "crontab", .problem, "\(file.path), \(fault.text)",
                advice: "letsmeet cron check names all that is wrong.")
        } catch {
            return HealthCheck(
                "crontab", .problem, Refusal(error).message, advice: "letsmeet cron check")
        }
    }

    /// Looks how the lines of the crontab that is in use went last.
    ///
    /// - Returns: nothing where there is nothing to say.
    public func jobChecks() async -> [HealthCheck] {
        guard let surroundings = try? surroundings(),
            FileManager.default.fileExists(atPath: surroundings.home.database),
            let planner = try? await Planner(surroundings), let list = try? await planner.cronList()
        else { return [] }
        defer { try? planner.store.close() }
        let bad = [JobRun.State.failed, .interrupted].map(\.rawValue)
        // Who asks because a job of the crontab does is not told of that job's own past.
        return list.lines.filter { !$0.isDoctor }.compactMap { line in
            guard let last = line.last, bad.contains(last.state) else { return nil }
            // A command may name what is nobody's business.
            let verb = line.job.split(separator: " ").first ?? ""
            return HealthCheck(
                "job", .warning,
                "line \(line.line) of the crontab, \(verb): \(last.state) \(last.nominal.words)",
                advice: "letsmeet cron list says why.")
        }
    }
}
