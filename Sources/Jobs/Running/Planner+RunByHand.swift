import Agenda
import Ledger
public import Planning
import Settings
import Storage
import Timekeeping

extension Planner {
    /// Runs a job now and records the run.
    ///
    /// - Parameters:
    ///   - words: the job as written in a crontab, or the id of a line of the crontab.
    ///   - machine: the clock and the random source.
    /// - Returns: the finished run.
    /// - Throws: ``Refusal`` with `not_allowed`, `unknown_job` or `shell_not_allowed`, or with the
    ///   reason why the job failed.
    public func runJob(_ words: [String], on machine: Machine) async throws -> JobRunView {
        try checkIsOwner(to: "run jobs")
        let text = words.joined(separator: " ")
        // Lines without a fault can be run by hand even if another line has one.
        let lines = (try? crontabFile.read(try Crontab.Setting(surroundings)))?.lines ?? []
        let line = lines.first { $0.options.id == text } ?? lines.first { $0.jobText == text }
        let job = try line?.job ?? self.job(text)
        if case .run = job, !surroundings.configuration.allowsShell {
            throw Refusal(
                .refused, code: "shell_not_allowed",
                "Shell commands are disabled. To allow them, set allow_shell: true in "
                    + "letsmeet.yaml.")
        }
        let start = surroundings.waitClock.now
        let runner = JobRunner(machine: machine, planner: { self })
        var source = machine.chance.source
        let name = "\(RunSign.handPrefix)\(Identifier<JobRun>.random(using: &source))"
        defer { runner.forget(name) }
        let report = try await runner.run(
            job, in: .init(name: name, line: line, nominal: now, isByHand: true))
        let end = surroundings.waitClock.now
        try await store.noteRunByHand(
            of: line?.jobText ?? text, line: line?.name, startedAt: start, as: report.state,
            detail: report.words, now: end)
        guard report.state == .done else {
            throw report.refusal
                ?? Refusal(
                    .refused, code: "job_failed", "\(text): \(report.words)",
                    advice: report.remark.advice)
        }
        return JobRunView(
            JobRun(
                id: 0, line: line?.name, job: line?.jobText ?? text, origin: .hand, nominal: start,
                due: start, state: report.state, starts: 1, startedAt: start, endedAt: end,
                detail: report.words), advice: report.remark.advice, for: self)
    }

    private func job(_ text: String) throws(Refusal) -> Job {
        do throws(JobFault) {
            return try Job(text)
        } catch {
            throw Refusal(.invalid, code: "unknown_job", "The job cannot be run: \(error.reason)")
        }
    }
}
