public import Ledger
public import Planning

/// What a run of a job came to.
public struct JobReport: Sendable {
    /// How it ended.
    public let state: JobRun.State
    /// What it did, or why it failed, in words.
    public let words: String
    /// Why it failed, where that is known in one of the forms in which requests are refused.
    public let refusal: Refusal?

    init(_ state: JobRun.State, _ words: String, refusal: Refusal? = nil) {
        self.state = state
        self.words = words
        self.refusal = refusal
    }

    static func done(_ words: String) -> JobReport { JobReport(.done, words) }
    static func failed(_ words: String) -> JobReport { JobReport(.failed, words) }
    static func failed(_ refusal: Refusal) -> JobReport {
        JobReport(.failed, refusal.message, refusal: refusal)
    }
}
