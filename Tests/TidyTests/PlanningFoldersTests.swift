import Testing

struct PlanningFoldersTests {
    @Test func `The folders of Planning use each other only as the table allows`() {
        expectNone(PlanningFolders.forbidden(in: Repository.sources))
    }

    @Test func `Every folder of Planning has a row, and every row a folder`() {
        let folders = Repository.entries(of: "Sources/Planning")
        #expect(folders == PlanningFolders.allowed.keys.sorted())
    }

    @Test func `Drafting contains no await`() {
        expectNone(Repository.sources.flatMap(PlanningFolders.waits))
    }

    @Test(arguments: [
        ("Drafting", 1), ("Answers", 0), ("Meetings", 0),
    ])
    func `A use that the table does not allow is found`(folder: String, count: Int) {
        let home = snippet(
            "public struct MeetingLine {}", path: "Sources/Planning/Meetings/A.swift")
        let user = snippet("let a: MeetingLine", path: "Sources/Planning/\(folder)/B.swift")
        #expect(PlanningFolders.forbidden(in: [home, user]).count == count)
    }

    @Test func `An await in Drafting is found`() {
        let path = "Sources/Planning/Drafting/A.swift"
        #expect(PlanningFolders.waits(in: snippet("let a = await b()", path: path)).count == 1)
    }
}
