import Testing

@testable import Planning

struct HomelessTextTests {
    /// The text with the parent folder of home folders in place of each `@`. Written so that this
    /// file contains no path of a real machine.
    private func path(_ text: String) -> String {
        text.split(separator: "@", omittingEmptySubsequences: false).joined(separator: "/" + "home")
    }

    @Test(arguments: [
        ("@/anna/x.yaml, line 3: a", "~/x.yaml, line 3: a"),
        ("The disk of @/anna/x refused", "The disk of ~/x refused"),
        ("see \"@/anna\".", "see \"~\"."), ("in @/anna.", "in ~."),
        ("@/annabel/x", "@/…/x"), ("@/ann", "@/…"),
        ("@/anna.old/x", "@/…/x"), ("/mnt@/anna/x", "/mnt@/…/x"),
        ("@/bo, @/anna/a and @/cy.", "@/…, ~/a and @/…."),
        ("HOME=@/anna", "HOME=~"), ("@/", "@/"), ("no path", "no path"),
    ])
    func `Home folders are shown without user names`(text: String, shown: String) {
        #expect(HomelessText(home: path("@/anna")).of(path(text)) == path(shown))
        #expect(HomelessText(home: path("@/anna/")).of(path(text)) == path(shown))
    }

    @Test(arguments: [nil, "", "/", "anna"])
    func `A missing or invalid home is not replaced`(home: String?) {
        #expect(
            HomelessText(home: home).of(path("/srv/anna @/bo/x")) == path("/srv/anna @/…/x"))
    }

    @Test func `A home in another folder is replaced only at the start of a path`() {
        #expect(HomelessText(home: "/data").of("/data/a /srv/data/b") == "~/a /srv/data/b")
    }
}
