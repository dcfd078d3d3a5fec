public import Agenda
import Places
public import Settings
import Timekeeping
public import Wording

extension PlannerSurroundings {
    /// The time before a wait is shown: one second.
    private static let quietMilliseconds: Int64 = 1000
    /// The longest time for which a wait is shown: a day. No request takes longer.
    private static let noticeSecondsMax: Int64 = 86_400

    /// Sends a request to a service, and shows the name of the service if the answer takes long.
    func awaiting<Value: Sendable>(
        _ service: PlaceService, _ body: () async throws -> Value
    ) async throws -> Value {
        // When the body returns, this child task is cancelled and awaited.
        async let _ = tellOfSilence(of: service)
        return try await body()
    }

    /// Shows after one second that a service has not answered, until the task is cancelled.
    private func tellOfSilence(of service: PlaceService) async {
        do throws(CancellationError) {
            try await waitClock.sleep(
                until: waitClock.now.advanced(byMilliseconds: Self.quietMilliseconds))
        } catch {
            return
        }
        showAwaited(service.rawValue)
        try? await waitClock.sleep(
            until: waitClock.now.advanced(bySeconds: Self.noticeSecondsMax))
        showAwaited(nil)
    }
}

extension PlannerSurroundings {
    /// The language of people who have not chosen one.
    public var standardLanguage: Language {
        configuration[.language].flatMap(Language.init(tag:)) ?? .english
    }

    /// Checks the setting of the language. With an unknown one, people would get English texts, and
    /// nobody would notice.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
    public func checkLanguage() throws(SettingsError) {
        guard let tag = configuration[.language], let reason = Language.fault(of: tag) else {
            return
        }
        throw .badValue(name: configuration.place(of: .language), reason: reason)
    }

    /// The language of messages to a person.
    public func language(of person: Person) -> Language {
        person.language.flatMap(Language.init(tag:)) ?? standardLanguage
    }

    /// The templates of the home folder, and the built-in ones.
    ///
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
    public func templateLibrary() throws(TemplateFault) -> TemplateLibrary {
        try TemplateLibrary(
            shipped: shipped.templates, own: home.templates, zones: zones,
            standard: standardLanguage)
    }
}
