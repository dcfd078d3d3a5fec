import Foundation
import StreamSafe

/// Reads template files.
enum TemplateFile {
    /// True if there is a file or a link at the path. A broken link counts, so that the author of
    /// the template gets an error instead of no effect.
    static func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// The text of a file.
    ///
    /// - Throws: ``TemplateFault`` if it is not a regular file or is too large. Both are checked
    ///   before reading, because reading a pipe would block.
    static func text(of path: String) throws(TemplateFault) -> String {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular else {
            throw TemplateFault(file: path, reason: "the template cannot be read.")
        }
        guard (attributes[.size] as? Int ?? 0) <= TemplateLibrary.bytesMax else {
            throw TemplateFault(file: path, reason: "the template is larger than 1 MiB.")
        }
        guard let data = FileManager.default.contents(atPath: target) else {
            throw TemplateFault(file: path, reason: "the template cannot be read.")
        }
        return String(decoding: data, as: UTF8.self).streamSafe
    }

    /// True if a template may use a variable. The check allows false positives but no false
    /// negatives.
    static func mayName(_ word: String, _ text: String) -> Bool {
        text.contains(word) || text.contains(/\{\{[{&#^\/]?\s*\./)
    }
}
