import Agenda
import Ledger
import Timekeeping
import Wording

/// What a program reads of a delivery: every field is there, also one that says nothing.
struct DeliveryPayload {
    private let outgoing: OutgoingMessage

    init(_ outgoing: OutgoingMessage) {
        self.outgoing = outgoing
    }

    /// The fields, by name, as everything that programs read has them.
    var json: JSONObjectText {
        var facts = JSONObjectText()
        let isOfMeeting = outgoing.kind.isAboutMeeting
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
        // Of those who read it together nobody is named.
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
    /// How many said what, and how many come beside them.
    fileprivate var json: JSONObjectText {
        var counts = JSONObjectText()
        counts.add("declined", answers[.declined])
        counts.add("going", answers[.going])
        counts.add("invited", answers[.invited])
        counts.add("maybe", answers[.maybe])
        counts.add("plus", plus)
        counts.add("waiting", answers[.waiting])
        return counts
    }
}
