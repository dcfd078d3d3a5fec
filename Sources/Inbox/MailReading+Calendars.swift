extension MailReading {
    /// The purposes of calendar objects that are no answers, by their method (RFC 5546, 1.4) in
    /// capitals. An object without a method is for information, as one with PUBLISH.
    fileprivate static let purposes = [
        "REQUEST": "it is an invitation, and not an answer",
        "PUBLISH": "its calendar object is for information only, and not an answer",
        "": "its calendar object is for information only, and not an answer",
        "CANCEL": "it cancels a meeting, and is not an answer",
        "ADD": "it adds a date to a meeting, and is not an answer",
        "REFRESH": "it asks for the invitation again, and is not an answer",
        "DECLINECOUNTER": "it refuses a proposed time, and is not an answer",
    ]
}

/// The reasons why mails with calendar objects are not taken, as `mail ignored` shows them.
extension MailReading.Obstacle {
    /// The reason why a mail with calendar objects, but without a readable answer in them, is not
    /// taken.
    ///
    /// - Parameter methods: the methods of the calendar objects in capitals (RFC 5546, 1.4), empty
    ///   for objects without one.
    init(inCalendars methods: [String]) {
        let isAnswer = methods.contains(where: MailReading.methods.contains)
        let told = isAnswer ? nil : methods.lazy.compactMap { MailReading.purposes[$0] }.first
        self.init(reason: told ?? "its calendar object is not a valid reply")
    }
}
