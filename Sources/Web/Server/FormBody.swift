import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import StreamSafe

/// A file that a form sent, in a temporary place until the request is answered.
public struct UploadedFile: Sendable {
    /// The name of the field.
    public let field: String
    /// The name of the file on the device of the sender, without folders.
    public let name: String
    /// The path of the temporary file.
    public let path: String
}

/// A form that was received.
struct ReceivedForm: Sendable {
    var fields = FormFields("")
    var files: [UploadedFile] = []

    /// The form in a body of the usual encoding.
    init(_ octets: [UInt8] = []) {
        fields = FormFields(String(decoding: octets, as: UTF8.self).streamSafe)
    }

    /// Removes the temporary files.
    func removeFiles() { Self.remove(files) }

    fileprivate static func remove(_ files: [UploadedFile]) {
        for file in files { try? FileManager.default.removeItem(atPath: file.path) }
    }
}

/// Receives the body of a form: fields in memory, files to disk.
///
/// It is used on one event loop. Writing a chunk to a file takes a fraction of a millisecond, which
/// delays only pages.
final class FormBody {
    /// The reason why a body cannot be taken.
    enum Fault: Error, Equatable {
        /// It is larger than the limit.
        case tooLarge
        /// It is not valid.
        case invalid
        /// The disk does not take the file.
        case disk
    }

    private let limits: PageLimits
    /// The folder for files; `nil` if the page takes none.
    private let folder: String?
    private var parser: MultipartParser?
    private var octets: [UInt8] = []
    private var fields: [(name: String, value: [UInt8])] = []
    private var files: [UploadedFile] = []
    private var open: FileHandle?
    private var isInFile = false
    private var fieldBytes = 0
    /// The bytes received so far.
    private(set) var count = 0

    /// Prepares for the body of a request. It is `nil` if the declared length is beyond the limit.
    /// A page that takes no files takes forms of both types, because mail programs may unsubscribe
    /// with either (RFC 8058, 3.2).
    ///
    /// - Parameters:
    ///   - head: the head of the request.
    ///   - folder: the folder for files; `nil` if the page takes none.
    ///   - limits: the limits for a client.
    init?(_ head: HTTPRequestHead, filesIn folder: String?, _ limits: PageLimits) {
        self.limits = limits
        self.folder = folder
        let type = head.headers["content-type"].first ?? ""
        parser = MultipartParser(contentType: type)
        let lengths = head.headers["content-length"].map { Int($0) ?? .max }
        guard lengths.allSatisfy({ $0 <= bytesMax }) else { return nil }
    }

    deinit {
        // What was not handed over is removed.
        ReceivedForm.remove(files)
    }

    private var bytesMax: Int {
        parser == nil || folder == nil ? limits.bodyBytesMax : limits.uploadBytesMax
    }

    /// Takes the next bytes.
    ///
    /// - Throws: ``Fault``.
    func add(_ buffer: ByteBuffer) throws(Fault) {
        count += buffer.readableBytes
        guard count <= bytesMax else { throw .tooLarge }
        guard parser != nil else {
            octets += buffer.readableBytesView
            return
        }
        let events: [MultipartParser.Event]
        do throws(MultipartParser.Fault) {
            events = try parser?.feed(buffer.readableBytesView) ?? []
        } catch {
            throw .invalid
        }
        for event in events { try take(event) }
    }

    private func take(_ event: MultipartParser.Event) throws(Fault) {
        switch event {
        // A file field in which no file was chosen has an empty name.
        case .part(let name, let file?) where !file.isEmpty: try begin(name, file)
        case .part(let name, _):
            fieldBytes += name.utf8.count
            fields.append((name, []))
        case .bytes(let bytes) where isInFile:
            do {
                try open?.write(contentsOf: Data(bytes))
            } catch {
                throw .disk
            }
        case .bytes(let bytes):
            fieldBytes += bytes.count
            guard fieldBytes <= limits.bodyBytesMax else { throw .tooLarge }
            fields[fields.count - 1].value += bytes
        case .end:
            try? open?.close()
            open = nil
            isInFile = false
        }
    }

    private func begin(_ field: String, _ name: String) throws(Fault) {
        guard let folder else { throw .tooLarge }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // The system chooses a name that no other file has.
        let pattern = strdup("\(folder)/form-XXXXXX")
        defer { free(pattern) }
        guard let pattern else { throw .disk }
        let descriptor = mkstemp(pattern)
        guard descriptor >= 0 else { throw .disk }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        open = handle
        isInFile = true
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        files.append(UploadedFile(field: field, name: last, path: String(cString: pattern)))
    }

    /// Hands the form over, with its files.
    ///
    /// - Throws: ``Fault`` if the body ends too early.
    func finish() throws(Fault) -> ReceivedForm {
        guard let parser else { return ReceivedForm(octets) }
        guard parser.isComplete else { throw .invalid }
        var form = ReceivedForm()
        form.fields = FormFields(
            fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) })
        form.files = files
        files = []
        return form
    }
}

extension FormBody.Fault {
    /// The problem as an answer.
    var problem: Problem {
        switch self {
        case .tooLarge: Problem(.payloadTooLarge, code: "no_body_wanted", "The form is too large.")
        case .invalid: Problem(.badRequest, code: "bad_request", "The form is damaged.")
        case .disk:
            Problem(
                .insufficientStorage, code: "output",
                "letsmeetd cannot store the file: the disk is full, or not writable.")
        }
    }
}
