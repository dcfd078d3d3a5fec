import Agenda
import Glibc
import NIOHTTP1
import Operations
import Planning
import Settings
import Storage
import Wording

/// The short set-up of a new installation.
struct WelcomePage: PageModel {
    static let template = "welcome"
    static let names = TemplateNames(
        FieldFault.names + [
            "nameValue", "addressValue", "zoneValue", "cityValue", "nameFault", "addressFault",
            "zoneFault", "cityFault",
        ], lists: FieldFault.lists)

    var name = ""
    var address = ""
    var zone = ""
    var city = ""
    var faults: [FieldFault] = []

    func title(_ words: PageWords) -> String { words("Welcome to letsmeet") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "nameValue": .text(name), "addressValue": .text(address), "zoneValue": .text(zone),
            "cityValue": .text(city),
        ]
        values.merge(FieldFault.values(faults, words)) { $1 }
        for field in ["name", "address", "zone", "city"] {
            values[text: field + "Fault"] = faults.first { $0.field == field }?.text(words)
        }
        return values
    }
}

extension Site {
    /// The set-up.
    var welcomeRoutes: [Route] {
        [
            route(.get, "/welcome", welcome), route(.post, "/welcome", setUp),
            route(.post, "/welcome/sample", addSamples),
        ]
    }

    /// True if the owner has said nothing about themselves, and nothing is planned.
    func isFresh(_ planner: Planner) async throws -> Bool {
        guard planner.actor.id == planner.owner.id,
            planner.surroundings.configuration.entry(.ownerName) == nil
        else { return false }
        let hasPeople = try await !planner.firstPeople(limit: 1).rows.isEmpty
        var anyMeeting = MeetingQuery(.coming)
        anyMeeting.countMax = 1
        let hasMeetings = try await !planner.meetings(anyMeeting).meetings.isEmpty
        return !hasPeople && !hasMeetings
    }

    private func welcome(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try visitor.planner.checkIsOwner(to: "change the settings")
        let configuration = visitor.planner.surroundings.configuration
        let page = WelcomePage(
            name: visitor.signedIn.person.name, address: configuration[.ownerAddress] ?? "",
            zone: configuration[.ownerZone] ?? "", city: configuration[.area] ?? "")
        return show(page, in: frame(request, visitor))
    }

    private func setUp(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let form = request.form
        var page = WelcomePage(
            name: form["name"], address: form["address"], zone: form["zone"], city: form["city"])
        let answers: [(field: String, name: SettingName, text: String)] = [
            ("name", .ownerName, page.name), ("address", .ownerAddress, page.address),
            ("zone", .ownerZone, page.zone), ("city", .area, page.city),
        ]
        try visitor.planner.checkIsOwner(to: "change the settings")
        let surroundings = visitor.planner.surroundings
        var values: [SettingName: String] = [:]
        for (field, name, text) in answers {
            do {
                values[name] = try Planner.answeredSetting(text, for: name, in: surroundings)
            } catch {
                page.faults.append(FieldFault(field: field, text: try sentence(error, visitor)))
            }
        }
        guard page.faults.isEmpty else {
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
        _ = try await Planner.setUp(surroundings, values)
        await reload()
        return redirect(to: .new(saved: "welcome"))
    }

    private func addSamples(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let file = visitor.planner.surroundings.shipped.templates + "/demo/people.vcf"
        // The refusal of a missing file would name its path.
        guard access(file, R_OK) == 0 else { throw Refusal(missing: file) }
        _ = try await visitor.planner.importSentPeople(file)
        return redirect(to: .new(saved: "samples"))
    }
}
