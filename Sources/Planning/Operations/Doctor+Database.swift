import Foundation
import Ledger
import Settings
import Storage
import Timekeeping
import Wording

extension Doctor {
    /// Looks at the database, the ledger and the clock by which they are kept.
    func databaseChecks() async -> [HealthCheck] {
        guard FileManager.default.fileExists(atPath: home.database) else {
            return [missingDatabaseCheck, clockCheck(lastAttempt: nil)]
        }
        do {
            let store = try Store(path: home.database)
            defer { try? store.close() }
            do { return try await checks(of: store) } catch { throw await store.cause(of: error) }
        } catch {
            return [
                HealthCheck(
                    "database", .problem, Refusal(error).message,
                    advice: Self.isHealedByBackup(error) ? "letsmeet restore FILE" : nil),
                clockCheck(lastAttempt: nil),
            ]
        }
    }

    private func checks(of store: Store) async throws -> [HealthCheck] {
        let health = try await store.health()
        let breakers = try await store.openBreakers(limit: Self.breakersMax)
        let troubles = try await store.channelTroubles()
        let parts = try await ledgerRulesChecks(health) + [rulesCheck(of: store)]
        return [databaseCheck(health), ledgerCheck(health)] + breakers.map(breakerCheck)
            + troubles.filter { $0.isClosed || $0.outcome == .misconfigured }.map(troubleCheck)
            + [clockCheck(lastAttempt: health.lastAttempt)] + parts
    }

    private var missingDatabaseCheck: HealthCheck {
        guard HomeFacts(path: home.path).isUsable else {
            return HealthCheck(
                "database", .warning, "not looked at", advice: "Mend the home first.")
        }
        guard !Store.hasLogAlone(home.database) else {
            return HealthCheck(
                "database", .problem, "gone, but its log is here: \(home.database)-wal",
                advice: "Put it back beside its log, or: letsmeet restore FILE")
        }
        return HealthCheck("database", "none yet")
    }

    /// The most open deliveries that are held against what their meetings want, at some ten
    /// thousand a second.
    private static let verifiedRowsMax = 100_000

    /// What `ledger verify` finds.
    private func ledgerRulesChecks(_ health: StoreHealth) async -> [HealthCheck] {
        guard health.openDeliveries <= Self.verifiedRowsMax, health.problems.isEmpty,
            let surroundings = try? surroundings()
        else { return [] }
        do {
            let report = try await Planner(surroundings).verifyLedger()
            guard let fault = report.faults.first else { return [] }
            let count = TimeWords.count(report.faults.count, "row")
            return [
                HealthCheck(
                    "ledger rules", .problem, "\(count) of the ledger: \(fault.rule)",
                    advice: "letsmeet ledger verify names them. Where the file is damaged: "
                        + "letsmeet restore FILE")
            ]
        } catch let error as StoreError {
            return [
                HealthCheck(
                    "ledger rules", .problem, error.description,
                    advice: Self.isHealedByBackup(error) ? "letsmeet restore FILE" : nil)
            ]
        } catch {
            // What else is wrong is said elsewhere.
            return []
        }
    }

    /// Whether a backup is a way out. A damaged name of a step of the schema looks like one of a
    /// newer version's.
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
                "database", .problem, "\(detail): \(problem)", advice: "letsmeet restore FILE")
        }
        guard health.journalMode == "wal" else {
            return HealthCheck(
                "database", .problem, detail,
                advice: "Several programs cannot share it so: end all, and start letsmeet again.")
        }
        if let part = health.foreignPart {
            return HealthCheck(
                "database", .problem, "\(detail): another program changed it: \(part)",
                advice: "Take that back with sqlite3, or: letsmeet restore FILE")
        }
        let open = ["", "-wal", "-shm"].map { home.database + $0 }
            .filter { mode(of: $0) & 0o077 != 0 }
        guard open.isEmpty else {
            return HealthCheck(
                "database", .problem,
                detail + ": others can read it, or write: \(open.joined(separator: ", "))",
                advice: "chmod 600 \(open.joined(separator: " "))")
        }
        return HealthCheck("database", detail + ", sound")
    }

    /// The permissions of a file; 0 where there is none.
    private func mode(of file: String) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: file)
        return (facts?[.posixPermissions] as? Int ?? 0) & 0o777
    }

    private func ledgerCheck(_ health: StoreHealth) -> HealthCheck {
        guard let oldest = health.oldestDue else { return HealthCheck("ledger", "nothing waits") }
        return Self.ledgerCheck(
            openDeliveries: health.openDeliveries,
            lateMilliseconds: clock.now.milliseconds(since: oldest),
            hasDaemon: FileLock.holder(path: home.daemonLock) != nil)
    }

    /// What it means that the oldest of the open deliveries has been due for so long: a daemon that
    /// is there sends at once, and without one nothing is sent at all.
    static func ledgerCheck(
        openDeliveries: Int, lateMilliseconds late: Int64, hasDaemon: Bool
    ) -> HealthCheck {
        let detail = "\(openDeliveries) open"
        guard late > 0 else { return HealthCheck("ledger", detail + ", none is due yet") }
        let words = detail + ", the oldest due for \(TimeWords.count(Int(late / 1000), "second"))"
        guard !hasDaemon || late > lateMillisecondsMin else { return HealthCheck("ledger", words) }
        let status: HealthCheck.Status = late > lateMillisecondsMax ? .problem : .warning
        guard hasDaemon else {
            return HealthCheck(
                "ledger", status, words + ", and no daemon sends them",
                advice: "Start letsmeetd, or send now with: letsmeetd once")
        }
        return HealthCheck(
            "ledger", status, words + ", although a daemon works here",
            advice: "See what letsmeetd logs, and start it again.")
    }

    /// The most destinations that are named.
    private static let breakersMax = 10

    private func troubleCheck(_ trouble: ChannelTrouble) -> HealthCheck {
        let name = trouble.name.isEmpty ? trouble.sink : trouble.name
        return HealthCheck(
            "channel", .warning,
            "\(name) \(trouble.isClosed ? "was closed by its receiver" : "is not set up rightly"): "
                + trouble.words,
            advice: "Mend what it says, then: letsmeet sink test \(name)")
    }

    private func breakerCheck(_ breaker: OpenBreaker) -> HealthCheck {
        HealthCheck(
            "destination", .warning,
            "\(breaker.name) is left alone until \(breaker.until.utcText): \(breaker.reason)",
            advice: "Mend what it says. It is tried again then, or when letsmeetd gets SIGHUP.")
    }

    /// A clock that is years off, or behind what was already sent, sends at wrong times.
    private func clockCheck(lastAttempt: Moment?) -> HealthCheck {
        let now = clock.now
        let zone = ZoneDirectory(path: environment["TZDIR"])
            .systemZone(tzVariable: environment["TZ"])
        let detail = "\(now.utcText), system zone \(zone.id)"
        let isPlausible = (1_700_000_000..<4_102_444_800).contains(now.seconds)
        let isBehind = lastAttempt.map { $0.milliseconds(since: now) > 60_000 } ?? false
        guard isPlausible, !isBehind else {
            return HealthCheck(
                "clock", .problem, detail + (isBehind ? ", behind what was sent already" : ""),
                advice: "Set the clock, for example with: timedatectl set-ntp true")
        }
        return HealthCheck("clock", detail)
    }

    /// The most meetings that are named.
    private static let movedMeetingsMax = 10

    /// Whether coming meetings are timed by the zone rules of today, and which of them were moved
    /// by them. Meetings are named by their ids alone: this is shown to others.
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
            ? "no coming meeting moved with the rules of its zone"
            : "moved with the rules of their zones: " + moves.joined(separator: ", ")
        guard old.isEmpty else {
            return HealthCheck(
                "zone rules", .warning,
                "other than when coming meetings were timed: \(old.joined(separator: ", ")); "
                    + detail,
                advice: "letsmeetd moves what has to be moved: start it, or run letsmeetd once")
        }
        return HealthCheck("zone rules", detail)
    }

    /// A daemon that works on another home is the usual reason why nothing arrives.
    var daemonCheck: HealthCheck {
        if let holder = FileLock.holder(path: home.daemonLock) {
            return HealthCheck("daemon", "works on this home (\(holder))")
        }
        let others = Self.homesOfDaemons().filter { $0 != home.path }
        guard let other = others.first else {
            return HealthCheck(
                "daemon", .warning, "none runs", advice: "Start letsmeetd run, or send by hand.")
        }
        return HealthCheck(
            "daemon", .warning, "letsmeetd works on another home: \(other)",
            advice: "Name that home with --home, or start letsmeetd on this one.")
    }

    /// The folders of the locks that running daemons have open, as far as this user may see.
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
