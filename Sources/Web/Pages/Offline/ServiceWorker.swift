import NIOCore
import NIOHTTP1
import Secrets
import Wording

/// The script that keeps pages in the browser (W3C Service Workers). It starts with its settings,
/// so that browsers replace it as soon as one of the files that it keeps has changed.
struct ServiceWorker {
    private struct Settings: Encodable {
        let root: String
        let version: String
        let files: [String]
    }

    private static let file = "sw.js"
    /// The files that the kept pages need.
    private static let keptFiles = ["style.css", "app.js", "offline.js", "icon.svg"]
    private static let versionDigits = 10

    private let settings: Settings
    private let script: ByteBuffer?

    /// Creates the script.
    ///
    /// - Parameters:
    ///   - assets: the files of the pages, with the script.
    ///   - root: the absolute path of the site, with a slash at its end.
    init(_ assets: AssetLibrary, root: String) {
        let files = Self.keptFiles.map(assets.name)
        let names = (files + [assets.name(of: Self.file)]).joined(separator: "\n")
        let version = Hexadecimal.text(SHA256.hash(names.utf8)).prefix(Self.versionDigits)
        settings = Settings(root: root, version: String(version), files: files)
        script = assets.content(of: Self.file)
    }

    /// The script. Its scope is the folder of the site, because it lies there.
    var answer: PageAnswer {
        guard let script, let text = try? JSONText.of(settings) else {
            return Problem(.notFound, code: "not_found", "This file does not exist.").answer
        }
        var body = ByteBuffer(string: "const settings = \(text);\n")
        body.writeImmutableBuffer(script)
        var answer = PageAnswer(.ok, "text/javascript; charset=utf-8", body: body)
        answer.fields = [
            ("Cache-Control", "no-cache"), ("Cross-Origin-Resource-Policy", "same-origin"),
            // What the script may load, whatever the pages may.
            (
                "Content-Security-Policy",
                "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
            ),
        ]
        return answer
    }
}
