import Wording

extension GuestController {
    /// Shows a problem of a guest page to a guest, who has no account and no other page to go to.
    ///
    /// - Parameters:
    ///   - problem: the problem.
    ///   - request: the request that failed.
    /// - Returns: the page of the meeting if only its form was refused, or else a page with the
    ///   reason; `nil` for requests for other pages.
    public func problemPage(_ problem: Problem, _ request: PageRequest) async -> PageAnswer? {
        guard ["/g/", "/u/"].contains(where: request.path.hasPrefix),
            let reason = Self.reason(problem, in: language(of: request))
        else { return nil }
        if problem.code == "too_large", let form = try? await refusedForm(problem, request) {
            return form
        }
        let depth = request.path.count { $0 == "/" } - 2
        return lost(LostPageFacts(depth: depth, problem: reason), problem.status, request)
    }

    /// The page of a meeting whose form was too large to be read; `nil` for other pages.
    private func refusedForm(
        _ problem: Problem, _ request: PageRequest
    ) async throws -> PageAnswer? {
        let parts = request.path.dropFirst("/g/".count).split(
            separator: "/", omittingEmptySubsequences: false)
        guard request.path.hasPrefix("/g/"), parts.count == 1, let token = parts.first,
            var facts = try await facts(by: token, request)
        else { return nil }
        facts.problem = Self.reason(problem, in: facts.language)
        return page(facts, problem.status)
    }

    /// The reason for guests, in their language; `nil` if guests are told the same as others.
    private static func reason(_ problem: Problem, in language: Language) -> String? {
        let english: String? =
            switch problem.code {
            case "too_large":
                "Your message is too long, and your answer was not saved. Shorten it, and answer "
                    + "again."
            case "method_not_allowed": "This page cannot do that. Nothing was changed."
            case "disk_full", "busy", "too_slow": problem.detail
            case "internal":
                "The page could not be made. Open your link again to see what is saved."
            default: nil
            }
        return english.map { language.problem(problem.code) ?? $0 }
    }
}
