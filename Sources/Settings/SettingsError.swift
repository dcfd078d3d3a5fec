/// An error of the folders and files that configure an installation.
public enum SettingsError: Error, Equatable, CustomStringConvertible {
    /// The home folder cannot be created.
    case homeNotWritable(path: String)
    /// The path of the home folder is a file.
    case homeIsFile(path: String)
    /// The path of the home folder is empty.
    case homeIsEmpty
    /// A configuration file cannot be read.
    case unreadable(file: String, line: Int?, reason: String)
    /// A configuration file cannot be written.
    case unwritable(file: String)
    /// A setting has an invalid value.
    case badValue(name: String, reason: String)
    /// The files that come with letsmeet were not found.
    case noShippedFiles

    /// The error and the remedy, in a sentence.
    public var description: String {
        switch self {
        case .homeNotWritable(let path):
            "The home folder \(path) cannot be created. Choose another one."
        case .homeIsFile(let path):
            "\(path) is a file, not a folder. Choose another home folder, or move the file."
        case .homeIsEmpty:
            "The name of the home folder is empty."
        case .unreadable(let file, let line, let reason):
            "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason)"
        case .unwritable(let file):
            "\(file) cannot be written. Check who owns its folder, and whether the disk is full."
        case .badValue(let name, let reason):
            "\(name): \(reason)"
        case .noShippedFiles:
            "The files that come with letsmeet (templates, gazetteer) were not found. Set "
                + "LETSMEET_SHARE to the folder that contains them."
        }
    }
}

/// The version of letsmeet.
public enum Version {
    /// The current version, by Semantic Versioning 2.0.0.
    public static let current = "0.2.0"
}
