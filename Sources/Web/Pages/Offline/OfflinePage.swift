import NIOHTTP1
import Wording

/// The page that the browser shows without a network in place of one that it has not kept.
struct OfflinePage: PageModel {
    static let template = "offline"
    static let names = TemplateNames([])

    func title(_ words: PageWords) -> String { words("You are offline") }

    func values(_ words: PageWords) -> TemplateValues { [:] }
}

extension Site {
    /// Pages that the browser keeps for use without a network.
    var offlineRoutes: [Route] {
        [
            Route(.get, "/sw.js") { _ in
                ServiceWorker(world.assets, root: world.address.folder + "/").answer
            },
            route(.get, "/offline") { request, visitor in
                show(OfflinePage(), in: frame(request, visitor))
            },
            route(.post, "/me/offline") { request, visitor in changeKeeping(request) },
        ]
    }

    /// Removes what the browser keeps of the site, and its service worker (W3C Clear Site Data).
    static let clearing = (name: "Clear-Site-Data", value: "\"cache\", \"storage\"")

    private func changeKeeping(_ request: PageRequest) -> PageAnswer {
        let isOff = request.form["keep"] == "off"
        var answer = redirect(to: .me(saved: "me"))
        answer.fields.append(
            SiteCookie.keep.field(
                isOff ? "off" : nil, seconds: Self.yearSeconds, for: world.address, request))
        return answer
    }
}

extension Visitor {
    /// True if the browser of a request may keep pages for use without a network.
    static func keepsPages(_ request: PageRequest, _ address: SiteAddress) -> Bool {
        request.cookie(.keep, for: address) != "off"
    }
}
