import GRDB

/// The schema, as numbered steps. A step that was released is never edited.
enum Migrations {
    /// How many steps there are.
    static let count = 4

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("001 people, meetings, ledger") { db in
            try db.execute(sql: "PRAGMA application_id = \(Store.applicationID)")
            try db.execute(sql: "PRAGMA user_version = 1")
            try db.execute(sql: people001)
            try db.execute(sql: meetings001)
            try db.execute(sql: ledger001)
            try db.execute(sql: places001)
        }
        migrator.registerMigration("002 what persons were known as") { db in
            try db.execute(sql: "PRAGMA user_version = 2")
            try db.execute(sql: knownAs002)
        }
        migrator.registerMigration("003 attempts under way") { db in
            try db.execute(sql: "PRAGMA user_version = 3")
            try db.execute(sql: attempts003)
        }
        migrator.registerMigration("004 sending policies") { db in
            try db.execute(sql: "PRAGMA user_version = 4")
            try db.execute(sql: policies004)
        }
        return migrator
    }
}
