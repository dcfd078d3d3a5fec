import Agenda
import Foundation
import Ledger
import Planning
import Settings
import Storage
import Timekeeping
import Wording

extension Doctor {
    /// Checks the database, the ledger and the clock.
    func databaseChecks() async -> [HealthCheck] {
        guard FileManager.default.fileExists(atPath: home.database) else {
            return [missingDatabaseCheck, clockCheck(lastAttempt: nil)]
        }
        do {
            let store = try Store(
                path: home.database, key: KeyFile.reader(of: home, machine.chance))
            defer { try? store.close() }
            do { return try await checks(of: store) } catch { throw await store.cause(of: error) }
        } catch {
            return [
                HealthCheck(
                    "database", .problem, Refusal(error).message,
                    advice: Self.isHealedByBackup(error) ? [.installation(.restore)] : []),
                clockCheck(lastAttempt: nil),
            ]
        }
    }

    private func checks(of store: Store) async throws -> [HealthCheck] {
        let health = try await store.health()
        let breakers = try await store.openBreakers(limit: Self.breakersMax)
        let troubles = try await store.channelTroubles()
        let parts = try await ledgerRulesChecks(health, of: store) + [rulesCheck(of: store)]
        let mails =
            try await ignoredMailsChecks(of: store) + addressChecks(of: store)
        return [databaseCheck(health), ledgerCheck(health)] + mails
            + Self.channelChecks(
                breakers,
                troubles.filter { $0.isClosed || $0.outcome == .misconfigured })
            + [clockCheck(lastAttempt: health.lastAttempt)] + parts
    }

    /// One result for each paused destination and for each channel in trouble, but only one if both
    /// have the same cause.
    private static func channelChecks(
        _ breakers: [OpenBreaker], _ troubles: [ChannelTrouble]
    ) -> [HealthCheck] {
        func isCause(_ trouble: ChannelTrouble, of breaker: OpenBreaker) -> Bool {
            trouble.sink == breaker.channel && trouble.reply == breaker.reason
        }
        let others = breakers.filter { breaker in
            !troubles.contains { isCause($0, of: breaker) }
        }
        return others.map(breakerCheck)
            + troubles.map { trouble in
                check(trouble, pausing: breakers.first { isCause(trouble, of: $0) })
            }
    }

    /// The time in which answers by mail that were not taken are reported, in seconds: a week.
    private static let ignoredMailSeconds: Int64 = 7 * 86_400

    /// Warnings if answers by mail were not taken lately, or if reports of mail systems were not
    /// understood.
    private func ignoredMailsChecks(of store: Store) async throws -> [HealthCheck] {
        let answers = try await ignoredMails(.answer, in: store)
        let reports = try await ignoredMails(.report, in: store)
        let mails = [
            (
                "answers by mail", answers,
                "\(TimeWords.count(answers, "answer")) \(answers == 1 ? "was" : "were") not taken"
            ),
            (
                "reports by mail", reports,
                TimeWords.count(
                    reports, "report of a mail system was", plural: "reports of mail systems were")
                    + " not understood"
            ),
        ]
        return mails.filter { $0.1 > 0 }.map { name, _, words in
            HealthCheck(
                name, .warning, "\(words) in the last 7 days",
                advice: [.calendars(.listIgnoredMails)])
        }
    }

    private func ignoredMails(_ kind: IgnoredMail.Kind, in store: Store) async throws -> Int {
        try await store.ignoredMails(
            since: clock.now.advanced(bySeconds: -Self.ignoredMailSeconds), only: kind,
            limit: Store.ignoredMailsMax
        ).count
    }

    private var missingDatabaseCheck: HealthCheck {
        guard HomeFacts(path: home.path).isUsable else {
            return HealthCheck(
                "database", .warning, "not checked",
                advice: [.say("Fix the problem with the home folder first.")])
        }
        guard !Store.hasLogAlone(home.database) else {
            return HealthCheck(
                "database", .problem,
                "missing, but its write-ahead log exists: \(home.database)-wal",
                advice: [
                    .say("Put the database back beside its log, or restore a backup."),
                    .installation(.restore),
                ])
        }
        return HealthCheck("database", "not created yet")
    }

    /// The number of open deliveries above which the rules of the ledger are not checked. About ten
    /// thousand are checked per second.
    private static let verifiedRowsMax = 100_000

    /// Checks the rules of the ledger, like `ledger verify`. Returns nothing if all rows are valid,
    /// or if another check says why they were not checked.
    private func ledgerRulesChecks(
        _ health: StoreHealth, of store: Store
    ) async throws -> [HealthCheck] {
        guard health.problems.isEmpty, let surroundings = try? surroundings() else { return [] }
        let coming = try await store.meetings(
            endingAfter: clock.now, after: nil, limit: verifiedMeetingsMax + 1
        ).count
        guard health.openDeliveries <= Self.verifiedRowsMax, coming <= verifiedMeetingsMax else {
            return [
                HealthCheck(
                    "ledger rules", .ok,
                    "not checked, because there are too many coming meetings and deliveries",
                    advice: [.deliveries(.verify)])
            ]
        }
        do {
            let report = try await Planner(surroundings).verifyLedger()
            guard let fault = report.faults.first else { return [] }
            let count = TimeWords.count(report.faults.count, "row")
            return [
                HealthCheck(
                    "ledger rules", .problem, "\(count) with errors, the first: \(fault.rule)",
                    advice: [.deliveries(.verify), .installation(.restore)])
            ]
        } catch let error as StoreError {
            return [
                HealthCheck(
                    "ledger rules", .problem, error.description,
                    advice: Self.isHealedByBackup(error) ? [.installation(.restore)] : [])
            ]
        } catch {
            // Other checks report every other error.
            return []
        }
    }

    /// True if restoring a backup fixes the error. A damaged migration name looks like a migration
    /// of a newer version.
    private static func isHealedByBackup(_ error: any Error) -> Bool {
        switch error as? StoreError {
        case .damaged, .foreignFile, .altered, .newerVersion: true
        default: false
        }
    }

    private func databaseCheck(_ health: StoreHealth) -> HealthCheck {
        let facts = try? FileManager.default.attributesOfItem(atPath: home.database)
        let bytes = (facts?[.size] as? NSNumber)?.int64Value ?? 0
        let detail =
            "schema \"\(health.schema)\", \(bytes >> 10) KB, journal \(health.journalMode), "
            + "mode \(String(mode(of: home.database), radix: 8)), SQLite \(health.engine)"
        if let problem = health.problems.first {
            return HealthCheck(
                "database", .problem, "\(detail): \(problem)", advice: [.installation(.restore)])
        }
        guard health.journalMode == "wal" else {
            return HealthCheck(
                "database", .problem, detail,
                advice: [
                    .say(
                        "Several programs cannot share the database in this journal mode. Stop "
                            + "them all, then start them again.")
                ])
        }
        if let part = health.foreignPart {
            return HealthCheck(
                "database", .problem, "\(detail): another program changed it: \(part)",
                advice: [
                    .say("Undo this change with sqlite3, or restore a backup."),
                    .installation(.restore),
                ])
        }
        return openCheck(detail) ?? HealthCheck("database", detail + ", no errors")
    }

    /// The problem of files that other users can read or change; `nil` if there are none.
    private func openCheck(_ detail: String) -> HealthCheck? {
        let secret =
            ["", "-wal", "-shm"].map { home.database + $0 } + [home.key]
            + files(in: home.secrets) + files(in: home.backups)
        let open = secret.filter { mode(of: $0) & 0o077 != 0 }
        guard open.isEmpty else {
            return HealthCheck(
                "database", .problem, "\(detail): other users can access \(names(open))",
                advice: [.say("To make it private: chmod 600 \(open.joined(separator: " "))")])
        }
        let used = [home.configuration, home.crontab, home.templates] + files(in: home.templates)
        let changeable = used.filter { mode(of: $0) & 0o002 != 0 }
        guard !changeable.isEmpty else { return nil }
        return HealthCheck(
            "database", .problem, "\(detail): other users can change \(names(changeable))",
            advice: [.say("To protect it: chmod o-w \(changeable.joined(separator: " "))")])
    }

    /// The names of files of the home, for people.
    private func names(_ files: [String]) -> String {
        files.map { String($0.dropFirst(home.path.count + 1)) }.joined(separator: ", ")
    }

    private func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { "\(folder)/\($0)" }
    }

    /// The permissions of a file; 0 if it does not exist.
    private func mode(of file: String) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: file)
        return (facts?[.posixPermissions] as? Int ?? 0) & 0o777
    }

    private func ledgerCheck(_ health: StoreHealth) -> HealthCheck {
        guard let oldest = health.oldestDue else { return HealthCheck("ledger", "nothing is open") }
        return Self.ledgerCheck(
            openDeliveries: health.openDeliveries,
            lateMilliseconds: clock.now.milliseconds(since: oldest),
            hasDaemon: FolderLock.isHeld(on: home.path, file: home.daemonLock))
    }

    /// Rates the delay of the oldest open delivery: a running daemon sends at once, and without a
    /// daemon nothing is sent at all.
    package static func ledgerCheck(
        openDeliveries: Int, lateMilliseconds late: Int64, hasDaemon: Bool
    ) -> HealthCheck {
        let detail = "\(openDeliveries) open"
        guard late > 0 else { return HealthCheck("ledger", detail + ", none is due yet") }
        let words = detail + ", the oldest due for \(TimeWords.count(Int(late / 1000), "second"))"
        guard !hasDaemon || late > lateMillisecondsMin else { return HealthCheck("ledger", words) }
        let status: HealthCheck.Status = late > lateMillisecondsMax ? .problem : .warning
        guard hasDaemon else {
            return HealthCheck(
                "ledger", status, words + ", and no daemon is running",
                advice: [.installation(.startDaemon), .installation(.sendNow)])
        }
        return HealthCheck(
            "ledger", status, words + ", although a daemon is running",
            advice: [.say("Check the log of letsmeetd, then restart it.")])
    }

    /// The largest number of destinations that are reported.
    private static let breakersMax = 10

    private static func check(
        _ trouble: ChannelTrouble, pausing breaker: OpenBreaker?
    ) -> HealthCheck {
        let name = trouble.name.isEmpty ? trouble.sink : trouble.name
        let what = trouble.isClosed ? "was closed by its receiver" : "is set up incorrectly"
        let pause = breaker.map { "; paused until \($0.until.utcText)" } ?? ""
        return HealthCheck(
            "channel", .warning, "\(name) \(what)\(pause): \(trouble.words)",
            advice: [
                .say("Fix this, then test the channel.\(breaker.map { _ in " \(nextTry)" } ?? "")"),
                .channels(.test(name)),
            ])
    }

    private static func breakerCheck(_ breaker: OpenBreaker) -> HealthCheck {
        HealthCheck(
            "destination", .warning,
            "\(breaker.name) is paused until \(breaker.until.utcText): \(breaker.reason)",
            advice: [.say("Fix this. \(nextTry)")])
    }

    private static let nextTry =
        "The next attempt follows at that time, or after a SIGHUP to letsmeetd."

    /// Checks the clock. If it is off by years, or more than a minute behind the last attempt,
    /// deliveries are sent at the wrong times.
    private func clockCheck(lastAttempt: Moment?) -> HealthCheck {
        let now = clock.now
        let zone = ZoneDirectory(path: environment["TZDIR"])
            .systemZone(tzVariable: environment["TZ"])
        let detail = "\(now.utcText), system zone \(zone.id)"
        let isPlausible = (1_700_000_000..<4_102_444_800).contains(now.seconds)
        let isBehind = lastAttempt.map { $0.milliseconds(since: now) > 60_000 } ?? false
        guard isPlausible, !isBehind else {
            return HealthCheck(
                "clock", .problem, detail + (isBehind ? ", before the last attempt" : ""),
                advice: [.say("Set the clock, for example with: timedatectl set-ntp true")]
                    + (isBehind
                        ? [
                            .say("If the clock is right, the time of an attempt is damaged."),
                            .installation(.restore),
                        ] : []))
        }
        return HealthCheck("clock", detail)
    }

    /// The largest number of moved meetings that are reported.
    private static let movedMeetingsMax = 10

    /// Checks that coming meetings were scheduled with the current time zone rules, and lists those
    /// that new rules moved. Meetings are named by their ids only, because others may see the
    /// report.
    private func rulesCheck(of store: Store) async throws -> HealthCheck {
        let zones = ZoneDirectory(path: environment["TZDIR"])
        let now = clock.now
        let known = try await store.zoneDigests()
        let old = try await store.zonesInUse(endingAfter: now).filter { id in
            known[id].map { $0 != zones.digest(of: id) } ?? false
        }
        let moved = try await store.movedMeetings(endingAfter: now, limit: Self.movedMeetingsMax)
        let moves = moved.map {
            "\($0.id.text.prefix(8)) from \($0.startedAt) to \($0.startsAt) (\($0.zone))"
        }
        let detail =
            moved.isEmpty
            ? "no coming meeting was moved by new time zone rules"
            : "moved by new time zone rules: " + moves.joined(separator: ", ")
        guard old.isEmpty else {
            return HealthCheck(
                "zone rules", .warning,
                "changed since coming meetings were scheduled: \(old.joined(separator: ", ")); "
                    + detail,
                advice: [.say("Start letsmeetd. It moves the affected meetings.")])
        }
        return HealthCheck("zone rules", detail)
    }

    /// Checks whether a daemon is running on this home. If nothing arrives, it usually runs on
    /// another home.
    var daemonCheck: HealthCheck {
        if let holder = FileLock.holder(path: home.daemonLock) {
            return HealthCheck("daemon", "running on this home (\(holder))")
        }
        guard !FolderLock.isHeld(on: home.path, file: home.daemonLock) else {
            return HealthCheck(
                "daemon", .warning, "another process has locked the folder \(home.path)",
                advice: [
                    .say(
                        "If it is a letsmeetd whose lock file was removed, restart it. Another "
                            + "program must end before letsmeetd can start.")
                ])
        }
        let others = Self.homesOfDaemons().filter { $0 != home.path }
        guard let other = others.first else {
            return HealthCheck(
                "daemon", .warning, "not running",
                advice: [.installation(.startDaemon), .installation(.sendNow)])
        }
        return HealthCheck(
            "daemon", .warning, "running on another home: \(other)",
            advice: [.say("Use that home (LETSMEET_HOME), or start a daemon on this one.")])
    }

    /// The home folders of running daemons, found by their open lock files. Only daemons whose
    /// processes this user may inspect are found.
    private static func homesOfDaemons() -> [String] {
        let files = FileManager.default
        let processes = (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int($0) != nil }.flatMap { process -> [String] in
            let name = files.contents(atPath: "/proc/\(process)/comm") ?? Data()
            guard name.starts(with: Data("letsmeetd".utf8)) else { return [] }
            let folder = "/proc/\(process)/fd"
            let open = (try? files.contentsOfDirectory(atPath: folder)) ?? []
            return open.compactMap {
                try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            .filter { $0.hasSuffix("/letsmeetd.lock") }
            .map { String($0.dropLast("/letsmeetd.lock".count)) }
        }
    }
}
