/// The cookies of the site.
enum SiteCookie: String {
    /// The session of somebody who is signed in.
    case session = "letsmeet"
    /// A browser that asked for a link, until somebody signs in.
    case browser = "letsmeet-browser"
    /// A browser in which somebody signed in before.
    case known = "letsmeet-known"
    /// The page to go to after signing in with a link in a mail.
    case next = "letsmeet-next"
    /// The chosen colours.
    case theme = "letsmeet-theme"
    /// `off` if the browser may not keep pages for use without a network.
    case keep = "letsmeet-keep"

    /// The name. A name with the prefix `__Host-` is set only over encrypted connections.
    func name(for address: SiteAddress) -> String {
        (address.isSecure && address.folder.isEmpty ? "__Host-" : "") + rawValue
    }

    /// The header field that sets the cookie, or removes it (RFC 6265, 4.1).
    ///
    /// - Parameters:
    ///   - value: the value; `nil` to remove the cookie.
    ///   - seconds: the time for which the browser keeps it.
    ///   - address: the address of the site.
    ///   - request: the request to answer, which a proxy may have got over an encrypted connection.
    /// - Returns: the name and the value of the field.
    func field(
        _ value: String?, seconds: Int64, for address: SiteAddress, _ request: PageRequest
    ) -> (name: String, value: String) {
        let path = address.folder.isEmpty ? "/" : address.folder
        let age = value == nil ? 0 : seconds
        let secure = address.isSecure || request.isForwardedSecurely ? "; Secure" : ""
        return (
            "Set-Cookie",
            "\(name(for: address))=\(value ?? ""); Path=\(path); Max-Age=\(age); HttpOnly; "
                + "SameSite=Lax\(secure)"
        )
    }
}

extension PageRequest {
    /// The value of a cookie of the site; `nil` if it was not sent.
    func cookie(_ cookie: SiteCookie, for address: SiteAddress) -> String? {
        self.cookie(cookie.name(for: address))
    }
}
