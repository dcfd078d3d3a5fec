public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A person who can sign in.
public struct Account: Equatable, Sendable {
    /// The rights of an account.
    public enum Role: String, CaseIterable, Sendable {
        /// The owner of the installation.
        case owner
        /// Manages accounts and the installation.
        case admin
        /// Everybody else.
        case member
    }

    /// The person.
    public let person: PersonID
    /// The rights.
    public let role: Role
    /// False if the person may not sign in.
    public let isEnabled: Bool
    /// The time of its creation.
    public let madeAt: Moment
    /// The city in which the person usually looks for places, if they chose one.
    public private(set) var area: String?

    /// Creates an account that is enabled.
    public init(of person: PersonID, as role: Role, madeAt: Moment) {
        self.init(person: person, role: role, isEnabled: true, madeAt: madeAt)
    }

    fileprivate init(person: PersonID, role: Role, isEnabled: Bool, madeAt: Moment) {
        self.person = person
        self.role = role
        self.isEnabled = isEnabled
        self.madeAt = madeAt
    }
}

extension Account {
    static let columns =
        "a.person_id, a.role, a.is_enabled, a.made_at AS account_made_at, a.area"

    init(row: Row) throws {
        self.init(
            person: PersonID(text: row["person_id"]), role: try StoredValue.decode(row["role"]),
            isEnabled: row["is_enabled"], madeAt: Moment(milliseconds: row["account_made_at"]))
        area = row["area"]
    }

    static func fetch(_ person: PersonID, in db: Database) throws -> Account? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT \(Account.columns) FROM account a WHERE a.person_id = :person"),
            arguments: ["person": person.text]
        ).map(Account.init(row:))
    }

    /// Adds the account unless the person has one.
    func insert(in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO account (person_id, role, is_enabled, made_at)
                VALUES (:person, :role, 1, :now) ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [
            "person": person.text, "role": role.rawValue, "now": madeAt.milliseconds,
        ])
        if db.changesCount > 0 { try PeckRows.addPast(of: person, in: db) }
    }
}

extension Account {
    /// Checks that a person has an account.
    ///
    /// - Throws: ``StoreError/accountGone``.
    static func checkExists(of person: PersonID, in db: Database) throws {
        let exists = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM account WHERE person_id = :person)"),
            arguments: ["person": person.text])
        guard exists == true else { throw StoreError.accountGone }
    }

    /// Forgets the browsers in which a person signed in before.
    static func forgetBrowsers(of person: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE account SET browser_epoch = browser_epoch + 1 WHERE person_id = :person"
        ).execute(arguments: ["person": person.text])
    }
}

extension Store {
    /// The account of a person; `nil` if they have none.
    public func account(of person: PersonID) async throws -> Account? {
        try await read { db in try Account.fetch(person, in: db) }
    }

    /// The accounts in the order of their creation.
    ///
    /// - Parameter limit: the maximum number to return.
    /// - Returns: the accounts, each with its person.
    /// - Throws: ``StoreError``.
    public func accounts(limit: Int) async throws -> [(account: Account, person: Person)] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(Account.columns) FROM account a
                        ORDER BY a.made_at, a.person_id LIMIT :limit
                        """), arguments: ["limit": limit]
            ).compactMap { row in
                let account = try Account(row: row)
                return try Person.fetch(account.person, in: db).map { (account, $0) }
            }
        }
    }

    /// Adds an account unless the person has one.
    ///
    /// - Returns: the account of the person.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func addAccount(_ account: Account) async throws -> Account {
        try await write { db in
            try account.insert(in: db)
            return try Account.fetch(account.person, in: db) ?? account
        }
    }

    /// Stores the language that a person with an account has chosen.
    ///
    /// - Parameters:
    ///   - language: the language (BCP 47); `nil` for none.
    ///   - person: the person.
    /// - Throws: ``StoreError``.
    public func setLanguage(_ language: String?, of person: PersonID) async throws {
        try await write { db in
            let arguments: StatementArguments = ["language": language, "person": person.text]
            for sql in [
                "UPDATE account SET language = :language WHERE person_id = :person",
                "UPDATE person SET language = :language WHERE id = :person",
            ] {
                try db.cachedStatement(sql: sql).execute(arguments: arguments)
            }
        }
    }

    /// Changes the rights of an account.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - role: the new role; `nil` to keep it.
    ///   - isEnabled: false to disable the account, which ends its sessions; `nil` to keep it.
    /// - Returns: true if there is such an account.
    /// - Throws: ``StoreError``.
    public func changeAccount(
        of person: PersonID, role: Account.Role? = nil, isEnabled: Bool? = nil
    ) async throws -> Bool {
        try await write { db in
            let known = try String.fetchOne(
                db.cachedStatement(sql: "SELECT role FROM account WHERE person_id = :person"),
                arguments: ["person": person.text])
            guard known != nil else { return false }
            if let role {
                try db.cachedStatement(
                    sql: "UPDATE account SET role = :role WHERE person_id = :person"
                ).execute(arguments: ["role": role.rawValue, "person": person.text])
            }
            if let isEnabled {
                try db.cachedStatement(
                    sql: "UPDATE account SET is_enabled = :enabled WHERE person_id = :person"
                ).execute(arguments: ["enabled": isEnabled, "person": person.text])
            }
            if isEnabled == false {
                for sql in [
                    "DELETE FROM session WHERE person_id = :person",
                    "DELETE FROM sign_in_ticket WHERE person_id = :person",
                    "DELETE FROM address_request WHERE person_id = :person",
                ] {
                    try db.cachedStatement(sql: sql).execute(arguments: ["person": person.text])
                }
                try Account.forgetBrowsers(of: person, in: db)
            }
            return true
        }
    }

    /// Adds a person who is in nobody's address book.
    public func addPerson(_ person: Person, now: Moment) async throws {
        try await write { db in try person.insert(in: db, now: now) }
    }
}

extension Store {
    /// The hash of a person's password; `nil` if they have none.
    public func password(of person: PersonID) async throws -> String? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT password FROM account WHERE person_id = :person"),
                arguments: ["person": person.text]
            )?["password"]
        }
    }

    /// Stores the hash of a person's password; `nil` for none. No browser is known any more: who
    /// knew the old password may have signed in there.
    public func setPassword(_ hash: String?, of person: PersonID) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: "UPDATE account SET password = :hash WHERE person_id = :person"
            ).execute(arguments: ["hash": hash, "person": person.text])
            try Account.forgetBrowsers(of: person, in: db)
        }
    }

    /// The number of times that a person's account forgot the browsers in which they signed in;
    /// `nil` if they have no account.
    public func browserEpoch(of person: PersonID) async throws -> Int? {
        try await read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT browser_epoch FROM account WHERE person_id = :person"),
                arguments: ["person": person.text])
        }
    }
}
