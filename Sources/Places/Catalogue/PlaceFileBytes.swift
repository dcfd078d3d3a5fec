import Foundation

/// The bytes of a file of places. Those of a mapped file are read when they are needed, and their
/// memory can be given back.
// @unchecked: the memory is only read, and freed with the last reference.
final class PlaceFileBytes: @unchecked Sendable {
    /// The bytes, valid as long as this object lives.
    let buffer: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// The number of bytes after which memory is given back.
    static let step = 4 << 20

    /// Copies the bytes of a file that is in memory.
    init(_ data: Data) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
        data.withUnsafeBytes { copy.copyMemory(from: $0) }
        buffer = UnsafeRawBufferPointer(copy)
        isMapped = false
    }

    /// The bytes of a regular file; `nil` for folders, pipes and devices, or if it cannot be read.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let count = Int(status.st_size)
        isMapped = count > 0
        guard count > 0 else {
            buffer = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
            start != MAP_FAILED
        else { return nil }
        madvise(start, count, MADV_SEQUENTIAL)
        buffer = UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Gives back the memory of bytes that were read. They can be read again.
    func giveBack(_ range: Range<Int>) {
        let page = Int(getpagesize())
        let start = range.lowerBound / page * page
        let end = min(range.upperBound, buffer.count) / page * page
        guard isMapped, end > start, let base = buffer.baseAddress else { return }
        madvise(UnsafeMutableRawPointer(mutating: base + start), end - start, MADV_DONTNEED)
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
        } else {
            buffer.deallocate()
        }
    }
}
