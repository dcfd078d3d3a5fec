import Agenda
import Foundation
import Testing

struct SearchKeyTests {
    @Test(arguments: [
        ("Helsinki", "helsinki"), ("  München ", "munchen"), ("KÖLN", "koln"),
        ("São Paulo", "sao paulo"), ("Łódź", "lodz"), ("Tromsø", "tromso"),
        ("İstanbul", "istanbul"), ("Diyarbakır", "diyarbakir"), ("IĞDIR", "igdir"),
        ("Straße", "strasse"), ("GROẞ", "gross"), ("Þórshöfn", "thorshofn"),
        ("Reyðarfjörður", "reydarfjordur"), ("Ærø", "aero"), ("Œuvre", "oeuvre"),
        ("Đà Nẵng", "da nang"), ("Πάτρας", "πατρασ"), ("ΠΑΤΡΑΣ", "πατρασ"),
        ("Йошкар-Ола", "иошкар ола"), ("東京", "東京"), ("Ｔokyo", "ｔokyo"),
        ("St. John's", "st john s"), ("Ville-d'Avray (92)", "ville d avray 92"),
        ("a--b__c", "a b c"), ("zero\u{200C}width", "zerowidth"), ("दिल्ली", "दिलली"),
        ("", ""), ("...", ""), ("–", ""), ("\r\n\t", ""), ("Ⅳ", "ⅳ"), ("👩‍👩‍👧 x", "x"),
    ])
    func `A name folds to its key`(name: String, key: String) {
        #expect(SearchKey.fold(name) == key)
        #expect(SearchKey.fold(key) == key)
    }

    @Test func `Composed and decomposed spellings have the same key`() {
        #expect(SearchKey.fold("Ja\u{0308}rvenpa\u{0308}a\u{0308}") == "jarvenpaa")
        #expect(SearchKey.fold("J\u{00E4}rvenp\u{00E4}\u{00E4}") == "jarvenpaa")
        #expect(Array(SearchKey.fold("서울").utf8) == Array(SearchKey.fold("서울".nfd).utf8))
    }

    @Test func `Folding twice changes nothing, for every scalar of Unicode`() {
        var wrong: [UInt32] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let key = SearchKey.fold("a\(Character(scalar))b")
            if Array(SearchKey.fold(key).utf8) != Array(key.utf8) { wrong.append(value) }
        }
        #expect(wrong == [])
    }
}

extension String {
    fileprivate var nfd: String { decomposedStringWithCanonicalMapping }
}
