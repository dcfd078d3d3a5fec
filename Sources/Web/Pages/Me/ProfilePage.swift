import Agenda
import Ledger
import NIOHTTP1
import Operations
import Planning
import Settings
import Storage
import Timekeeping
import Wording

/// The facts that readers give about themselves.
struct ProfilePage: PageModel {
    static let template = "profile"
    static let names = TemplateNames(
        FieldFault.names + FormMerge.names + [
            "nameValue", "zoneValue", "cityValue", "addressValue", "isOwner", "zoneName",
            "nameFault", "zoneFault", "cityFault", "addressFault", "about", "aboutFault",
            "approves", "shows",
        ],
        lists: ["languages": ["value", "text", "isChosen"]].merging(FieldFault.lists) { $1 }
            .merging(FormMerge.lists) { $1 })

    /// The names of the fields, in the order of the form.
    static func fields(ofOwner isOwner: Bool) -> [String] {
        ["name"] + (isOwner ? ["address"] : []) + ["zone", "language", "city"]
    }

    let merge: FormMerge
    let isOwner: Bool
    /// The time zone in which times are shown now.
    let zoneName: String
    /// What others see of the reader.
    var shown = ShownProfile()
    var faults: [FieldFault] = []

    func title(_ words: PageWords) -> String { words("About you") }

    func values(_ words: PageWords) -> TemplateValues {
        let languages =
            [("", words("As the browser has it"))]
            + Language.allCases.map { ($0.rawValue, $0.ownName) }
        let chosen = Language(tag: merge["language"])?.rawValue ?? ""
        var values: TemplateValues = [
            "nameValue": .text(merge["name"]), "zoneValue": .text(merge["zone"]),
            "cityValue": .text(merge["city"]), "addressValue": .text(merge["address"]),
            "isOwner": .flag(isOwner), "zoneName": .text(zoneName),
            "languages": .list(
                languages.map { value, text in
                    [
                        "value": .text(value == chosen ? merge["language"] : value),
                        "text": .text(text), "isChosen": .flag(value == chosen),
                    ]
                }),
        ]
        for name in ["name", "zone", "city", "address"] {
            values[text: name + "Fault"] = faults.first { $0.field == name }?.text(words)
        }
        values.merge(shown.values) { $1 }
        values.merge(FieldFault.values(faults, words)) { $1 }
        values.merge(merge.values(words) { Self.label($0, words) }) { $1 }
        return values
    }

    private static func label(_ name: String, _ words: PageWords) -> String {
        switch name {
        case "name": words("Name")
        case "address": words("Mail address")
        case "zone": words("Time zone")
        case "language": words("Language")
        default: words("The city where you usually meet")
        }
    }
}

extension Site {
    /// The facts that readers give about themselves.
    var profileRoutes: [Route] {
        [
            route(.get, "/me/profile") { request, visitor in
                var page = Self.profilePage(FormMerge(Self.profile(visitor)), visitor)
                page.shown = ShownProfile(try await visitor.planner.ownProfile())
                var answer = show(page, in: frame(request, visitor))
                // The settings of the owner change without the database, so the page is not kept.
                answer.fields.removeAll { $0.name == "Cache-Control" }
                answer.fields.append(("Cache-Control", "no-store"))
                return answer
            }, route(.post, "/me/profile", setProfile),
            route(.post, "/me/profile/shown", setShownProfile),
        ]
    }

    /// The values as they are: those of the owner are settings.
    private static func profile(_ visitor: Visitor) -> [String: String] {
        let (planner, person) = (visitor.planner, visitor.signedIn.person)
        let configuration = planner.surroundings.configuration
        var values = ["name": person.name, "language": person.language ?? ""]
        if person.id == planner.owner.id {
            values["address"] = configuration[.ownerAddress] ?? ""
            values["zone"] = configuration[.ownerZone] ?? ""
            values["city"] = configuration[.area] ?? ""
        } else {
            values["zone"] = person.zone ?? ""
            values["city"] = visitor.signedIn.account.area ?? ""
        }
        return values
    }

    private static func profilePage(_ merge: FormMerge, _ visitor: Visitor) -> ProfilePage {
        ProfilePage(
            merge: merge, isOwner: visitor.planner.actor.id == visitor.planner.owner.id,
            zoneName: visitor.planner.zone.id)
    }

    private func setProfile(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let isOwner = visitor.planner.actor.id == visitor.planner.owner.id
        let merge = FormMerge(
            request.form, ProfilePage.fields(ofOwner: isOwner), theirs: Self.profile(visitor))
        var page = Self.profilePage(merge, visitor)
        page.shown = ShownProfile(try await visitor.planner.ownProfile())
        guard merge.conflicts.isEmpty else {
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
        let checked = try checkedProfile(&page, visitor)
        guard page.faults.isEmpty else {
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
        do {
            try await (isOwner ? saveSettings : saveProfile)(checked, merge, visitor)
        } catch {
            page.faults = [try FieldFault(error, field: "name")]
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
        if merge.changed.contains("language") {
            try await visitor.planner.chooseLanguage(Language(tag: merge["language"]))
        }
        return redirect(to: .me(saved: "me"))
    }

    private func setShownProfile(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        var shown = ShownProfile()
        shown.about = request.form["about"]
        shown.approves = request.form["approves"] == "on"
        shown.shows = request.form["shows"] == "on"
        do {
            try await visitor.planner.setOwnProfile(
                about: shown.about, approvesFollowers: shown.approves,
                showsFollows: shown.shows)
            return redirect(to: .me(saved: "me"))
        } catch let refusal as Refusal {
            var page = Self.profilePage(FormMerge(Self.profile(visitor)), visitor)
            shown.fault = try sentence(refusal, visitor)
            page.shown = shown
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }

    /// The changed values in the form in which they are saved. Faults stand beside their fields.
    private func checkedProfile(
        _ page: inout ProfilePage, _ visitor: Visitor
    ) throws -> [SettingName: String] {
        let settings: [(field: String, name: SettingName)] = [
            ("name", .ownerName), ("address", .ownerAddress), ("zone", .ownerZone),
            ("city", .area),
        ]
        var checked: [SettingName: String] = [:]
        for (field, name) in settings where page.merge.changed.contains(field) {
            let text = page.merge[field]
            do {
                if name == .ownerName { try visitor.planner.checkOwnName(text) }
                checked[name] =
                    text.isEmpty
                    ? ""
                    : try Planner.answeredSetting(
                        text, for: name, in: visitor.planner.surroundings)
            } catch {
                page.faults.append(try FieldFault(error, field: field))
            }
        }
        return checked
    }

    private func saveProfile(
        _ checked: [SettingName: String], _ merge: FormMerge, _ visitor: Visitor
    ) async throws {
        guard !checked.isEmpty else { return }
        try await visitor.planner.setProfile(
            name: checked[.ownerName] ?? merge["name"], zone: checked[.ownerZone] ?? merge["zone"],
            area: checked[.area] ?? merge["city"])
    }

    private func saveSettings(
        _ checked: [SettingName: String], _ merge: FormMerge, _ visitor: Visitor
    ) async throws {
        guard !checked.isEmpty else { return }
        _ = try await Planner.setUp(visitor.planner.surroundings, checked)
        await reload()
    }
}
