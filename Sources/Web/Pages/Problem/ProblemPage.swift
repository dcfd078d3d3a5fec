import Wording

/// The page that says why there is no other.
struct ProblemPage: PageModel {
    static let template = "problem"
    static let names = TemplateNames(["text", "advice", "number"])

    /// The code of the problem.
    let code: String
    /// The number of the request, for the log.
    let number: String
    /// A sentence that says what is wrong; `nil` for the usual one.
    var message: String?

    func title(_ words: PageWords) -> String {
        switch code {
        case "not_found", "no_such_page": words("There is nothing here")
        case "forged": words("That did not come from here")
        case "internal": words("Something went wrong")
        case "method_not_allowed": words("This page cannot do that")
        case "not_organizer", "not_allowed": words("That is not for you to change")
        default: words("This did not work")
        }
    }

    /// The cause, in the words of the page.
    private func text(_ words: PageWords) -> String {
        if let message { return words.refusal(code) ?? message }
        return switch code {
        case "not_found", "no_such_page":
            words("The address is wrong, or the page is not for you. Check the link.")
        case "forged":
            words(
                "The form was sent by another page, so nothing was changed. Go back and try again.")
        case "internal":
            words("The page could not be made. What was saved before is not lost.")
        case "disk_full":
            words("Nothing was saved, because this installation has no room left. Try again later.")
        case "busy":
            words("Nothing was saved, because too much is going on. Try again in a moment.")
        case "too_slow":
            words(
                "Nothing was saved, because the request took too long. Try again in a moment, or "
                    + "ask for less.")
        case "too_large":
            words(
                "What you sent is too large, so nothing was saved. A file may have 25 MB, a form "
                    + "64 kB. Go back to shorten it.")
        case "method_not_allowed":
            words("This address takes no such request, so nothing was changed.")
        case "other_host":
            words("This server is not the one that the address names. Nothing was changed.")
        default: words("Your browser sent something that was not understood.")
        }
    }

    /// The advice, unless the text says so.
    private func advice(_ words: PageWords) -> String? {
        switch code {
        case "forged", "disk_full", "busy", "too_slow", "too_large": nil
        case "not_found", "no_such_page", "not_allowed": words("Nothing was changed.")
        case "internal":
            words(
                "Go back, look whether your change was made, and try again. If it happens again, "
                    + "tell who runs this installation the number of the request.")
        case "method_not_allowed", "other_host": words("Check the link, or go to Today.")
        case "not_organizer":
            words("Nothing was changed. Ask the organizer, or go back.")
        default: words("Nothing was changed. Go back and try again.")
        }
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = ["text": .text(text(words))]
        values[text: "advice"] = advice(words)
        values[text: "number"] = number
        return values
    }
}
