import Agenda
import Ledger
import Timekeeping

/// What a program reads of a delivery: every field is there, also one that says nothing.
struct ParcelFacts: Encodable {
    private let parcel: Parcel

    init(_ parcel: Parcel) {
        self.parcel = parcel
    }

    private enum CodingKeys: String, CodingKey {
        case id, kind, to, audience, answers, meeting, title, start, tz, due, subject, text
    }

    private enum ReceiverKeys: String, CodingKey { case name, address }

    func encode(to encoder: any Encoder) throws {
        var facts = encoder.container(keyedBy: CodingKeys.self)
        let isOfMeeting = parcel.kind.isAboutMeeting
        try facts.encode(parcel.identity, forKey: .id)
        try facts.encode(parcel.kind.rawValue, forKey: .kind)
        try encodeReceiver(in: &facts)
        try facts.encode(isOfMeeting ? parcel.meeting : nil, forKey: .meeting)
        try facts.encode(isOfMeeting ? parcel.title : nil, forKey: .title)
        try facts.encode(isOfMeeting ? parcel.start : nil, forKey: .start)
        try facts.encode(isOfMeeting ? parcel.zone : nil, forKey: .tz)
        try facts.encode(parcel.due.utcText, forKey: .due)
        try facts.encode(parcel.subject, forKey: .subject)
        try facts.encode(parcel.text, forKey: .text)
    }

    /// Of those who read it together nobody is named; how many said what is told in their place.
    private func encodeReceiver(in facts: inout KeyedEncodingContainer<CodingKeys>) throws {
        guard let audience = parcel.audience else {
            var receiver = facts.nestedContainer(keyedBy: ReceiverKeys.self, forKey: .to)
            try receiver.encode(parcel.name, forKey: .name)
            try receiver.encode(
                parcel.address.isEmpty ? nil : parcel.address, forKey: .address)
            return
        }
        try facts.encode(audience, forKey: .audience)
        try facts.encode(parcel.turnout.map(AnswerFacts.init), forKey: .answers)
    }
}

/// How many said what, and how many come beside them.
private struct AnswerFacts: Encodable {
    let invited: Int
    let going: Int
    let maybe: Int
    let declined: Int
    let waiting: Int
    let plus: Int

    init(_ turnout: Turnout) {
        invited = turnout.answers[.invited]
        going = turnout.answers[.going]
        maybe = turnout.answers[.maybe]
        declined = turnout.answers[.declined]
        waiting = turnout.answers[.waiting]
        plus = turnout.plus
    }
}
