import Wording

/// The links from one page of a long list to the pages before and after it.
struct Pager: Sendable {
    /// The variables of the part of the template.
    static let names = ["hasPages", "previousPage", "nextPage"]

    /// The path of the page before this one, without the slash at its beginning; `nil` on the first
    /// page.
    let previous: String?
    /// The path of the page after this one, without the slash at its beginning; `nil` on the last
    /// page.
    let next: String?

    /// The links of a page.
    ///
    /// - Parameters:
    ///   - number: the number of the page, from 1.
    ///   - hasNext: true if there is a page after it.
    ///   - path: the path of a page by its number.
    init(_ number: Int, hasNext: Bool, path: (Int) -> String) {
        previous = number > 1 ? path(number - 1) : nil
        next = hasNext ? path(number + 1) : nil
    }

    /// The variables of the part of the template.
    var values: TemplateValues {
        var values: TemplateValues = ["hasPages": .flag(previous != nil || next != nil)]
        values[text: "previousPage"] = previous
        values[text: "nextPage"] = next
        return values
    }
}
