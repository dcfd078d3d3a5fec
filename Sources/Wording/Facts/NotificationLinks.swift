/// The links of one reader: what they say by them counts as theirs.
public struct NotificationLinks: Hashable, Sendable {
    /// By what each answer is given.
    public struct Answers: Hashable, Sendable {
        let yes: String
        let maybe: String
        let no: String

        /// Names them.
        public init(yes: String, maybe: String, no: String) {
            self.yes = yes
            self.maybe = maybe
            self.no = no
        }
    }

    /// Their page of the meeting.
    let page: String?
    private let answers: Answers?
    /// Where no more of this kind is asked for.
    public let stop: String?
    /// Whether nobody else may have them.
    public let isPersonal: Bool

    /// Answers are given on a page; to one date of a meeting that repeats, where one is named.
    public init(page: String, on date: String = "", stop: String? = nil) {
        let own = date.isEmpty ? page : "\(page)?date=\(date)"
        self.page = own
        self.stop = stop
        isPersonal = true
        // The page opens with what was chosen, and a press of its button says it.
        let answer = own + (date.isEmpty ? "?" : "&") + "answer="
        answers = Answers(yes: "\(answer)yes", maybe: "\(answer)maybe", no: "\(answer)no")
    }

    /// Answers are given by mail; to an address of the reader's own, where they are signed.
    public init(replies: Answers, areSigned: Bool = false, stop: String? = nil) {
        page = nil
        answers = replies
        self.stop = stop
        isPersonal = areSigned || stop != nil
    }

    /// There is nothing to answer.
    public init(stop: String) {
        page = nil
        answers = nil
        self.stop = stop
        isPersonal = true
    }

    /// Every word that a template may use.
    static let wordNames: Set<String> = [
        "answerLink", "yesLink", "maybeLink", "noLink", "hasAnswers", "stopLink",
    ]

    /// The words that a template may use, by name: those of ``wordNames``.
    var words: [String: Any] {
        var words: [String: Any] = ["hasAnswers": answers != nil]
        words["answerLink"] = page
        words["yesLink"] = answers?.yes
        words["maybeLink"] = answers?.maybe
        words["noLink"] = answers?.no
        words["stopLink"] = stop
        return words
    }
}
