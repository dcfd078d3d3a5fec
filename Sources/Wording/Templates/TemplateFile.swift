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
    /// - Throws: ``TemplateFault`` if it is not a regular file, is too large, or is not in UTF-8.
    ///   The first two are checked before reading, because reading a pipe would block.
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
        guard !FileText.isUTF16(data) else {
            throw TemplateFault(
                file: path, reason: "the template is UTF-16 text. Save it as UTF-8.")
        }
        guard let text = FileText.utf8(data) else {
            let place = invalidLine(of: data).map { " Look at line \($0)." } ?? ""
            throw TemplateFault(
                file: path, reason: "the template is not in UTF-8.\(place) Save it as UTF-8.")
        }
        return text.streamSafe
    }

    /// The first line that is not in UTF-8, counted from 1.
    private static func invalidLine(of data: Data) -> Int? {
        data.split(separator: 0x0A, omittingEmptySubsequences: false)
            .firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
    }

    /// True if a template may use a variable. The check allows false positives but no false
    /// negatives.
    static func mayName(_ word: String, _ text: String) -> Bool {
        text.contains(word) || text.contains(/\{\{[{&#^\/]?\s*\./)
    }
}
