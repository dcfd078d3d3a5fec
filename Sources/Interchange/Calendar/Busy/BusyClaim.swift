/// The kind of time that an event takes, stored as its STATUS.
enum BusyClaim: String {
    case firm = "CONFIRMED"
    case tentative = "TENTATIVE"
    case none = "CANCELLED"

    /// The claim of an event; see ``BusyCalendar`` for the rules.
    ///
    /// - Parameters:
    ///   - event: the component.
    ///   - addresses: the owner's mail addresses, to find the owner's answer.
    init(of event: CalendarComponent, addresses: [String]) {
        let status = event.line("STATUS")?.plainText.uppercased()
        let answer = CalendarEntry.participation(of: addresses, in: event)
        guard status != "CANCELLED", answer != "DECLINED" else {
            self = .none
            return
        }
        let isTentative =
            status == "TENTATIVE" || ["TENTATIVE", "NEEDS-ACTION"].contains(answer ?? "")
        let sure: Self = isTentative ? .tentative : .firm
        // Outlook's own property is more exact.
        switch event.line("X-MICROSOFT-CDO-BUSYSTATUS")?.plainText.uppercased() {
        case "FREE", "WORKINGELSEWHERE": self = .none
        case "TENTATIVE": self = .tentative
        case "BUSY", "OOF": self = sure
        default: self = event.isTransparent ? .none : sure
        }
    }
}

extension CalendarComponent {
    /// True if the event takes no time by its TRANSP; a whole day takes none by default.
    fileprivate var isTransparent: Bool {
        switch line("TRANSP")?.plainText.uppercased() {
        case "TRANSPARENT": true
        case "OPAQUE": false
        default: isOfDays
        }
    }
}
