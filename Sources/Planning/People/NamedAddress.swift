import Agenda
import Interchange

/// A mail address, alone or with a name: `anna@example.org` or `Anna <anna@example.org>`.
struct NamedAddress {
    let name: String
    let address: String

    init?(_ text: String) {
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else {
            guard let address = MailAddress.plausible(text) else { return nil }
            name = ""
            self.address = address
            return
        }
        let inside = String(text[text.index(after: open)...].dropLast())
        guard let address = MailAddress.plausible(inside) else { return nil }
        self.address = address
        let typed = text[..<open].split(separator: " ").joined(separator: " ")
            .filter { $0 != "\"" }
        name = typed.showsNothing ? "" : typed
    }
}
