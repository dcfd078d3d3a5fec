import CSandbox
import CVips
import Glibc
import Pictures

/// Reads one picture from standard input, and writes small JPEG files of it to standard output. The
/// format of both is that of `PictureRequest` and `PictureAnswer`.
///
/// The picture is data from outside. So this program first gives up everything that it does not
/// need for computing.
@main
struct PictureProgram {
    static func main() {
        letsmeet_sandbox_set_alarm()
        guard vips_init(CommandLine.arguments[0]) == 0 else { exit(1) }
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        letsmeet_vips_allow_four_loaders()
        let sandbox = SandboxParts(rawValue: UInt8(letsmeet_sandbox_enter()))
        var result: Result<[Rendition], PictureRefusal>
        do throws(PictureRefusal) {
            result = .success(try renditions(of: PictureRequest(octets: input())))
        } catch {
            result = .failure(error)
        }
        write(PictureAnswer(sandbox: sandbox, result: result).octets)
        // Without the clean-up of libvips, which this process does not need any more.
        _exit(0)
    }

    /// All octets of standard input.
    private static func input() throws(PictureRefusal) -> [UInt8] {
        var octets: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .malformed }
            guard count > 0 else { return octets }
            octets += part[..<count]
            guard octets.count <= PictureRequest.octetsMax else { throw .tooLarge }
        }
    }

    private static func write(_ octets: [UInt8]) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { _exit(1) }
            rest = rest.dropFirst(count)
        }
    }

    /// The renditions of a picture. Its size is checked before any pixel is decoded.
    private static func renditions(
        of request: PictureRequest
    ) throws(PictureRefusal) -> [Rendition] {
        guard let kind = PictureKind(request.picture) else { throw .unknownKind }
        let picture = UnsafeMutableRawBufferPointer.allocate(
            byteCount: request.picture.count, alignment: 16)
        picture.copyBytes(from: request.picture)
        guard let header = letsmeet_vips_header(picture.baseAddress, picture.count) else {
            throw kind.unreadable
        }
        let (width, height) = (
            Int(letsmeet_vips_width(header)), Int(letsmeet_vips_height(header))
        )
        let hasProfile = letsmeet_vips_has_profile(header)
        letsmeet_vips_free(header)
        guard width > 0, height > 0, width * height <= PictureLimits.pixelsMax else {
            throw .tooLarge
        }
        guard
            let largest = letsmeet_vips_square(
                picture.baseAddress, picture.count, Int32(request.sizes[0]), hasProfile)
        else { throw kind.unreadable }
        var renditions: [Rendition] = []
        for size in request.sizes { renditions.append(try rendition(of: largest, side: size)) }
        return renditions
    }

    private static func rendition(
        of largest: UnsafeMutablePointer<VipsImage>, side: Int
    ) throws(PictureRefusal) -> Rendition {
        guard let square = letsmeet_vips_smaller(largest, Int32(side)) else { throw .damaged }
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        guard letsmeet_vips_jpeg(square, &bytes, &count) == 0, let bytes else { throw .damaged }
        return Rendition(
            side: side, jpeg: Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    }
}
