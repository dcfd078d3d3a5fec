import Foundation

/// A file of a template, as it stands in a folder.
enum TemplateFile {
    /// Whether something stands there, though it be a link that leads nowhere: who put it there
    /// means it, and is told that it cannot be read.
    static func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// The text of a file.
    ///
    /// - Throws: ``TemplateFault`` where it is none, or too large: that is looked at before it is
    ///   read, for a pipe would be waited for.
    static func text(of path: String) throws(TemplateFault) -> String {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular else {
            throw TemplateFault(file: path, reason: "the template cannot be read.")
        }
        guard (attributes[.size] as? Int ?? 0) <= TemplateLibrary.bytesMax else {
            throw TemplateFault(file: path, reason: "the template is larger than a megabyte.")
        }
        guard let data = FileManager.default.contents(atPath: target) else {
            throw TemplateFault(file: path, reason: "the template cannot be read.")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Whether a template may use a word, also one that only looks like it: rather once too often
    /// than too seldom.
    static func mayName(_ word: String, _ text: String) -> Bool {
        text.contains(word) || text.contains(/\{\{[{&#^\/]?\s*\./)
    }
}
