/// What can be wrong with the folders and files that an installation is set up with.
public enum SettingsError: Error, Equatable, CustomStringConvertible {
    /// The home folder cannot be made.
    case homeNotWritable(path: String)
    /// What should be the home folder is a file.
    case homeIsFile(path: String)
    /// A configuration file cannot be read.
    case unreadable(file: String, line: Int?, reason: String)
    /// A configuration file cannot be written.
    case unwritable(file: String)
    /// A setting has a value that it cannot have.
    case badValue(name: String, reason: String)
    /// The shipped files are nowhere to be found.
    case noShippedFiles

    /// What happened and what to do, in a sentence.
    public var description: String {
        switch self {
        case .homeNotWritable(let path):
            "The home folder \(path) cannot be made. Name another one with --home."
        case .homeIsFile(let path):
            "\(path) is a file, and no folder. Name another home with --home, or move it away."
        case .unreadable(let file, let line, let reason):
            "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason)"
        case .unwritable(let file):
            "\(file) cannot be written: see who owns its folder, and whether the disk is full."
        case .badValue(let name, let reason):
            "\(name): \(reason)"
        case .noShippedFiles:
            "The shipped files (templates, gazetteer) were not found beside the program. "
                + "Set LETSMEET_SHARE to the folder that holds them."
        }
    }
}
