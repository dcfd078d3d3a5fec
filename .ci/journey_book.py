"""The part of the journey through contacts, circles and places; see journey.py."""

import re


def keep_book(visit):
    """Makes a contact, a circle and a place, changes them, and looks at every page about them.
    Returns the paths of those that stay."""
    person = add_contact(visit)
    circle = make_circle(visit)
    place = add_place(visit)
    leave_circle(visit, person, circle)
    for name, path in [("remove a contact", person + "/remove"), ("erase", person + "/erase"),
                       ("choose a contact", person + "/merge"),
                       ("a place", "/places/osm-way-8042215"), ("about", "/about")]:
        visit.open(path)
        visit.judge(name)
    return [person, person + "/edit", circle, circle + "/edit", place, place + "/edit"]


def path_of(visit):
    return re.sub(r"\?.*", "", visit.driver.current_url[len(visit.root):])


def add_contact(visit):
    visit.open("/people/new")
    visit.fill("#name", "Dora Days")
    visit.fill("[name=email]", "dora-at-example.org")
    visit.press("form[action$=new] .primary")
    visit.expect("Please look at this again")
    visit.judge("new contact with a mistake")
    visit.fill("[name=email]", "dora@example.org")
    visit.press("form[action$=new] .primary")
    visit.expect("Dora Days", "dora@example.org")
    person = path_of(visit)
    visit.open(person + "/edit")
    visit.judge("edit a contact")
    visit.fill("#town", "Espoo")
    visit.press("form[action$=edit] .primary")
    visit.expect("Espoo")
    visit.judge("contact")
    return person


def make_circle(visit):
    visit.open("/circles")
    visit.fill("#name", "Chess & go")
    visit.press("form[action$=circles] .primary")
    visit.expect("Nobody is in this circle.")
    circle = path_of(visit)
    visit.open(circle + "/add")
    visit.fill("#who", "dora@example.org")
    visit.judge("add to a circle")
    visit.press("[value=add]")
    visit.expect("Dora Days")
    visit.judge("circle")
    visit.open(circle + "/edit")
    visit.judge("edit a circle")
    visit.open("/circles")
    visit.judge("circles")
    return circle


def leave_circle(visit, person, circle):
    visit.open(f"{circle}/remove?person={person.split('/')[-1]}")
    visit.judge("remove from a circle")
    visit.press("form .danger")
    visit.expect("Nobody is in this circle.")
    visit.open(circle + "/delete")
    visit.judge("delete a circle")


def add_place(visit):
    visit.open("/places/new")
    visit.fill("#name", "My kitchen")
    visit.fill("#find", "Helsinki")
    visit.press("[value=find]")
    visit.expect("Step 2 of 3")
    visit.judge("new place")
    visit.fill("#position", "60.17, 24.94")
    visit.press("[value=save]")
    visit.expect("My kitchen")
    visit.judge("own place")
    return path_of(visit)
