import Foundation
import NIOCore
import NIOHTTP1
import Secrets

/// The files that pages refer to, under names that contain a hash of their content: browsers keep
/// them for a year, and a changed file has another name.
public struct AssetLibrary: Sendable {
    private struct Asset: Sendable {
        let mediaType: String
        let plain: ByteBuffer
        let packed: ByteBuffer?
    }

    private let assets: [String: Asset]
    private let names: [String: String]

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains them.
    ///   - own: the folder of custom files, which replace those of the same name; it does not have
    ///     to exist.
    /// - Throws: an error of the system if a file cannot be read.
    public init(folder: String, own: String) throws {
        var assets: [String: Asset] = [:]
        var names: [String: String] = [:]
        for (ending, mediaType) in Self.mediaTypes {
            for (folder, file) in try Self.files(in: folder, endingIn: ".\(ending)") {
                let custom = "\(own)/\(file)"
                let isCustom = FileManager.default.isReadableFile(atPath: custom)
                let path = isCustom ? custom : "\(folder)/\(file)"
                let octets = Array(try Data(contentsOf: URL(filePath: path)))
                let hash = Hexadecimal.text(SHA256.hash(octets)).prefix(Self.hashDigits)
                let name = "\(file.dropLast(ending.count + 1)).\(hash).\(ending)"
                let plain = ByteBuffer(bytes: octets)
                assets[name] = Asset(
                    mediaType: mediaType, plain: plain,
                    packed: ending == "png" ? nil : Gzip.packed(plain))
                names[file] = name
            }
        }
        self.assets = assets
        self.names = names
    }

    /// The library by others that only maps with tiles need is in a folder of its own.
    private static let folders = ["", "/leaflet"]

    private static func files(
        in root: String, endingIn ending: String
    ) throws -> [(folder: String, file: String)] {
        try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root + folder)
                .filter { $0.hasSuffix(ending) }.map { (root + folder, $0) }
        }
    }

    private static let hashDigits = 10
    private static let mediaTypes = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png",
    ]

    /// The name of a file with its hash.
    func name(of file: String) -> String { names[file] ?? file }

    /// The content of a file; `nil` if there is none.
    func content(of file: String) -> ByteBuffer? { assets[name(of: file)]?.plain }

    /// The route of the files.
    var route: Route {
        Route(.get, "/a/:file") { request in answer(to: request) }
    }

    private func answer(to request: PageRequest) -> PageAnswer {
        guard let asset = assets[request["file"]] else {
            return Problem(.notFound, code: "not_found", "This file does not exist.").answer
        }
        let packed = Conditions(request.fields).takeGzip ? asset.packed : nil
        var answer = PageAnswer(.ok, asset.mediaType, body: packed ?? asset.plain)
        answer.fields = [
            ("Cache-Control", "public, max-age=31536000, immutable"),
            ("Vary", "Accept-Encoding"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        if packed != nil { answer.fields.append(("Content-Encoding", "gzip")) }
        return answer
    }
}
