/// Pictures, sounds and keys: vCard 3.0 writes them as base64 with parameters, 4.0 as URIs.
enum BinaryProperty {
    /// `property` as an unfolded line for `version`; other properties are unchanged.
    static func line(_ property: VCardProperty, for version: VCardWriter.Version) -> String {
        let head = String(decoding: property.head, as: UTF8.self)
        let value = String(decoding: property.value, as: UTF8.self)
        let unchanged = head + ":" + value
        guard let family = families[property.name] else { return unchanged }
        switch version {
        case .v4:
            guard property.isBase64 else { return unchanged }
            let type = property.parameter("TYPE") ?? ""
            let media = media(family: family, type: type, content: value)
            return rebuiltHead(property) + ":data:" + media + ";base64," + value
        case .v3:
            if let data = DataURI(value) {
                return rebuiltHead(property) + ";ENCODING=b" + typeParameter(data.media) + ":"
                    + data.content
            }
            let isURI = !property.isBase64 && property.parameter("VALUE") == nil
            return isURI && value.contains("://") ? head + ";VALUE=uri:" + value : unchanged
        }
    }

    private static let families = [
        "PHOTO": "image", "LOGO": "image", "SOUND": "audio", "KEY": "application",
    ]

    private static let keyMedia = ["X509": "pkix-cert", "PGP": "pgp-keys"]

    private static func media(family: String, type: String, content: String) -> String {
        let type = type.uppercased()
        if family == "application" { return "application/\(keyMedia[type] ?? "octet-stream")" }
        if type.contains("/") { return type.lowercased() }
        if !type.isEmpty { return "\(family)/\(type.lowercased())" }
        guard family == "image" else { return "\(family)/basic" }
        // The base64 form of the first bytes of PNG and GIF files; nearly everything else is JPEG.
        if content.hasPrefix("iVBOR") { return "image/png" }
        return content.hasPrefix("R0lG") ? "image/gif" : "image/jpeg"
    }

    private static func typeParameter(_ media: String) -> String {
        guard let subtype = media.split(separator: "/").last, !subtype.isEmpty else { return "" }
        let key = keyMedia.first { $0.value == subtype.lowercased() }?.key
        return ";TYPE=\(ParameterEscapes.encoded(key ?? subtype.uppercased()))"
    }

    /// The head without the parameters that describe the encoding of the value.
    private static func rebuiltHead(_ property: VCardProperty) -> String {
        var head = property.group.isEmpty ? property.name : "\(property.group).\(property.name)"
        for parameter in property.parameters
        where !["ENCODING", "TYPE", "VALUE", "MEDIATYPE"].contains(parameter.name) {
            head += ";\(parameter.name)=\(ParameterEscapes.encoded(parameter.value))"
        }
        return head
    }
}

/// A base64 `data:` URI (RFC 2397).
private struct DataURI {
    let media: String
    let content: String

    init?(_ text: String) {
        // Some programs escape the comma and the semicolon as in text.
        guard text.prefix(5).lowercased() == "data:", let comma = text.firstIndex(of: ",") else {
            return nil
        }
        let fields = text[..<comma].dropFirst(5).filter { $0 != "\\" }.split(separator: ";")
        guard fields.last?.lowercased() == "base64" else { return nil }
        media = fields.count > 1 ? String(fields[0]) : ""
        content = String(text[text.index(after: comma)...])
    }
}
