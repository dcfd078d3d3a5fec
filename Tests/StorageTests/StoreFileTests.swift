import Foundation
import TestKit
import Testing

@testable import Storage

@Suite struct StoreFileTests {
    @Test func `A store is lost if its path leads to another file or to none`() {
        let opened = FileIdentity(device: 1, number: 2)
        let loss = { StoreLoss(of: opened, at: "a", found: $0) }
        #expect(loss(opened) == nil)
        #expect(loss(nil) == .gone(path: "a"))
        #expect(loss(FileIdentity(device: 1, number: 3)) == .replaced(path: "a"))
        #expect(loss(FileIdentity(device: 2, number: 2)) == .replaced(path: "a"))
        for loss in [StoreLoss.gone(path: "a"), .replaced(path: "a")] {
            #expect(loss.description.hasPrefix("a is "))
            #expect(loss.description.hasSuffix("start letsmeetd again."))
        }
    }

    @Test func `A store knows the file that it has open, whatever is written into it`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let store = try Store(path: path)
            try await store.overwriteDeleted()
            try store.checkFile()
            try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            #expect(throws: StoreLoss.gone(path: path)) { try store.checkFile() }
            try Store(path: path).close()
            #expect(throws: StoreLoss.replaced(path: path)) { try store.checkFile() }
            try FileManager.default.removeItem(atPath: folder)
            #expect(throws: StoreLoss.gone(path: path)) { try store.checkFile() }
        }
    }

    @Test func `An empty file becomes a database for its owner alone`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o644])
            let store = try Store(path: path)
            for file in ["", "-wal", "-shm"] {
                let facts = try FileManager.default.attributesOfItem(atPath: path + file)
                #expect(facts[.posixPermissions] as? Int == 0o600, "\(file)")
            }
            try store.close()
        }
    }
}
