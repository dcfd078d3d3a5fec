extension Migrations {
    /// A digest that tells mails of one person apart that were written in the same second.
    static let repliesOfOneTime035 = "ALTER TABLE answer ADD COLUMN reply_mail TEXT;"
}
