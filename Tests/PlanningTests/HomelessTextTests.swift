import Testing

@testable import Planning

struct HomelessTextTests {
    /// A text with the folder that holds homes for each `@`: no path of a machine stands here.
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
    func `Homes name no user`(text: String, shown: String) {
        #expect(HomelessText(home: path("@/anna")).of(path(text)) == path(shown))
        #expect(HomelessText(home: path("@/anna/")).of(path(text)) == path(shown))
    }

    @Test(arguments: [nil, "", "/", "anna"])
    func `A home that tells nothing is not replaced`(home: String?) {
        #expect(
            HomelessText(home: home).of(path("/srv/anna @/bo/x")) == path("/srv/anna @/…/x"))
    }

    @Test func `A home elsewhere is one only where a path begins`() {
        #expect(HomelessText(home: "/data").of("/data/a /srv/data/b") == "~/a /srv/data/b")
    }
}
