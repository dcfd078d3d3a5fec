public import Foundation

/// A file of places. It may hold rows of FSQ OS Places or of the bundled sample as JSON lines or as
/// a list, GeoJSON feature collections, GeoJSON sequences with or without record separators (RFC
/// 8142), or one feature on each line.
///
/// ```swift
/// guard let file = PlaceFile(path: path) else { return }
/// for item in file {
///     if case .bad(let line, let reason) = item { report(line, reason) }
/// }
/// ```
///
/// The file is read lazily, record by record. A damaged record is reported, and the others are
/// still read.
public struct PlaceFile: Sequence, Sendable {
    /// The most bytes of a record.
    public static let recordBytesMax = 4 << 20
    /// The most places of one file.
    public static let placesMax = 5_000_000
    /// The number of records that cannot be read after which the rest of the file is not read.
    public static let badMax = 1_000_000

    private let bytes: PlaceFileBytes
    private let badMax: Int

    /// A file with these bytes.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - badMax: the number of records that cannot be read after which the rest is not read.
    public init(_ bytes: Data, badMax: Int = Self.badMax) {
        self.bytes = PlaceFileBytes(bytes)
        self.badMax = badMax
    }

    /// A file on the disk, of which only the part that is being read takes memory. It is `nil` for
    /// folders, pipes and devices, and if it cannot be read.
    ///
    /// - Parameter path: the path.
    public init?(path: String) {
        guard let bytes = PlaceFileBytes(path: path) else { return nil }
        self.bytes = bytes
        badMax = Self.badMax
    }

    /// True if the file has no bytes.
    public var isEmpty: Bool { bytes.count == 0 }

    /// Starts to read the file.
    public func makeIterator() -> PlaceFileIterator {
        PlaceFileIterator(records: PlaceFileRecords(bytes), badMax: badMax)
    }
}

/// The content of one record.
public enum PlaceFileItem: Equatable, Sendable {
    /// A place.
    case place(ImportedPlace)
    /// A correct record that is not imported.
    case leftOut(PlaceFileOmission)
    /// A record that cannot be read, with the line of the problem, counted from 1.
    case bad(line: Int, reason: String)
}

/// The reason why a correct record is not imported.
public enum PlaceFileOmission: Equatable, Sendable {
    /// It has no name, like most houses and benches.
    case nameless
    /// It is permanently closed.
    case closed
    /// The same place came before: areas of OpenStreetMap are often exported twice.
    case repeated
}

/// The reason why a record is not a place.
struct PlaceFault: Error {
    /// The reason as a sentence.
    let reason: String

    static let offTheEarth = PlaceFault(
        reason: "Its position is not valid: the latitude must be from -90 to 90 degrees, the "
            + "longitude from -180 to 180.")
}

/// Reads the records of a file of places.
public struct PlaceFileIterator: IteratorProtocol {
    private var records: PlaceFileRecords
    private var ids: Set<String> = []
    private var isDone = false
    private let badMax: Int
    private var badCount = 0

    init(records: PlaceFileRecords, badMax: Int) {
        self.records = records
        self.badMax = badMax
    }

    /// The next item; nil at the end of the file.
    public mutating func next() -> PlaceFileItem? {
        guard !isDone else { return nil }
        guard let record = records.next() else {
            isDone = true
            return records.isCutOff ? Self.cutOff(at: records.line) : nil
        }
        let item = item(record)
        guard case .bad(let line, _) = item else { return item }
        badCount += 1
        guard badCount > badMax else { return item }
        isDone = true
        return .bad(
            line: line,
            reason: "More than \(badMax) parts cannot be read; the rest is not read.")
    }

    private static func cutOff(at line: Int) -> PlaceFileItem {
        .bad(line: line, reason: "The file became shorter while it was read; its rest is missing.")
    }

    private mutating func item(_ record: PlaceFileRecords.Record) -> PlaceFileItem {
        guard let bytes = record.bytes else {
            return .bad(line: record.line, reason: "It is too long to be a place.")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return .bad(
                line: record.line, reason: "It is not valid UTF-8. Save the file as UTF-8.")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes[...])
        } catch {
            let linesBefore = bytes.prefix(error.position).count { $0 == UInt8(ascii: "\n") }
            return .bad(
                line: record.line + linesBefore, reason: "It is not valid JSON: \(error.reason).")
        }
        do {
            return checked(try item(value), record.line)
        } catch {
            return .bad(line: record.line, reason: error.reason)
        }
    }

    private func item(_ value: JSONValue) throws(PlaceFault) -> PlaceFileItem {
        if value["type"]?.string == "Feature" {
            return try GeoJSONFeature.place(value).map { .place($0) } ?? .leftOut(.nameless)
        }
        if let item = try OpenPlacesRow.read(value) { return item }
        if let place = try SampleRow.place(value) { return .place(place) }
        throw PlaceFault(
            reason: "It is neither a GeoJSON feature nor a place with an id and a name.")
    }

    private mutating func checked(_ item: PlaceFileItem, _ line: Int) -> PlaceFileItem {
        guard case .place(let found) = item else { return item }
        guard ids.insert(found.place.id).inserted else { return .leftOut(.repeated) }
        guard ids.count <= PlaceFile.placesMax else {
            isDone = true
            return .bad(
                line: line,
                reason: "There are more than \(PlaceFile.placesMax) places. Split the file.")
        }
        return item
    }
}
