import Foundation
import NIOHTTP1
public import Wording

extension Site {
    /// The names of the pages, each with the variables that its template may use.
    public static var pages: [String: TemplateNames] {
        let forms: [any PageModel.Type] = [
            EnterPage.self, SignInPage.self, CodePage.self, ProblemPage.self, TodayPage.self,
            MeetingsPage.self, MeetingPage.self,
            NewPage.self, EditPage.self, InvitePage.self, MessagePage.self, ConfirmPage.self,
            LinksPage.self, StoryPage.self, MePage.self, PeoplePage.self, PlacesPage.self,
            WelcomePage.self, MailPage.self, PersonMergePage.self, PersonConfirmPage.self,
            DemoPage.self, DemoEndPage.self, FeedsPage.self, PersonPage.self, PersonFormPage.self,
            PlacePage.self, PlaceFormPage.self, AboutPage.self,
            CirclesPage.self, CirclePage.self, CircleAddPage.self, CircleEditPage.self,
            CircleConfirmPage.self, ChannelsPage.self, BusyCalendarsPage.self,
        ]
        return Dictionary(
            uniqueKeysWithValues: forms.map { form in
                (form.template, TemplateNames(of: Frame.sample).union(form.names))
            })
    }

    /// All routes of the site.
    public var routes: [Route] {
        [world.assets.route, manifestRoute] + enterRoutes + todayRoutes + meetingsRoutes
            + meetingRoutes + newRoutes + changeRoutes + storyRoutes + peopleRoutes + placesRoutes
            + meRoutes + feedsRoutes + welcomeRoutes + importRoutes + mailRoutes + passkeyRoutes
            + demoRoutes + invitedRoutes + liveRoutes + exportRoutes + contactRoutes
            + aboutRoutes + allCircleRoutes + channelRoutes + busyCalendarRoutes
    }

    private var changeRoutes: [Route] {
        editRoutes + inviteRoutes + messageRoutes + confirmRoutes + linksRoutes
    }

    private var manifestRoute: Route {
        Route(.get, "/manifest.webmanifest") { _ in
            let world = world
            let manifest = WebManifest(
                root: world.address.folder + "/", icon: world.assets.name(of: "icon.svg"))
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return PageAnswer(
                .ok, "application/manifest+json",
                String(decoding: try encoder.encode(manifest), as: UTF8.self))
        }
    }
}

/// The facts by which browsers put the site on a home screen (W3C Web Application Manifest).
private struct WebManifest: Encodable {
    struct Icon: Encodable {
        let src: String
        let sizes = "any"
        let type = "image/svg+xml"
    }

    let name = "letsmeet"
    let startUrl: String
    let scope: String
    let display = "standalone"
    let backgroundColor = "#faf8f4"
    let themeColor = "#faf8f4"
    let icons: [Icon]

    init(root: String, icon: String) {
        startUrl = root
        scope = root
        icons = [Icon(src: "\(root)a/\(icon)")]
    }
}
