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
            CircleConfirmPage.self, OfflinePage.self, AddressesPage.self, AddressConfirmPage.self,
            RemindersPage.self, ProfilePage.self, DeleteAccountPage.self, TaskPage.self,
            PecksPage.self, PeckPage.self, TasksPage.self, ChannelsPage.self,
            BusyCalendarsPage.self, BackupPage.self, OpenFeedPage.self,
            AccountPage.self, FollowersPage.self, FollowingPage.self,
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
            + aboutRoutes + allCircleRoutes + offlineRoutes + taskRoutes + ownRoutes
            + openFeedRoutes + seatRoutes + peckRoutes
    }

    /// The settings of an account.
    private var ownRoutes: [Route] {
        addressRoutes + reminderRoutes + profileRoutes + deleteAccountRoutes + channelRoutes
            + busyCalendarRoutes + ownPictureRoutes + backupRoutes + followRoutes
            + accountRoutes
    }

    private var changeRoutes: [Route] {
        editRoutes + inviteRoutes + messageRoutes + confirmRoutes + linksRoutes
    }

    private var manifestRoute: Route {
        Route(.get, "/manifest.webmanifest") { _ in
            let world = world
            let manifest = WebManifest(
                root: world.address.folder + "/", nameOf: world.assets.name(of:))
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
        let sizes: String
        let type: String
        let purpose: String
    }

    let id: String
    let name = "letsmeet"
    let shortName = "letsmeet"
    let startUrl: String
    let scope: String
    let display = "standalone"
    let backgroundColor = "#faf8f4"
    let themeColor = "#faf8f4"
    let icons: [Icon]

    /// Creates the manifest.
    ///
    /// - Parameters:
    ///   - root: the absolute path of the site, with a slash at its end.
    ///   - nameOf: returns the name of a file with its hash.
    init(root: String, nameOf: (String) -> String) {
        id = root
        startUrl = root
        scope = root
        icons = [
            ("icon.svg", "any", "image/svg+xml", "any"),
            ("icon-192.png", "192x192", "image/png", "any"),
            ("icon-512.png", "512x512", "image/png", "any"),
            ("icon-maskable.svg", "any", "image/svg+xml", "maskable"),
        ].map { file, sizes, type, purpose in
            Icon(src: "\(root)a/\(nameOf(file))", sizes: sizes, type: type, purpose: purpose)
        }
    }
}
