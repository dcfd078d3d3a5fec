import Foundation
import Settings
import Testing
import TestKit
@testable import Storage

/// The marks of deliveries that were handed to sinks, which outlive their worker.
@Suite struct SendingMarksTests {
    private func withFile(_ body: (String) throws -> Void) async throws {
        try await withTemporaryHome { world in
            try world.home.make()
            try body(world.home.path + "/marks")
        }
    }

    @Test func `The next worker learns what was handed to a sink and not recorded`() async throws {
        try await withFile { path in
            try {
                let (marks, before) = SendingMarks.begin(at: path, worker: 7)
                #expect(before == nil)
                let mine = try #require(marks)
                for id in [3, 5, 8, 5] as [Int64] { mine.mark(id) }
                mine.unmark([5, 6])
            }()
            let (_, before) = SendingMarks.begin(at: path, worker: 8)
            #expect(before == SendingTrace(worker: 7, marked: [3, 8]))
            #expect(before?.isUntouched(5, of: 7) == true)
            #expect(before?.isUntouched(3, of: 7) == false)
            // Nothing is known of earlier workers.
            #expect(before?.isUntouched(5, of: 6) == false)
            let (_, next) = SendingMarks.begin(at: path, worker: 9)
            #expect(next == SendingTrace(worker: 8, marked: []))
        }
    }

    @Test func `Nothing is known of a worker that still lives`() async throws {
        try await withFile { path in
            let (living, _) = SendingMarks.begin(at: path, worker: 1)
            try #require(living).mark(4)
            let (next, before) = SendingMarks.begin(at: path, worker: 2)
            #expect(before == nil && next != nil)
            // The living worker cannot disturb the marks of the next one.
            living?.mark(5)
            next?.mark(6)
            try withExtendedLifetime(living) {
                let data = try Data(contentsOf: URL(filePath: path))
                #expect(data.contains(6) && !data.contains(5))
            }
        }
    }

    @Test func `With too many marks, nothing is known`() async throws {
        try await withFile { path in
            try {
                let marks = try #require(SendingMarks.begin(at: path, worker: 1).marks)
                for id in 1...Int64(SendingMarks.slotCount) { marks.mark(id) }
            }()
            let full = SendingMarks.begin(at: path, worker: 2)
            #expect(full.before?.marked.count == SendingMarks.slotCount)
            for id in 1...Int64(SendingMarks.slotCount) + 1 { full.marks?.mark(id) }
            full.marks?.unmark(1...Int64(SendingMarks.slotCount))
            try {
                let copy = path + "-copy"
                try FileManager.default.copyItem(atPath: path, toPath: copy)
                #expect(SendingMarks.begin(at: copy, worker: 3).before == nil)
            }()
        }
    }

    @Test(arguments: [0, 8, 24, 40, -1])
    func `A damaged file, or one of another boot, says nothing`(_ offset: Int) async throws {
        try await withFile { path in
            try {
                let marks = try #require(SendingMarks.begin(at: path, worker: 1).marks)
                marks.mark(4)
            }()
            var data = try Data(contentsOf: URL(filePath: path))
            if offset < 0 { data.removeLast() } else { data[offset] ^= 0x5A }
            try data.write(to: URL(filePath: path))
            let before = SendingMarks.begin(at: path, worker: 2).before
            // The worker's number is not checked: it belongs to no attempt then.
            #expect(offset == 8 ? before?.isUntouched(9, of: 1) == false : before == nil)
        }
    }
}
