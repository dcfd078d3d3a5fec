import GRDB

extension Row {
    /// What a statement answers, each row read while the statement stands on it: a row that is
    /// copied first takes room, and goes through its columns' names for each value.
    ///
    /// - Parameters:
    ///   - statement: the statement; `read` may run others, but not this one.
    ///   - arguments: its arguments.
    ///   - read: reads a row, and does not keep it.
    /// - Returns: what was read, in the order of the rows.
    /// - Throws: what SQLite refuses, and what `read` throws.
    static func read<Value>(
        _ statement: Statement, arguments: StatementArguments = StatementArguments(),
        as read: (Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let rows = try fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() { values.append(try read(row)) }
        return values
    }
}
