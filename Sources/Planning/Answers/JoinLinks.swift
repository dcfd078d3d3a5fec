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
        guard text.contains("://") else { return text }
        return text.replacing(/[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^\s<>"]+/) { match in
            isToJoin(match.output) ? "…" : match.output
        }
    }

    /// The place without links to join; `nil` if it is a web address and nothing else.
    func removed(fromPlace text: String) -> String? {
        let rest = removed(from: text)
        let isLink = text.wholeMatch(of: /\s*[a-zA-Z][a-zA-Z0-9+.-]*:\/\/\S+\s*/) != nil
        return isLink || rest.allSatisfy { $0 == "…" || $0.isWhitespace } ? nil : rest
    }

    private func isToJoin(_ link: Substring) -> Bool {
        if !own.isEmpty, own.hasPrefix(link) || link.hasPrefix(own) { return true }
        guard let host = URLComponents(string: String(link))?.host?.lowercased() else {
            // Nobody can say what a broken address opens.
            return true
        }
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
