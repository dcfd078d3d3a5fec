import StreamSafe

/// The text of a part in HTML, for mails that have no other text.
enum HTMLText {
    /// The text without tags, with a line for each block. Quoted mails are left out.
    ///
    /// - Parameter html: the text of the part. Of a long one, the first 200,000 characters are
    ///   read, in a time that is proportional to them.
    /// - Returns: the text.
    static func plain(_ html: String) -> String {
        var reading = HTMLReading(Array(html.unicodeScalars.prefix(scalarsMax)))
        return HTMLReferences.decoded(reading.text()).streamSafe
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmed() }.joined(separator: "\n")
    }

    private static let scalarsMax = 200_000

    /// The name of the encoding that a text in HTML states for itself; `nil` if it states none, or
    /// is in UTF-8.
    static func charset(of html: ArraySlice<UInt8>) -> String? {
        guard html.isASCII || String(validating: html, as: UTF8.self) == nil else { return nil }
        let head = String(decoding: html.prefix(headOctetsMax), as: UTF8.self)
        let meta = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([A-Za-z0-9_:.\-]+)/.ignoresCase()
        return head.firstMatch(of: meta).map { String($0.output.1) }
    }

    private static let headOctetsMax = 4096
}

/// A single pass over a text in HTML.
private struct HTMLReading {
    private let source: [Unicode.Scalar]
    private var place = 0
    private var output = String.UnicodeScalarView()
    /// The place of the next `>`, or the end of the text.
    private var tagEnd = 0
    /// The ends of the elements whose text is not shown, by their names, in order.
    private var hiddenEnds: [String: ArraySlice<Int>] = [:]

    private static let hidden: Set = ["style", "script", "head", "title"]
    private static let breaks: Set = [
        "br", "hr", "/p", "/div", "/tr", "/li", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6",
    ]
    /// The elements that begin a line.
    private static let blocks: Set = [
        "p", "div", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6",
    ]
    /// The attributes by which mail programs mark a quoted mail.
    private static let quotations = ["gmail_quote", "divrplyfwdmsg", "appendonsend"]
    private static let nameLengthMax = 12

    init(_ source: [Unicode.Scalar]) {
        self.source = source
        for place in source.indices where source[place] == "<" {
            let name = name(behind: place)
            guard name.hasPrefix("/"), Self.hidden.contains(String(name.dropFirst())) else {
                continue
            }
            hiddenEnds[String(name.dropFirst()), default: []].append(place)
        }
    }

    mutating func text() -> String {
        while place < source.count {
            let scalar = source[place]
            if scalar == "<", let end = endOfTag() {
                take(tag: place..<end)
            } else if scalar.properties.isWhitespace {
                // Whitespace is one space, wherever it stands.
                if output.last != " " { output.append(" ") }
                place += 1
            } else {
                output.append(scalar)
                place += 1
            }
        }
        return String(output)
    }

    /// The place of the `>` that ends the tag here; `nil` if there is none.
    private mutating func endOfTag() -> Int? {
        if tagEnd < place { tagEnd = place }
        while tagEnd < source.count, source[tagEnd] != ">" { tagEnd += 1 }
        return tagEnd < source.count ? tagEnd : nil
    }

    private mutating func take(tag: Range<Int>) {
        let name = name(behind: tag.lowerBound)
        place = tag.upperBound + 1
        if Self.hidden.contains(name), let end = endOfHidden(name) {
            place = end
        } else if name == "blockquote" || name == "div" && isQuotation(tag) {
            output.append(contentsOf: "\n-----\n".unicodeScalars)
        } else if Self.breaks.contains(name) {
            output.append("\n")
        } else if Self.blocks.contains(name), let last = output.last(where: { $0 != " " }),
            last != "\n"
        {
            output.append("\n")
        }
    }

    /// The place of the tag that ends a hidden element; `nil` if it has no end.
    private mutating func endOfHidden(_ name: String) -> Int? {
        hiddenEnds[name] = hiddenEnds[name]?.drop { $0 < place }
        return hiddenEnds[name]?.first
    }

    private func isQuotation(_ tag: Range<Int>) -> Bool {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: source[tag])
        let attributes = String(text).lowercased()
        return Self.quotations.contains { attributes.contains($0) }
    }

    /// The name of the tag that begins at a place, in lower case, with its slash.
    private func name(behind place: Int) -> String {
        let name = source[(place + 1)...].prefix(Self.nameLengthMax).enumerated().prefix {
            $0.offset == 0 && $0.element == "/" || $0.element.isLetterOrDigit
        }
        return String(name.map { Character($0.element) }).lowercased()
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
    }
}

extension Substring {
    fileprivate func trimmed() -> Substring {
        var rest = drop { $0.isWhitespace }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}

/// The character references of HTML (WHATWG HTML, 13.5), as far as mail programs use them.
private enum HTMLReferences {
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing(/&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,7});/) {
            scalar(String($0.output.1)).map { String(Character($0)) } ?? String($0.output.0)
        }
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return named[name] }
        let isHexadecimal = name.dropFirst().first.map { "xX".contains($0) } == true
        return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }

    private static let named: [String: Unicode.Scalar] = {
        var scalars = other
        for (place, name) in latin.split(separator: " ").enumerated() {
            scalars[String(name)] = Unicode.Scalar(UInt8(0xA0 + place))
        }
        return scalars
    }()

    /// The characters from U+00A0 to U+00FF.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg \
        plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 \
        iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave \
        Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute \
        Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
        eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml \
        divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    private static let other: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "euro": "€", "ndash": "–",
        "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
        "bdquo": "„", "hellip": "…", "bull": "•", "trade": "™", "rarr": "→", "larr": "←",
        "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "lsaquo": "‹",
        "rsaquo": "›", "ensp": " ", "emsp": " ", "thinsp": " ", "zwnj": "\u{200C}",
        "zwj": "\u{200D}",
    ]
}
