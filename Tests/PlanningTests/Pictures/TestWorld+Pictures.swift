import Agenda
import Foundation
import Ledger
import Pictures
import Planning
import Settings
import Storage
import TestKit

extension TestWorld {
    /// A planner whose pictures are "decoded" to the octets that came.
    func picturePlanner() async throws -> Planner {
        var surroundings = try self.surroundings()
        surroundings.pictures = PictureReader { request throws(PictureRefusal) in
            guard !request.picture.starts(with: "bad".utf8) else { throw .damaged }
            let renditions = request.sizes.map {
                Rendition(side: $0, jpeg: [0xFF, 0xD8, 0xFF, UInt8($0 / 2)] + request.picture)
            }
            return PictureAnswer(sandbox: .all, result: .success(renditions))
        }
        return try await Planner(surroundings)
    }

    /// The names of the files of pictures, sorted.
    func pictureFiles() throws -> [String] {
        let path = home.pictures
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}

extension Planner {
    /// The octets of which the picture of a contact was made; `nil` without one.
    func photo(of name: String) async throws -> String? {
        let person: Person = try await person(named: name)
        let small = try await picture(ofID: person.id.text, .small)
        return small.map { String(decoding: $0.jpeg.dropFirst(4), as: UTF8.self) }
    }
}
