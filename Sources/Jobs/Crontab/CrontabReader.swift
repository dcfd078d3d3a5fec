public import Timekeeping
import Wording

extension Crontab {
    /// The settings that reading a crontab depends on.
    public struct Setting: Sendable {
        /// The zones that `CRON_TZ` may name.
        public let zones: ZoneDirectory
        /// The time zone of the lines above the first `CRON_TZ`.
        public let zone: Zone
        /// The reason why lines may not `run` a command; `nil` if they may.
        public let shellRefusal: String?

        /// Makes a setting from its parts.
        public init(zones: ZoneDirectory, zone: Zone, shellRefusal: String?) {
            self.zones = zones
            self.zone = zone
            self.shellRefusal = shellRefusal
        }
    }

    /// Parses a crontab. A fault in one line does not affect the other lines.
    public init(_ text: String, setting: Setting) {
        var reader = CrontabReader(setting: setting)
        // Splitting by characters would treat a carriage return plus line feed as one.
        for (index, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false)
            .enumerated()
        {
            guard reader.faults.count < Self.faultsMax else {
                reader.stop(at: index + 1)
                break
            }
            reader.take(Substring(line), number: index + 1)
        }
        lines = reader.lines
        faults = reader.faults
    }
}

/// A parser that reads a crontab line by line.
private struct CrontabReader {
    private(set) var lines: [CrontabLine] = []
    private(set) var faults: [CrontabFault] = []
    private let setting: Crontab.Setting
    private var zone: Zone
    private var variables: [String: String] = [:]
    /// The line number of each name.
    private var known: [String: Int] = [:]

    init(setting: Crontab.Setting) {
        self.setting = setting
        zone = setting.zone
    }

    mutating func take(_ text: Substring, number: Int) {
        let line = text.trimmingBlanks
        guard !line.isEmpty, !line.hasPrefix("#") else { return }
        do throws(CrontabFault) {
            try checkText(line, number)
            if let (name, value) = line.assignment {
                try set(name, value, number)
            } else {
                try add(try CrontabLine(line, number, zone, variables, setting))
            }
        } catch {
            faults.append(error)
        }
    }

    /// Notes that the rest of the file is not read.
    mutating func stop(at number: Int) {
        faults.append(
            CrontabFault(
                line: number, field: nil,
                reason: "after \(Crontab.faultsMax) lines with faults, the rest is not read."))
    }

    private func checkText(_ line: Substring, _ number: Int) throws(CrontabFault) {
        guard line.utf8.count <= Crontab.lineBytesMax else {
            throw CrontabFault(
                line: number, field: nil,
                reason: "the line is longer than \(Crontab.lineBytesMax) bytes.")
        }
        let odd = line.unicodeScalars.first { scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control
        }
        guard odd == nil else {
            throw CrontabFault(
                line: number, field: nil, reason: "the line contains a control character.")
        }
    }

    private mutating func set(
        _ name: Substring, _ value: String, _ number: Int
    ) throws(CrontabFault) {
        guard name == "CRON_TZ" else {
            variables[String(name)] = value
            return
        }
        guard !value.isEmpty else { return zone = setting.zone }
        do throws(ZoneError) {
            zone = try setting.zones.zone(value)
        } catch {
            throw CrontabFault(line: number, field: "CRON_TZ", reason: error.description)
        }
    }

    private mutating func add(_ line: CrontabLine) throws(CrontabFault) {
        if let other = known[line.name] {
            throw CrontabFault(
                line: line.number, field: line.options.id == nil ? nil : "id",
                reason: line.options.id == nil
                    ? "it is the same as line \(other). Give both an id=NAME, or remove one."
                    : "line \(other) has the same id. Choose another one.")
        }
        guard lines.count < Crontab.linesMax else {
            throw CrontabFault(
                line: line.number, field: nil,
                reason: "the crontab has more than \(Crontab.linesMax) job lines.")
        }
        known[line.name] = line.number
        lines.append(line)
    }
}

extension CrontabLine {
    fileprivate init(
        _ line: Substring, _ number: Int, _ zone: Zone, _ variables: [String: String],
        _ setting: Crontab.Setting
    ) throws(CrontabFault) {
        var rest = line
        scheduleText = Self.takeSchedule(from: &rest)
        schedule = try Self.schedule(scheduleText, number)
        options = try Self.takeOptions(from: &rest, number)
        jobText = String(rest)
        do throws(JobFault) {
            job = try Job(jobText)
        } catch {
            throw CrontabFault(line: number, field: "job", reason: error.reason)
        }
        if case .run = job, let refusal = setting.shellRefusal {
            throw CrontabFault(line: number, field: "job", reason: refusal)
        }
        self.number = number
        self.zone = zone
        self.variables = variables
        text = line.split(whereSeparator: \.isBlank).joined(separator: " ")
        name = options.id ?? text
        try checkOptions()
    }

    /// Refuses options that would have no effect on this line.
    private func checkOptions() throws(CrontabFault) {
        if schedule == .reboot, options.jitterSeconds > 0 {
            throw CrontabFault(
                line: number, field: "jitter", reason: "@reboot runs without delay. Remove jitter.")
        }
        if case .run = job { return }
        guard options.limitSeconds == nil else {
            throw CrontabFault(
                line: number, field: "limit", reason: "it applies only to run. Remove it.")
        }
    }

    /// Takes the schedule: five words, or one that begins with `@`.
    private static func takeSchedule(from rest: inout Substring) -> String {
        var words: [Substring] = []
        repeat {
            guard let word = rest.takeWord() else { break }
            words.append(word)
        } while words.count < 5 && words.first?.hasPrefix("@") == false
        return words.joined(separator: " ")
    }

    private static func schedule(
        _ text: String, _ number: Int
    ) throws(CrontabFault) -> Schedule {
        guard text.lowercased() != "@reboot" else { return .reboot }
        do throws(CronFault) {
            return .times(try CronExpression(text))
        } catch {
            let reboot = text.hasPrefix("@") ? ", or @reboot" : ""
            throw CrontabFault(
                line: number, field: error.field?.rawValue,
                reason: "\(VisibleText.of(error.reason))\(reboot).")
        }
    }

    /// Takes the options, such as `jitter=10m`, that stand before the job.
    private static func takeOptions(
        from rest: inout Substring, _ number: Int
    ) throws(CrontabFault) -> LineOptions {
        var options = LineOptions()
        var given: Set<Substring> = []
        while let equals = rest.prefix(while: { !$0.isBlank }).firstIndex(of: "="),
            let word = rest.takeWord()
        {
            let name = word[..<equals]
            do throws(OptionFault) {
                guard given.insert(name).inserted else {
                    throw OptionFault("the option is given twice")
                }
                try options.take(String(name), String(word[equals...].dropFirst()))
            } catch {
                throw CrontabFault(
                    line: number, field: VisibleText.of(String(name)),
                    reason: VisibleText.of("\(error.reason)."))
            }
        }
        return options
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
    /// The text without blanks at both ends, and without the carriage return of Windows files.
    fileprivate var trimmingBlanks: Substring {
        var text = drop(while: \.isBlank)
        if text.last == "\r" { text.removeLast() }
        while text.last?.isBlank == true { text.removeLast() }
        return text
    }

    /// Takes the first word and the blanks after it; `nil` if there is no word.
    fileprivate mutating func takeWord() -> Substring? {
        let word = prefix { !$0.isBlank }
        self = dropFirst(word.count).drop(while: \.isBlank)
        return word.isEmpty ? nil : word
    }

    /// The parts of `NAME=value`; blanks around the sign and quotes around the value are allowed.
    /// `nil` if the text is not an assignment.
    fileprivate var assignment: (name: Substring, value: String)? {
        let name = prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        let rest = dropFirst(name.count).drop(while: \.isBlank)
        guard rest.first == "=", name.first?.isNumber == false else { return nil }
        let value = rest.dropFirst().drop(while: \.isBlank)
        guard value.count > 1, let quote = value.first, quote == "\"" || quote == "'",
            value.last == quote
        else { return (name, String(value)) }
        return (name, String(value.dropFirst().dropLast()))
    }
}
