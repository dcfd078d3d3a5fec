import StreamSafe
import Timekeeping

/// A property of a calendar object: name, parameters and value (RFC 5545, 3.1).
public struct CalendarLine: Equatable, Sendable {
    /// A parameter of a property. A parameter with several values appears once for each value.
    public struct Parameter: Equatable, Sendable {
        /// The name in capitals.
        public let name: String
        /// The value, without quotes and without the escapes of RFC 6868.
        public let value: String

        init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        init(_ parameter: VCardProperty.Parameter) {
            self.init(name: parameter.name, value: parameter.value)
        }
    }

    /// The name in capitals.
    public let name: String
    /// The parameters, in their original order.
    public let parameters: [Parameter]
    /// The value, exactly as it stands after the colon.
    public let value: String
    /// The line of the file on which the property begins, counted from 1; 0 if it was not read from
    /// a file.
    public let number: Int
    /// The complete unfolded line from the file, if it differs from the other properties written
    /// out, so that nothing is lost.
    private let source: String?

    /// A property whose value is written unchanged.
    init(_ name: String, _ parameters: [(name: String, value: String)] = [], raw value: String) {
        self.name = name
        self.parameters = parameters.map { Parameter(name: $0.name, value: $0.value) }
        self.value = value
        number = 0
        source = nil
    }

    /// A property whose value is text (RFC 5545, 3.3.11).
    init(_ name: String, text: String) {
        self.init(name, raw: CalendarText.escaped(text))
    }

    /// Parses a line of a file; `nil` if it holds no property.
    init?(_ line: LogicalLine) {
        if let declared = Self.inDeclaredCharset(line) {
            self = declared
            return
        }
        // A leading space would make the line a continuation of the one before it.
        let plain = DecodedText(line.bytes, charset: nil).text.withoutControls
        let text = String(plain.drop { $0 == " " || $0 == "\t" })
        let octets = Array(text.utf8)
        guard let property = VCardProperty(LogicalLine(number: line.number, bytes: octets[...]))
        else { return nil }
        if property.encoding == "QUOTED-PRINTABLE" {
            self.init(quotedPrintable: property)
        } else {
            let (parameters, value) = Self.withWholeZone(
                property.parameters.map(Parameter.init),
                String(decoding: property.value, as: UTF8.self))
            let plain = CalendarLine(
                name: property.name, parameters: parameters, value: value, number: line.number,
                source: nil)
            self = plain.unfolded == text ? plain : plain.written(text)
        }
    }

    /// The property in a line that names the charset of its value, as vCalendar 1.0 does; `nil` if
    /// it names none, or is in UTF-8.
    private static func inDeclaredCharset(_ line: LogicalLine) -> CalendarLine? {
        guard line.bytes.contains(where: { $0 > 0x7F }),
            String(validating: line.bytes, as: UTF8.self) == nil,
            let property = VCardProperty(line), property.parameter("CHARSET") != nil
        else { return nil }
        return CalendarLine(quotedPrintable: property)
    }

    private func written(_ source: String) -> CalendarLine {
        CalendarLine(
            name: name, parameters: parameters, value: value, number: number, source: source)
    }

    /// The parameters and the value of a property whose zone has a name with colons or commas that
    /// some programs do not quote: `DTSTART;TZID=(UTC-05:00) Eastern Time:20261224T180000`. The
    /// value is then behind the last colon.
    private static func withWholeZone(
        _ parameters: [Parameter], _ value: String
    ) -> (parameters: [Parameter], value: String) {
        var parameters = parameters
        let names = parameters.filter { $0.name == "TZID" }
        if names.count > 1 {
            // Without quotes, a comma would separate several values.
            parameters.removeAll { $0.name == "TZID" }
            parameters.append(
                Parameter(name: "TZID", value: names.map(\.value).joined(separator: ",")))
        }
        guard let last = parameters.last, last.name == "TZID",
            let colon = value.lastIndex(of: ":")
        else { return (parameters, value) }
        let times = value[value.index(after: colon)...]
        guard let first = times.split(separator: ",").first,
            CalendarStamp(first.prefix { $0 != "/" }) != nil
        else { return (parameters, value) }
        let parts = value[..<colon].split(separator: ";", omittingEmptySubsequences: false)
        let whole = Parameter(name: "TZID", value: "\(last.value):\(parts.first ?? "")")
        let more = parts.dropFirst().map { part in
            let pair = part.split(separator: "=", maxSplits: 1)
            return Parameter(
                name: String(pair.first ?? "").uppercased(), value: String(pair.last ?? ""))
        }
        return (parameters.dropLast() + [whole] + more, String(times))
    }

    /// A property of vCalendar 1.0 that is quoted-printable or in a charset of its own, converted
    /// to iCalendar, which has neither (RFC 5545, 3.2.7).
    private init(quotedPrintable property: VCardProperty) {
        let text = property.decodedValue().text
        self.init(
            name: property.name,
            parameters: property.parameters
                .map { Parameter(name: $0.name.withoutControls, value: $0.value.withoutControls) }
                .filter { $0.name != "ENCODING" && $0.name != "CHARSET" },
            value: Self.isText(property.name)
                ? CalendarText.escaped(CalendarText.unescaped(text)) : text.withoutControls,
            number: property.line, source: nil)
    }

    /// The property with text appended to its value.
    func continued(_ more: String) -> CalendarLine {
        let more = more.withoutControls
        return CalendarLine(
            name: name, parameters: parameters, value: value + more, number: number,
            source: source.map { $0 + more })
    }

    /// This recurrence rule with a part that another program wrote on the next line without
    /// folding, such as "COUNT=3"; `nil` if the line is not such a part.
    func withRulePart(_ line: LogicalLine) -> CalendarLine? {
        guard name == "RRULE", value.utf8.count <= Self.brokenRuleOctetsMax,
            line.bytes.count <= Self.rulePartOctetsMax
        else { return nil }
        let part = line.bytes.filter { !$0.isBlank }
        let pairs = part.split(separator: .semicolon)
        guard !pairs.isEmpty, pairs.allSatisfy(Self.isRulePart) else { return nil }
        let isSeparate = value.hasSuffix(";") || part.first == .semicolon
        return saying(value + (isSeparate ? "" : ";") + String(decoding: part, as: UTF8.self))
    }

    /// True for a part of a recurrence rule, such as `COUNT=3`, in a time that is proportional to
    /// its length.
    private static func isRulePart(_ pair: ArraySlice<UInt8>) -> Bool {
        let name = pair.prefix(while: \.isASCIILetter)
        let value = pair.dropFirst(name.count + 1)
        return !name.isEmpty && !value.isEmpty && pair.dropFirst(name.count).first == .equals
            && value.allSatisfy { $0.isLetterOrDigit || "-+,".utf8.contains($0) }
    }

    /// The longest rule to which a part on the next line is added, in octets.
    private static let brokenRuleOctetsMax = 1000
    /// The longest part of a rule on a line of its own, in octets.
    private static let rulePartOctetsMax = 100

    /// The property with another zone name.
    ///
    /// - Parameter names: the new names of zones by their old names.
    /// - Returns: the property; unchanged if its zone has no new name.
    func naming(zones names: [String: String]) -> CalendarLine {
        guard let other = parameter("TZID").flatMap({ names[$0] }) else { return self }
        let parameters = parameters.map {
            $0.name == "TZID" ? Parameter(name: $0.name, value: other) : $0
        }
        return CalendarLine(
            name: self.name, parameters: parameters, value: value, number: number, source: nil)
    }

    /// The property with another value of another type, without a zone.
    func saying(_ value: String, type: String) -> CalendarLine {
        let kept = parameters.filter { !["TZID", "VALUE"].contains($0.name) }
        return CalendarLine(
            name: name, parameters: [Parameter(name: "VALUE", value: type)] + kept, value: value,
            number: number, source: nil)
    }

    /// The property with a zone for its times.
    func inZone(named zone: String) -> CalendarLine {
        CalendarLine(
            name: name, parameters: parameters + [Parameter(name: "TZID", value: zone)],
            value: value, number: number, source: nil)
    }

    /// The property in another zone, if it names this one.
    func inZone(named zone: String, insteadOf former: String) -> CalendarLine {
        guard parameter("TZID") == former else { return self }
        let kept = parameters.map {
            $0.name == "TZID" ? Parameter(name: $0.name, value: zone) : $0
        }
        return CalendarLine(
            name: name, parameters: kept, value: value, number: number, source: nil)
    }

    /// The property with another value.
    func saying(_ value: String) -> CalendarLine {
        CalendarLine(
            name: name, parameters: parameters, value: value, number: number, source: nil)
    }

    /// The property under another name and without the RANGE parameter, so that it applies to one
    /// occurrence alone.
    func named(_ name: String) -> CalendarLine {
        CalendarLine(
            name: name, parameters: parameters.filter { $0.name != "RANGE" }, value: value,
            number: number, source: nil)
    }

    private init(
        name: String, parameters: [Parameter], value: String, number: Int, source: String?
    ) {
        self.name = name
        self.parameters = parameters
        self.value = value
        self.number = number
        self.source = source
    }

    /// The unfolded line without its line end.
    var unfolded: String {
        if let source { return source }
        let head = parameters.reduce(into: name) { head, parameter in
            head += ";\(parameter.name)=\(CalendarText.parameter(parameter.value))"
        }
        return "\(head):\(value)"
    }

    /// The length of the unfolded line in octets.
    var octetCount: Int { unfolded.utf8.count }

    /// Appends the line with its line end, folded if it is long.
    func append(to output: inout [UInt8]) {
        let start = output.count
        if let source {
            output += source.utf8
        } else {
            output += name.utf8
            for parameter in parameters {
                output.append(UInt8(ascii: ";"))
                output += parameter.name.utf8
                output.append(UInt8(ascii: "="))
                output += CalendarText.parameter(parameter.value).utf8
            }
            output.append(UInt8(ascii: ":"))
            output += value.utf8
        }
        LineFolding.end(lineFrom: start, of: &output)
    }
}

extension CalendarLine {
    /// The first value of a parameter, whose name must be in capitals.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// True if the value is text, which some programs break over several lines without folding.
    var isText: Bool { Self.isText(name) }

    private static func isText(_ name: String) -> Bool {
        ["DESCRIPTION", "SUMMARY", "LOCATION", "COMMENT", "CONTACT"].contains(name)
            || name.hasPrefix("X-")
    }

    /// True for the name of a property that a standard defines, or of an extension.
    static func isKnown(_ name: String) -> Bool { name.hasPrefix("X-") || known.contains(name) }

    /// The properties of RFC 5545, 5546, 7808, 7953, 7986, 9073, 9074 and 9253, and those of
    /// vCalendar 1.0.
    private static let known = Set(
        """
        ACKNOWLEDGED ACTION AALARM ATTACH ATTENDEE BEGIN BUSYTYPE CALENDAR-ADDRESS CALSCALE
        CATEGORIES CLASS COLOR COMMENT COMPLETED CONCEPT CONFERENCE CONTACT CREATED DALARM DAYLIGHT
        DCREATED DESCRIPTION DTEND DTSTAMP DTSTART DUE DURATION END EXDATE EXRULE FREEBUSY GEO
        IMAGE LAST-MODIFIED LINK LOCATION LOCATION-TYPE MALARM METHOD NAME ORGANIZER PALARM
        PARTICIPANT PARTICIPANT-TYPE PERCENT-COMPLETE PRIORITY PRODID PROXIMITY RDATE
        RECURRENCE-ID REFID REFRESH-INTERVAL RELATED-TO REPEAT REQUEST-STATUS RESOURCES
        RESOURCE-TYPE RNUM RRULE SEQUENCE SOURCE STATUS STRUCTURED-DATA STYLED-DESCRIPTION SUMMARY
        TRANSP TRIGGER TZ TZID TZID-ALIAS-OF TZNAME TZOFFSETFROM TZOFFSETTO TZUNTIL TZURL UID URL
        VERSION
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// The value without surrounding whitespace.
    public var plainText: String {
        String(decoding: Array(value.utf8)[...].trimmedOfBlanks, as: UTF8.self)
    }

    /// The value as text, with escapes resolved. Of a very long value this is the beginning, which
    /// is longer than any text of a meeting.
    public var text: String {
        value.utf8.count <= Self.textOctetsMax
            ? CalendarText.unescaped(plainText)
            : CalendarText.unescaped(
                String(decoding: value.utf8.prefix(Self.textOctetsMax), as: UTF8.self))
    }

    private static let textOctetsMax = 1 << 20
}

extension String {
    /// The text without the control characters that no line may contain (RFC 5545, 3.1).
    fileprivate var withoutControls: String {
        guard unicodeScalars.contains(where: CalendarText.isControl) else { return self }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: unicodeScalars.filter { !CalendarText.isControl($0) })
        return String(text).streamSafe
    }
}
