import GRDB

/// The schema, as numbered steps. A step that was released is never edited.
enum Migrations {
    /// How many steps there are.
    static let count = 7

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
        migrator.registerMigration("005 clock and zone rules") { db in
            try db.execute(sql: "PRAGMA user_version = 5")
            try db.execute(sql: clock005)
        }
        migrator.registerMigration("006 open breakers") { db in
            try db.execute(sql: "PRAGMA user_version = 6")
            try db.execute(sql: breakers006)
        }
        migrator.registerMigration("007 when a delivery was planned") { db in
            try db.execute(sql: "PRAGMA user_version = 7")
            try db.execute(sql: planned007)
            try CheckLists.unroll(in: db)
        }
        return migrator
    }
}
