import Agenda
import Foundation
import Timekeeping

/// The web addresses with which people join a meeting online. Calendar programs also write them
/// into the place and the note.
struct JoinLinks {
    /// The meeting's own link; empty for none.
    let own: String

    /// The text without links to join.
    ///
    /// - Parameter text: a note or a place.
    /// - Returns: the text, with "…" in place of each link.
    func removed(from text: String) -> String {
        text.replacing(/[^\s<>"()]+/) { match in
            isToJoin(match.output) ? "…" : match.output
        }
    }

    /// The place without links to join; `nil` if it is a web address and nothing else.
    func removed(fromPlace text: String) -> String? {
        let rest = removed(from: text)
        let words = text.split(whereSeparator: \.isWhitespace)
        let isLink = words.count == 1 && text.contains("://")
        return isLink || rest.allSatisfy { $0 == "…" || $0.isWhitespace } ? nil : rest
    }

    /// True if a word is the meeting's link, or one of a service, with or without a scheme.
    private func isToJoin(_ word: Substring) -> Bool {
        let hasScheme = word.contains("://")
        if hasScheme, !own.isEmpty, own.hasPrefix(word) || word.hasPrefix(own) { return true }
        guard hasScheme || word.contains("/") else { return false }
        let address = URLComponents(string: hasScheme ? String(word) : "https://\(word)")
        // Nobody can say what a broken address opens.
        guard let host = address?.host?.lowercased() else { return hasScheme }
        return Self.services.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// The domains of services for online meetings.
    private static let services = [
        "zoom.us", "zoom.com", "zoomgov.com", "meet.google.com", "hangouts.google.com",
        "teams.microsoft.com", "teams.live.com", "lync.com", "join.skype.com", "webex.com",
        "gotomeeting.com", "gotomeet.me", "meet.goto.com", "whereby.com", "meet.jit.si", "8x8.vc",
        "discord.gg", "facetime.apple.com", "bluejeans.com", "ringcentral.com", "chime.aws",
        "around.co", "gather.town", "fairmeeting.net", "meet.ffmuc.net", "senfcall.de",
    ]
}

extension Meeting {
    /// The meeting as it is shown to everybody: without the links to join it.
    var withoutLinksToJoin: Meeting {
        var shown = self
        let links = JoinLinks(own: link)
        shown.link = ""
        shown.note = links.removed(from: note)
        if let place {
            shown.place = links.removed(fromPlace: place.text).map { text in
                var other = place
                other.text = text
                return other
            }
        }
        return shown
    }
}
