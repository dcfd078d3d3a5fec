/// The content of the news about who follows an account, or whom it follows.
public struct FollowFacts: Sendable {
    /// The news.
    public enum News: CaseIterable, Sendable {
        /// Somebody follows the reader.
        case follows
        /// Somebody asks to follow the reader.
        case asks
        /// Further accounts followed the reader, or asked to, within some minutes.
        case others
        /// Somebody accepted the reader as a follower.
        case accepted
    }

    let news: News
    let reader: String
    /// The name of the other person; empty if there are several.
    let name: String
    /// The address of a page about it; `nil` if the pages have no public address.
    let link: String?

    /// Collects the content.
    ///
    /// - Parameters:
    ///   - news: the news.
    ///   - name: the name of the other person; empty if there are several.
    ///   - reader: the name of the reader.
    ///   - link: the address of a page about it; `nil` if the pages have no public address.
    public init(_ news: News, about name: String, for reader: String, link: String?) {
        self.news = news
        self.name = name
        self.reader = reader
        self.link = link
    }

    static let wordNames: Set<String> = [
        "reader", "name", "link", "isNew", "isRequest", "isOthers", "isAccepted",
    ]

    var words: TemplateValues {
        var words: TemplateValues = [
            "reader": .text(reader), "name": .text(name), "isNew": .flag(news == .follows),
            "isRequest": .flag(news == .asks), "isOthers": .flag(news == .others),
            "isAccepted": .flag(news == .accepted),
        ]
        words[text: "link"] = link
        return words
    }

    static let sample = FollowFacts(
        .asks, about: "Anna", for: "Olga", link: "https://meet.example.org/me/followers")
    static let samples = News.allCases.map {
        FollowFacts($0, about: "Anna", for: "Olga", link: $0 == .follows ? nil : sample.link)
    }
}
