public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The days for which a task that has ended is kept.
    private static let taskDays: Int64 = 30

    /// Adds a task.
    ///
    /// - Parameters:
    ///   - task: the task.
    ///   - openMax: the most tasks of the account that have not ended.
    /// - Returns: false if the account has that many already, and nothing was added.
    /// - Throws: ``StoreError``.
    public func addTask(_ task: LongTask, openMax: Int) async throws -> Bool {
        try await write { db in
            let open = try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM task WHERE person_id = :person AND ended_at IS NULL
                        """), arguments: ["person": task.person.text])
            guard open ?? 0 < openMax else { return false }
            try db.cachedStatement(
                sql: """
                    INSERT INTO task (id, person_id, kind, subject, queued_at)
                    VALUES (:id, :person, :kind, :subject, :now)
                    """
            ).execute(arguments: [
                "id": task.id.text, "person": task.person.text, "kind": task.kind.rawValue,
                "subject": task.subject, "now": task.queuedAt.milliseconds,
            ])
            return true
        }
    }

    /// A task of an account; `nil` if the account has none with this id.
    public func task(_ id: LongTaskID, of person: PersonID) async throws -> LongTask? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: "\(LongTask.select) WHERE id = :id AND person_id = :person"),
                arguments: ["id": id.text, "person": person.text]
            ).map(LongTask.init(row:))
        }
    }

    /// The tasks of an account, the newest first, at most `limit`.
    public func tasks(of person: PersonID, limit: Int) async throws -> [LongTask] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        \(LongTask.select) WHERE person_id = :person
                        ORDER BY queued_at DESC, id LIMIT :limit
                        """), arguments: ["person": person.text, "limit": limit]
            ).map(LongTask.init(row:))
        }
    }

    /// Notes that the work of a task begins.
    public func beginTask(_ id: LongTaskID, now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE task SET state = 'running', started_at = :now
                    WHERE id = :id AND state = 'queued'
                    """
            ).execute(arguments: ["id": id.text, "now": now.milliseconds])
        }
    }

    /// Forgets the tasks that ended more than 30 days ago.
    public func forgetTasks(now: Moment) async throws {
        try await write { db in
            let oldest = now.advanced(bySeconds: -Self.taskDays * 86_400)
            try db.cachedStatement(sql: "DELETE FROM task WHERE ended_at < :oldest")
                .execute(arguments: ["oldest": oldest.milliseconds])
        }
    }

    /// True if a task has not ended, and was not removed together with its account.
    public func isOpen(task id: LongTaskID) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM task WHERE id = :id AND ended_at IS NULL)
                        """), arguments: ["id": id.text]) ?? false
        }
    }

    /// Notes how far a task is.
    public func noteProgress(of id: LongTaskID, done: Int, total: Int) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE task SET done = :done, total = :total
                    WHERE id = :id AND ended_at IS NULL
                    """
            ).execute(arguments: ["id": id.text, "done": done, "total": total])
        }
    }

    /// Notes that a task is to stop at its next step.
    public func noteStopping(of id: LongTaskID) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE task SET state = 'stopping' WHERE id = :id AND state = 'running'"
            ).execute(arguments: ["id": id.text])
        }
    }

    /// Notes that a task has ended. A task ends once.
    ///
    /// - Parameters:
    ///   - id: the task.
    ///   - state: the final state.
    ///   - result: the result as JSON.
    ///   - now: the present time.
    /// - Throws: ``StoreError``.
    public func endTask(
        _ id: LongTaskID, as state: LongTask.State, result: String, now: Moment
    ) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE task SET state = :state, result = :result, ended_at = :now
                    WHERE id = :id AND ended_at IS NULL
                    """
            ).execute(arguments: [
                "id": id.text, "state": state.rawValue, "result": result, "now": now.milliseconds,
            ])
        }
    }

    /// Replaces the result of a task that has ended.
    ///
    /// - Parameters:
    ///   - id: the task.
    ///   - result: the new result as JSON.
    /// - Throws: ``StoreError``.
    public func replaceResult(of id: LongTaskID, with result: String) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE task SET result = :result WHERE id = :id AND ended_at IS NOT NULL"
            ).execute(arguments: ["id": id.text, "result": result])
        }
    }

    /// Ends the tasks that an earlier daemon left open. Only a daemon that has begun no task calls
    /// this.
    public func interruptTasks(now: Moment) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE task SET state = 'interrupted', ended_at = :now WHERE ended_at IS NULL
                    """
            ).execute(arguments: ["now": now.milliseconds])
        }
    }
}
