import Agenda
import Ledger
import Planning
import Settings
import Wording

/// The fields of the form for a new channel.
struct ChannelFields: Sendable {
    /// The variables outside lists.
    static let names = [
        "kind", "kindText", "needsURL", "urlHint", "urlValue", "isURLSecret", "needsTarget",
        "targetHint", "targetValue", "isRequest", "takesSecret", "secretHint", "isSecretNeeded",
        "isTargetNeeded", "kindHint",
    ]
    static let lists = ["carried": ["value", "text", "isChosen"]]

    /// The kind of sink.
    var kind = ""
    /// The address of the service, as it was typed; empty if it may be secret.
    var url = ""
    var target = ""
    /// The kinds of notification that it carries; empty for all.
    var kinds: Set<NotificationKind> = []

    init(kind: String) { self.kind = kind }

    /// The fields that were sent. Secrets are not kept.
    init(_ form: FormFields) {
        kind = form["kind"]
        url = form["url"][...].trimmingSpaces
        target = form["target"].replacing("\r\n", with: "\n")[...].trimmingSpaces
        kinds = Set(form.all("carried").compactMap { NotificationKind(rawValue: $0) })
    }

    /// True if whoever knows the address can write there.
    private var isURLSecret: Bool { kind == "slack" }

    /// The request for the channel.
    ///
    /// - Parameters:
    ///   - readers: the people who read it.
    ///   - secret: the secret that was typed; empty for none.
    /// - Returns: the request.
    func request(for readers: ChannelRequest.Readers, secret: String) -> ChannelRequest {
        var request = ChannelRequest()
        (request.kind, request.readers, request.kinds) = (kind, readers, kinds)
        (request.url, request.target) = (url, target)
        request.secret = secret.isEmpty ? nil : Secret(secret)
        return request
    }

    /// The variables of the form.
    ///
    /// - Parameters:
    ///   - words: the phrases.
    ///   - isForMany: true for a channel of a circle.
    /// - Returns: the variables.
    func values(_ words: PageWords, isForMany: Bool) -> TemplateValues {
        let needs = Dictionary(
            ChannelKinds.fields(of: kind).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        var values: TemplateValues = [
            "kind": .text(kind), "kindText": .text(words.channelKind(kind)),
            "urlValue": .text(isURLSecret ? "" : url), "targetValue": .text(target),
            "isURLSecret": .flag(isURLSecret), "needsURL": .flag(needs[.url] == true),
            "isRequest": .flag(needs[.requestFile] != nil),
            "isTargetNeeded": .flag(
                needs[.target] == true || needs[.requestFile] == true
                    || kind == "mail" && isForMany),
            "isSecretNeeded": .flag(needs[.secret] == true),
            "carried": .list(
                NotificationKind.allCases.filter { isCarried($0, isForMany: isForMany) }.map {
                    [
                        "value": .text($0.rawValue), "text": .text(words.notification($0)),
                        "isChosen": .flag(kinds.contains($0)),
                    ]
                }),
        ]
        values[text: "kindHint"] = words.channelNote(kind)
        values[text: "urlHint"] = words.channelAddress(kind)
        let target = words.channelTarget(kind, isForMany: isForMany)
        values[text: "targetHint"] = target
        values["needsTarget"] = .flag(target != nil)
        let secret = words.channelSecret(kind)
        values[text: "secretHint"] = secret
        values["takesSecret"] = .flag(secret != nil)
        return values
    }

    private func isCarried(_ kind: NotificationKind, isForMany: Bool) -> Bool {
        isForMany ? Audience.hears(kind) : ![.link, .signIn, .alarm].contains(kind)
    }
}
