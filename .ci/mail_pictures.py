"""Makes pictures of all kinds of mails, as narrow and wide programs show them, light and dark."""

import pathlib
import subprocess

WIDTHS = [320, 500, 640]
# What other templates contain.
PARTS = {"buttons", "facts", "foot", "head", "note", "quote", "words"}


def kinds(home):
    """The templates of whole mails in HTML, in all languages."""
    for entry in home.run("template", "list")["templates"]:
        *language, folder, name = entry["name"].split("/")
        if folder == "html" and name not in PARTS:
            yield entry["name"], "-".join([*language, name])


def page(home, template):
    return subprocess.run(
        [home.letsmeet, "template", "render", template], env=home.environment,
        capture_output=True, text=True, check=True).stdout


def broken_labels(driver):
    """The labels of facts and the buttons that take several lines."""
    return driver.execute_script("""
        return [...document.querySelectorAll("td, a")].filter(part => {
            const range = document.createRange()
            range.selectNodeContents(part)
            const isWord = part.style.opacity || part.style.backgroundColor
            return isWord && range.getClientRects().length > 1
        }).map(part => part.textContent)""")


def is_too_wide(driver):
    return driver.execute_script(
        "return document.documentElement.scrollWidth > document.documentElement.clientWidth")


def take(home, visit, folder):
    """Shows each mail in each width and colour scheme. None may be wider than the window."""
    for template, name in kinds(home):
        file = pathlib.Path(folder) / "mail.html"
        file.write_text(page(home, template))
        for width in WIDTHS:
            visit.browser.resize(width, 800)
            visit.driver.get(file.resolve().as_uri())
            assert not is_too_wide(visit.driver), f"{template} is wider than {width}"
            assert not broken_labels(visit.driver), f"{template} breaks labels at {width}"
            for scheme in ["light", "dark"]:
                visit.browser.look(scheme)
                visit.driver.save_screenshot(f"{folder}/mail-{name}-{width}-{scheme}.png")
        file.unlink()
