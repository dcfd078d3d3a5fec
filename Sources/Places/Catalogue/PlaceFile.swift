public import Foundation

/// The places of a file: rows of FSQ OS Places or of the shipped sample as lines of JSON, GeoJSON
/// feature collections, GeoJSON sequences with or without record separators (RFC 8142), one feature
/// a line.
///
/// ```swift
/// let file = PlaceFile(try Data(contentsOf: url, options: .alwaysMapped))
/// for item in file {
///     if case .bad(let line, let reason) = item { report(line, reason) }
/// }
/// ```
///
/// The file is read as far as it is walked through, record by record. A damaged record is named
/// and costs no other.
public struct PlaceFile: Sequence, Sendable {
    /// The longest record that is read.
    public static let recordBytesMax = 4 << 20
    /// The most places of one file that are read.
    public static let placesMax = 5_000_000

    private let bytes: Data

    /// A file by its bytes; those of a mapped file are read when they are needed.
    public init(_ bytes: Data) {
        self.bytes = bytes
    }

    /// Whether there is not one byte in it.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Begins to read.
    public func makeIterator() -> PlaceFileIterator {
        PlaceFileIterator(records: PlaceFileRecords(bytes))
    }
}

/// What one record of a file held.
public enum PlaceFileItem: Equatable, Sendable {
    /// A place.
    case place(ImportedPlace)
    /// No place, and no mistake.
    case leftOut(PlaceFileOmission)
    /// What could not be read, by the line in which that shows, counted from 1.
    case bad(line: Int, reason: String)
}

/// Why a record is left out although it is well written.
public enum PlaceFileOmission: Equatable, Sendable {
    /// It has no name, as most houses and benches.
    case nameless
    /// It is closed for good.
    case closed
    /// It came before: areas of OpenStreetMap are often exported twice.
    case repeated
}

/// Why a record is no place.
struct PlaceFault: Error {
    /// A sentence.
    let reason: String

    static let offTheEarth = PlaceFault(
        reason: "Its position is none on the earth: write degrees, latitude -90 to 90.")
}

/// Reads a file of places record by record.
public struct PlaceFileIterator: IteratorProtocol {
    private var records: PlaceFileRecords
    private var ids: Set<String> = []
    private var isDone = false

    init(records: PlaceFileRecords) {
        self.records = records
    }

    /// The next item; nil at the end.
    public mutating func next() -> PlaceFileItem? {
        guard !isDone, let record = records.next() else { return nil }
        guard let bytes = record.bytes else {
            return .bad(line: record.line, reason: "It is longer than a place can be.")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return .bad(line: record.line, reason: "It is no UTF-8: save the file as UTF-8.")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes[...])
        } catch {
            let linesBefore = bytes.prefix(error.position).count { $0 == UInt8(ascii: "\n") }
            return .bad(line: record.line + linesBefore, reason: "It is no JSON: \(error.reason).")
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
                line: line, reason: "There are more than \(PlaceFile.placesMax) places: cut it.")
        }
        return item
    }
}
