import StreamSafe
import Testing

/// The text of files from different editors.
@Suite struct FileTextTests {
    @Test func `A byte order mark before UTF-8 is no part of the text`() {
        let text = "area: Malmö"
        let bytes = Array(text.utf8)
        #expect(FileText.utf8(bytes) == text)
        #expect(FileText.utf8([0xEF, 0xBB, 0xBF] + bytes) == text)
        #expect(FileText.utf8([0xEF, 0xBB, 0xBF] as [UInt8])?.isEmpty == true)
        #expect(FileText.utf8(bytes + [0xFF]) == nil)
    }

    @Test func `UTF-16 is recognized with and without a byte order mark`() {
        #expect(FileText.isUTF16([0xFF, 0xFE, 0x61, 0]))
        #expect(FileText.isUTF16([0xFE, 0xFF, 0, 0x61]))
        #expect(FileText.isUTF16([0x61, 0, 0x62, 0]))
        #expect(!FileText.isUTF16([0xEF, 0xBB, 0xBF, 0x61]))
        #expect(!FileText.isUTF16(Array("a".utf8)))
        #expect(!FileText.isUTF16([0, 0]))
    }
}
