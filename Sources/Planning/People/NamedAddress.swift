import Agenda
import Interchange

/// A mail address, alone or with a name: `anna@example.org` or `Anna <anna@example.org>`.
struct NamedAddress {
    /// The name as it was typed; empty if there is none.
    let name: String
    /// The address.
    let address: String

    /// Reads a text; `nil` if it has no plausible address.
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
