import Agenda
import Testing
import Wording

@Suite struct PlaceLinksTests {
    @Test func `The name of a place is percent-encoded in the search link`() {
        let place = MeetingPlace(text: "Café & Bar 7-8, ~ä_b.c?#%")
        #expect(
            PlaceLinks.map(of: place)
                == "https://www.openstreetmap.org/search?query="
                + "Caf%C3%A9%20%26%20Bar%207-8%2C%20~%C3%A4_b.c%3F%23%25")
    }

    @Test(arguments: [
        ("own:k", "My kitchen, Pursimiehenkatu 2, Helsinki", "Pursimiehenkatu%202%2C%20Helsinki"),
        ("own:k", "The garden, behind the library", "The%20garden%2C%20behind%20the%20library"),
        ("osm:node/1", "Kiasma, 2", "Kiasma%2C%202"),
    ])
    func `A saved place is searched by its address`(
        _ reference: String, _ text: String, _ searched: String
    ) {
        var place = MeetingPlace(text: text)
        place.reference = reference
        #expect(PlaceLinks.map(of: place).hasSuffix("search?query=\(searched)"))
    }
}
