/// The links of one reader. An answer through such a link counts as the reader's own.
public struct NotificationLinks: Hashable, Sendable {
    /// The links for the three answers.
    public struct Answers: Hashable, Sendable {
        let yes: String
        let maybe: String
        let no: String

        /// Creates the links for the three answers.
        public init(yes: String, maybe: String, no: String) {
            self.yes = yes
            self.maybe = maybe
            self.no = no
        }
    }

    /// The URL of the reader's guest page of the meeting.
    let page: String?
    private let answers: Answers?
    /// The URL to unsubscribe from notifications of this kind.
    public let stop: String?
    /// True if the links are private to the reader.
    public let isPersonal: Bool

    /// Links to a guest page; to one occurrence of a recurring meeting if `date` names one.
    public init(page: String, on date: String = "", stop: String? = nil) {
        let own = date.isEmpty ? page : "\(page)?date=\(date)"
        self.page = own
        self.stop = stop
        isPersonal = true
        // The page opens with this answer selected; the guest confirms it with a button.
        let answer = own + (date.isEmpty ? "?" : "&") + "answer="
        answers = Answers(yes: "\(answer)yes", maybe: "\(answer)maybe", no: "\(answer)no")
    }

    /// Links that answer by mail. Signed links go to an address made for this reader alone.
    public init(replies: Answers, areSigned: Bool = false, stop: String? = nil) {
        page = nil
        answers = replies
        self.stop = stop
        isPersonal = areSigned || stop != nil
    }

    /// Only the link to unsubscribe: the notification has nothing to answer.
    public init(stop: String) {
        page = nil
        answers = nil
        self.stop = stop
        isPersonal = true
    }

    /// The names of all variables that a template can use.
    static let wordNames: Set<String> = [
        "answerLink", "yesLink", "maybeLink", "noLink", "hasAnswers", "stopLink",
    ]

    /// The values of the variables in ``wordNames``, by name.
    var words: TemplateValues {
        var words: TemplateValues = ["hasAnswers": .flag(answers != nil)]
        words[text: "answerLink"] = page
        words[text: "yesLink"] = answers?.yes
        words[text: "maybeLink"] = answers?.maybe
        words[text: "noLink"] = answers?.no
        words[text: "stopLink"] = stop
        return words
    }
}
