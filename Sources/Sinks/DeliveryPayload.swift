import Agenda
import Ledger
import Timekeeping
import Wording

/// What a program reads of a delivery: every field is there, also one that says nothing.
struct DeliveryPayload {
    private let parcel: OutgoingMessage

    init(_ parcel: OutgoingMessage) {
        self.parcel = parcel
    }

    /// The fields, by name, as everything that programs read has them.
    var json: JSONObjectText {
        var facts = JSONObjectText()
        let isOfMeeting = parcel.kind.isAboutMeeting
        if let audience = parcel.audience {
            facts.add("answers", parcel.turnout?.json)
            facts.add("audience", audience)
        }
        facts.add("due", parcel.due.utcText)
        facts.add("id", parcel.identity)
        facts.add("kind", parcel.kind.rawValue)
        facts.add("meeting", isOfMeeting ? parcel.meeting : nil)
        if !parcel.occurrence.isEmpty { facts.add("occurrence", parcel.occurrence) }
        facts.add("start", isOfMeeting ? parcel.start : nil)
        facts.add("subject", parcel.subject)
        facts.add("text", parcel.text)
        facts.add("title", isOfMeeting ? parcel.title : nil)
        // Of those who read it together nobody is named.
        if parcel.audience == nil {
            facts.add("to") { receiver in
                receiver.add("address", parcel.address.isEmpty ? nil : parcel.address)
                receiver.add("name", parcel.name)
            }
        }
        facts.add("tz", isOfMeeting ? parcel.zone : nil)
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
