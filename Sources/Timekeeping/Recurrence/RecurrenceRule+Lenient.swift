extension RecurrenceRule {
    /// The parts that change the meaning of all others. A rule in which they cannot be read is not
    /// read at all.
    private static let essential: Set = ["FREQ", "RSCALE", "SKIP"]

    /// Parses a rule from a calendar file and keeps as much of it as possible.
    ///
    /// Blanks are ignored, and parts may be separated by commas. A part that is invalid or unknown
    /// is left out; of a list with an invalid value, the other values are kept. A rule may state
    /// both COUNT and UNTIL: then the earlier end holds, see ``RecurrenceRule/limit``.
    ///
    /// - Parameter text: the rule, such as `FREQ=WEEKLY;COUNT=-1;BYDAY=MO`.
    /// - Returns: the rule, and the reasons why parts or values were left out.
    /// - Throws: ``RecurrenceFault`` if the rule has no valid frequency, is of another calendar
    ///   system, or is too long.
    public static func lenient(
        _ text: some StringProtocol
    ) throws(RecurrenceFault) -> (rule: RecurrenceRule, faults: [RecurrenceFault]) {
        if let rule = try? RecurrenceRule(text) { return (rule, []) }
        guard text.utf8.count <= octetsMax else { return (try RecurrenceRule(text), []) }
        // Some programs separate the parts by commas.
        let plain = text.uppercased().filter { !$0.isWhitespace }
            .replacing(/,([A-Z]+=)/) { ";\($0.1)" }
        let all = withoutSkips(
            (plain.hasPrefix("RRULE:") ? plain.dropFirst(6) : plain[...])
                .split(separator: ";").map(String.init))
        let base = all.filter { essential.contains(name(of: $0)) }
        var kept: [String] = []
        var faults: [RecurrenceFault] = []
        for part in base {
            if kept.contains(where: { name(of: $0) == name(of: part) }) {
                faults.append(
                    RecurrenceFault(name(of: part), "it is given twice; the first one counts"))
            } else {
                kept.append(part)
            }
        }
        _ = try RecurrenceRule(kept.joined(separator: ";"))
        // BYSETPOS needs another part to choose from, so it comes last.
        let others = all.filter { !essential.contains(name(of: $0)) }
        var second: End?
        for part in others.filter({ name(of: $0) != "BYSETPOS" })
            + others.filter({ name(of: $0) == "BYSETPOS" })
        {
            if second == nil, let end = secondEnd(part, besides: kept) {
                second = end
                faults.append(
                    RecurrenceFault(
                        "UNTIL", "a rule cannot have COUNT as well; the earlier end holds"))
                continue
            }
            let (usable, fault) = usable(part, besides: kept)
            kept += [usable].compactMap(\.self)
            faults += [fault].compactMap(\.self)
        }
        let rule = try RecurrenceRule(kept.joined(separator: ";"))
        return (second.map(rule.ending) ?? rule, faults)
    }

    /// The end that a part states beside another end; `nil` for other parts.
    private static func secondEnd(_ part: String, besides kept: [String]) -> End? {
        let other = ["COUNT": "UNTIL", "UNTIL": "COUNT"][name(of: part)]
        guard let other, kept.contains(where: { name(of: $0) == other }) else { return nil }
        return (try? RecurrenceRule("FREQ=DAILY;\(part)"))?.end
    }

    /// The rule with a second end of the other kind.
    private func ending(_ second: End) -> RecurrenceRule {
        var rule = self
        switch (end, second) {
        case (.count, .until(let stamp)): rule.limit = stamp
        case (.until(let stamp), .count): (rule.end, rule.limit) = (second, stamp)
        default: break
        }
        return rule
    }

    private static func name(of part: String) -> String { String(part.prefix { $0 != "=" }) }

    /// A part, or its valid values; `nil` if it cannot be used beside the other parts.
    private static func usable(
        _ part: String, besides kept: [String]
    ) -> (part: String?, fault: RecurrenceFault?) {
        func fault(_ part: String) -> RecurrenceFault? {
            do throws(RecurrenceFault) {
                _ = try RecurrenceRule((kept + [part]).joined(separator: ";"))
                return nil
            } catch { return error }
        }
        guard let found = fault(part) else { return (part, nil) }
        let values = part.dropFirst(name(of: part).count + 1).split(separator: ",")
            .map { "\(name(of: part))=\($0)" }.filter { fault($0) == nil }
        guard values.count > 0, part.contains(",") else { return (nil, found) }
        let list = values.map { $0.dropFirst(name(of: part).count + 1) }.joined(separator: ",")
        return ("\(name(of: part))=\(list)", found)
    }

    /// The parts of a rule in the ordinary calendar without RSCALE and SKIP (RFC 7529), where the
    /// same can be said without them: the 31st or the last day before it is the last of the days
    /// from the 28th to the 31st.
    private static func withoutSkips(_ parts: [String]) -> [String] {
        guard parts.contains("RSCALE=GREGORIAN") else { return parts }
        let rest = parts.filter { $0 != "RSCALE=GREGORIAN" }
        let days = rest.first { $0.hasPrefix("BYMONTHDAY=") }
        let day = days.flatMap { Int($0.dropFirst("BYMONTHDAY=".count)) }
        guard let days, rest.contains("SKIP=BACKWARD"), rest.contains("FREQ=MONTHLY"),
            !rest.contains(where: { $0.hasPrefix("BYSETPOS=") }), let day, (29...31).contains(day)
        else { return rest.filter { $0 != "SKIP=OMIT" } }
        let others = rest.filter { $0 != days && $0 != "SKIP=BACKWARD" }
        let all = (28...day).map(String.init).joined(separator: ",")
        return others + ["BYMONTHDAY=\(all)", "BYSETPOS=-1"]
    }
}
