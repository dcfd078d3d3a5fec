import Foundation

/// The files that come with the program: templates, crontab, gazetteer, sample places.
public struct ShippedFiles: Equatable, Sendable {
    /// The folder that contains them all.
    public let root: String
    /// The way in which the folder was found, for `doctor`.
    public let origin: String
    private let placesFolder: String

    /// Finds the files: in `LETSMEET_SHARE`, then in `../share/letsmeet` beside the program's
    /// folder, then in a source checkout above the program.
    ///
    /// - Throws: ``SettingsError/noShippedFiles``.
    public init(program: String, environment: [String: String]) throws(SettingsError) {
        if let share = environment["LETSMEET_SHARE"], !share.isEmpty {
            self.init(root: share, origin: "LETSMEET_SHARE")
            return
        }
        let folder = URL(filePath: program).resolvingSymlinksInPath().deletingLastPathComponent()
        let share = folder.deletingLastPathComponent().appending(path: "share/letsmeet")
        if Self.exists(share, "templates") {
            self.init(root: share.path(percentEncoded: false), origin: "beside the program")
            return
        }
        var candidate = folder
        while candidate.path(percentEncoded: false) != "/" {
            if Self.exists(candidate, "templates"), Self.exists(candidate, "Package.swift") {
                self.init(
                    root: candidate.path(percentEncoded: false), origin: "a source checkout")
                return
            }
            candidate = candidate.deletingLastPathComponent()
        }
        throw .noShippedFiles
    }

    private init(root: String, origin: String) {
        self.root = root.trimmingSuffix("/")
        self.origin = origin
        let sources = self.root + "/Sources/Places/Data"
        placesFolder =
            FileManager.default.fileExists(atPath: sources) ? sources : self.root + "/places"
    }

    private static func exists(_ folder: URL, _ name: String) -> Bool {
        FileManager.default.fileExists(
            atPath: folder.appending(path: name).path(percentEncoded: false))
    }

    /// The folder of the templates.
    public var templates: String { root + "/templates" }
    /// The crontab for a home without its own.
    public var crontab: String { root + "/crontab" }
    /// The folder of the gazetteer.
    public var gazetteer: String { placesFolder + "/gazetteer" }
    /// The table of interests.
    public var interests: String { placesFolder + "/interests.tsv" }
    /// The folder of the sample places.
    public var sample: String { placesFolder + "/helsinki-sample" }
    /// The list of common passwords.
    public var passwords: String {
        let source = root + "/Sources/Secrets/Data/passwords.txt"
        return FileManager.default.fileExists(atPath: source) ? source : root + "/passwords.txt"
    }
    /// The sample address book of the demo.
    public var sampleContacts: String { root + "/templates/demo/people.vcf" }

    /// The notices and licence texts of the programs and their data.
    ///
    /// - Throws: ``SettingsError/unreadable(file:line:reason:)``.
    public func licenceTexts() throws(SettingsError) -> [String] {
        var texts: [String] = []
        for file in [root + "/NOTICE", root + "/LICENSE", sample + "/LICENSE.txt"] {
            do {
                texts.append(try String(contentsOfFile: file, encoding: .utf8))
            } catch {
                throw .unreadable(file: file, line: nil, reason: error.localizedDescription)
            }
        }
        return texts
    }
}
