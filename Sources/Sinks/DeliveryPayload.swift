import Agenda
import Ledger
import Timekeeping
import Wording

/// The fields of a delivery for programs. Every field is always present, even if it is empty.
struct DeliveryPayload {
    private let outgoing: OutgoingMessage

    init(_ outgoing: OutgoingMessage) {
        self.outgoing = outgoing
    }

    /// The fields by name, in the same form for all programs.
    var json: JSONObjectText {
        var facts = JSONObjectText()
        let isOfMeeting = outgoing.kind.isAboutMeeting
        if outgoing.isOfDays { facts.add("all_day", true) }
        if let audience = outgoing.audience {
            facts.add("answers", outgoing.turnout?.json)
            facts.add("audience", audience)
        }
        facts.add("due", outgoing.due.utcText)
        facts.add("id", outgoing.identity)
        facts.add("kind", outgoing.kind.rawValue)
        facts.add("meeting", isOfMeeting ? outgoing.meeting : nil)
        if !outgoing.occurrence.isEmpty { facts.add("occurrence", outgoing.occurrence) }
        facts.add("start", isOfMeeting ? outgoing.start : nil)
        facts.add("subject", outgoing.subject)
        facts.add("text", outgoing.text)
        facts.add("title", isOfMeeting ? outgoing.title : nil)
        // A message to an audience names no single person.
        if outgoing.audience == nil {
            facts.add("to") { receiver in
                receiver.add("address", outgoing.address.isEmpty ? nil : outgoing.address)
                receiver.add("name", outgoing.name)
            }
        }
        facts.add("tz", isOfMeeting ? outgoing.zone : nil)
        return facts
    }
}

extension Turnout {
    /// The number of participants by answer, and the number of extra guests they bring.
    fileprivate var json: JSONObjectText {
        var counts = JSONObjectText()
        counts.add("declined", answers[.declined])
        counts.add("going", answers[.going])
        counts.add("invited", answers[.invited])
        counts.add("maybe", answers[.maybe])
        counts.add("outdated", outdated)
        counts.add("plus", plus)
        counts.add("waiting", answers[.waiting])
        return counts
    }
}
