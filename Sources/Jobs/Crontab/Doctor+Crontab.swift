import Agenda
import Foundation
import Ledger
public import Operations
import Planning
import Settings
import Storage
import Wording

extension Doctor {
    /// Checks the crontab in use.
    public var crontabCheck: HealthCheck {
        do {
            let surroundings = try surroundings()
            let file = CrontabFile(surroundings)
            let crontab = try file.read(try Crontab.Setting(surroundings))
            guard let fault = crontab.faults.first else {
                let name = file.isShipped ? "the built-in one" : "crontab of this home"
                return HealthCheck(
                    "crontab", "\(name), \(TimeWords.count(crontab.lines.count, "line"))")
            }
            return HealthCheck(
                "crontab", .problem, "\(file.path), \(fault.text)",
                advice: [.installation(.checkCrontab)])
        } catch {
            return prevented("crontab", needing: [.ownerZone])
                ?? HealthCheck(
                    "crontab", .problem, Refusal(error).message,
                    advice: [.installation(.checkCrontab)])
        }
    }

    /// Checks how the last run of each line of the crontab in use ended.
    ///
    /// - Returns: a warning for each line whose last run failed or was interrupted.
    public func jobChecks() async -> [HealthCheck] {
        guard let surroundings = try? surroundings(),
            FileManager.default.fileExists(atPath: surroundings.home.database),
            let planner = try? await Planner(surroundings), let list = try? await planner.cronList()
        else { return [] }
        defer { try? planner.store.close() }
        let bad = [JobRun.State.failed, .interrupted].map(\.rawValue)
        // A doctor job in the crontab does not report its own past runs.
        return list.lines.filter { !$0.isDoctor }.compactMap { line in
            guard let last = line.last, bad.contains(last.state) else { return nil }
            // A command may contain private data, so only its first word is shown.
            let verb = line.job.split(separator: " ").first ?? ""
            return HealthCheck(
                "job", .warning,
                "line \(line.line) of the crontab, \(verb): \(last.state) \(last.nominal.words)",
                advice: [.installation(.listCrontab)])
        }
    }
}
