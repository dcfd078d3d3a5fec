import Storage
import Wording

/// What a profile says of the reader, as a form changes it.
struct ShownProfile {
    var about = ""
    /// True if the reader decides on each follower.
    var approves = false
    /// True if others see who follows the reader, and whom they follow.
    var shows = false
    /// The reason why it was not saved.
    var fault: String?

    /// An empty profile.
    init() {}

    /// The profile as it is; empty without an account.
    init(_ profile: PublicProfile?) {
        about = profile?.about ?? ""
        approves = profile?.approvesFollowers ?? false
        shows = profile?.showsFollows ?? false
    }

    var values: TemplateValues {
        var values: TemplateValues = [
            "about": .text(about), "approves": .flag(approves), "shows": .flag(shows),
        ]
        values[text: "aboutFault"] = fault
        return values
    }
}
