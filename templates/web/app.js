// Improves pages that work without script. Each part looks for the elements that it is about.

const html = window.trustedTypes
  ? trustedTypes.createPolicy("letsmeet", { createHTML: (text) => text })
  : { createHTML: (text) => text };

/** The root of the site, with a slash at its end. */
const root = document.documentElement.dataset.root ?? "/";
document.documentElement.classList.add("scripted");
/** The page as the server made it, before any part of it is improved. */
let served = document.getElementById("main")?.cloneNode(true);

/** Calls `act` when nothing was typed for `wait` milliseconds. */
function later(wait, act) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
}

// Signing in with a link

const enter = document.querySelector("form[data-enter]");
if (enter && location.hash.length > 1) {
  enter.querySelector("[name=token]").value = location.hash.slice(1);
  enter.querySelector("[data-paste]").hidden = true;
  // The token does not stay in the history.
  history.replaceState(null, "", location.pathname + location.search);
  enter.querySelector("button").focus();
}

// Copying and sharing links

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    say(button.dataset.done);
  });
}
for (const button of document.querySelectorAll("[data-share]")) {
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    const url = document.getElementById(button.dataset.share).value;
    navigator.share({ url, title: document.title }).catch(() => {});
  });
}

/** Says something to all readers, also to those who do not see the page. */
function say(text) {
  const place = document.getElementById("say");
  if (!place) return;
  place.textContent = "";
  // A second change makes screen readers say the same text again.
  requestAnimationFrame(() => (place.textContent = text));
  place.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => place.classList.remove("shown"), 2500);
}
document.addEventListener("say", ({ detail }) => say(detail));

// Finding people while typing (WAI-ARIA Authoring Practices, editable combobox)

for (const field of document.querySelectorAll("[data-people]")) combobox(field);

function combobox(field) {
  const box = field.parentElement;
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = `${field.id}-list`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", field.dataset.people);
  list.hidden = true;
  box.append(list);
  for (const [name, value] of [
    ["role", "combobox"], ["aria-expanded", "false"], ["aria-controls", list.id],
    ["aria-autocomplete", "list"],
  ]) field.setAttribute(name, value);
  let current = -1;
  let asked = "";

  const options = () => [...list.children];
  const show = (isShown) => {
    list.hidden = !isShown;
    field.setAttribute("aria-expanded", String(isShown));
    if (!isShown) field.removeAttribute("aria-activedescendant");
  };
  const mark = (index) => {
    current = index;
    options().forEach((option, place) => option.setAttribute("aria-selected", String(place === index)));
    if (index < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", options()[index].id);
    options()[index].scrollIntoView({ block: "nearest" });
  };
  const choose = (option) => {
    addChip(field, option.dataset.who, option.dataset.name);
    field.value = "";
    show(false);
    field.focus();
  };
  const ask = later(150, async () => {
    const text = field.value.split(",").pop().trim();
    asked = text;
    if (!text) return show(false);
    const answer = await fetch(`${root}new/people?q=${encodeURIComponent(text)}`);
    if (!answer.ok || asked !== text) return;
    const { people } = await answer.json();
    list.replaceChildren(...people.map((person, place) => {
      const option = document.createElement("li");
      option.id = `${list.id}-${place}`;
      option.setAttribute("role", "option");
      option.dataset.who = person.who;
      option.dataset.name = person.name;
      const name = document.createElement("bdi");
      name.textContent = person.name;
      const detail = document.createElement("span");
      detail.className = "small";
      detail.textContent = ` ${person.detail}`;
      option.append(name, detail);
      option.addEventListener("pointerdown", (event) => event.preventDefault());
      option.addEventListener("click", () => choose(option));
      return option;
    }));
    show(people.length > 0);
    mark(-1);
    say(`${people.length} ${field.dataset.found}`);
  });
  field.addEventListener("input", ask);
  field.addEventListener("blur", () => show(false));
  field.addEventListener("keydown", (event) => {
    const count = options().length;
    if (event.key === "ArrowDown" && count && !list.hidden) mark((current + 1) % count);
    else if (event.key === "ArrowUp" && count && !list.hidden) mark((current - 1 + count) % count);
    else if (event.key === "Escape" && !list.hidden) show(false);
    else if (event.key === "Enter" && !list.hidden && current >= 0) choose(options()[current]);
    else return;
    event.preventDefault();
  });
}

/** Adds a chosen guest to the form. */
function addChip(field, who, name) {
  let chips = document.getElementById("chips");
  if ([...chips.querySelectorAll("[name=with]")].some((other) => other.value === who)) return;
  const chip = document.createElement("li");
  chip.className = "chip";
  const label = document.createElement("bdi");
  label.textContent = name;
  const value = document.createElement("input");
  Object.assign(value, { type: "hidden", name: "with", value: who });
  const remove = document.createElement("button");
  Object.assign(remove, { name: "remove", value: who, textContent: "×", formNoValidate: true });
  remove.setAttribute("aria-label", `${field.dataset.remove} ${name}`);
  chip.append(label, value, remove);
  chips.append(chip);
  chips.hidden = false;
  field.form.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".chip button");
  if (!button) return;
  event.preventDefault();
  const form = button.form;
  button.closest(".chip").remove();
  document.getElementById("who").focus();
  form.dispatchEvent(new Event("change", { bubbles: true }));
});

// Showing at once what a form would do

for (const form of document.querySelectorAll("form[data-live]")) live(form);

function live(form) {
  let latest = 0;
  const look = later(350, async () => {
    const turn = (latest += 1);
    const fields = new URLSearchParams(new FormData(form));
    fields.set("do", "preview");
    fields.set("live", "1");
    const answer = await fetch(form.action, {
      method: "POST", body: fields, headers: { Accept: "text/html" },
    }).catch(() => null);
    if (!answer || turn !== latest) return;
    const page = new DOMParser().parseFromString(html.createHTML(await answer.text()), "text/html");
    for (const part of document.querySelectorAll("[data-part]")) {
      const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
      // What has the focus is never replaced.
      if (!fresh || fresh.outerHTML === part.outerHTML || part.contains(document.activeElement)) continue;
      part.replaceWith(document.adoptNode(fresh));
    }
  });
  form.addEventListener("input", look);
  form.addEventListener("change", look);
}

// A list that follows its search field

for (const form of document.querySelectorAll("form[data-search]")) follow(form);

function follow(form) {
  let latest = 0;
  form.addEventListener("input", later(200, async () => {
    const turn = (latest += 1);
    const query = new URLSearchParams(new FormData(form));
    const answer = await fetch(`${form.action}?${query}`, { headers: { Accept: "text/html" } })
      .catch(() => null);
    const text = answer?.ok && !answer.redirected && await answer.text();
    if (!text || turn !== latest) return;
    const page = new DOMParser().parseFromString(html.createHTML(text), "text/html");
    const part = `[data-part="${form.dataset.search}"]`;
    const fresh = page.querySelector(part);
    if (!fresh) return;
    document.querySelector(part).replaceWith(document.adoptNode(fresh));
    history.replaceState(null, "", `?${query}`);
    if (fresh.dataset.found) say(fresh.dataset.found);
  }));
}

// A form that comes back keeps the focus where it was, and shows what was searched for

const place = sessionStorage.getItem("focus")?.split(" ");
sessionStorage.removeItem("focus");
if (place?.[0] === location.pathname && !document.querySelector(".notice.trouble")) {
  const found = place[1] === "search" && document.querySelector(".found input");
  const field = found || document.getElementById(place[2]);
  field?.focus({ preventScroll: true });
  (found ? field.closest(".found") : field)?.scrollIntoView({ block: found ? "start" : "center" });
}
for (const form of document.querySelectorAll("form[data-live]")) {
  form.addEventListener("submit", ({ submitter }) => {
    const id = document.activeElement?.id || document.activeElement?.closest("fieldset")?.querySelector("input")?.id;
    if (submitter?.value !== "create") sessionStorage.setItem("focus", `${location.pathname} ${submitter?.value || "-"} ${id || "title"}`);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !["city", "interest"].includes(event.target.id)) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("[value=search]"));
  });
}

// Places near the reader, only after a press

for (const button of document.querySelectorAll("[data-near]")) {
  if (!navigator.geolocation) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        button.form.elements.near.value = `${coords.latitude.toFixed(5)},${coords.longitude.toFixed(5)}`;
        button.form.elements.city.value = "";
        button.form.requestSubmit(button.form.querySelector("[value=search]"));
      },
      () => say(button.dataset.failed),
    );
  });
}

// The time zone of this device

for (const field of document.querySelectorAll("[data-zone]")) {
  if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

// The field for a repetition in words shows when it is chosen

for (const part of document.querySelectorAll("[data-repeat]")) {
  const choice = part.closest("form").elements.repeat;
  const field = part.querySelector("input");
  const show = () => (part.hidden = choice.value !== "words" && !field.value);
  if (field.value) choice.value = "words";
  choice.addEventListener("change", () => {
    if (choice.value !== "words") field.value = "";
    show();
    if (choice.value === "words") field.focus();
  });
  show();
}

// Panels over the page

for (const opener of document.querySelectorAll("[data-opens]")) {
  const panel = document.getElementById(opener.dataset.opens);
  if (!panel) continue;
  opener.setAttribute("aria-haspopup", "dialog");
  opener.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    panel.showModal();
  });
}
for (const panel of document.querySelectorAll("dialog")) {
  const isOutside = ({ clientX, clientY }) => {
    const box = panel.getBoundingClientRect();
    return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
  };
  let began = false;
  panel.addEventListener("pointerdown", (event) => (began = isOutside(event)));
  panel.addEventListener("click", (event) => {
    // Selecting text and letting go outside closes nothing, and Enter has no position.
    const isAway = event.target === panel && event.detail > 0 && began && isOutside(event);
    if (isAway || event.target.closest("[data-close]")) panel.close();
  });
}

// The colours, chosen without leaving the page

const colours = document.querySelector("#account form[action$=theme]");
const showColours = () => {
  const chosen = document.documentElement.dataset.theme ?? "system";
  for (const button of colours?.elements.theme ?? []) button.setAttribute("aria-pressed", `${button.value === chosen}`);
};
showColours();
colours?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const theme = event.submitter.value;
  const form = new URLSearchParams({ csrf: colours.elements.csrf.value, theme });
  await fetch(colours.action, { method: "POST", body: form });
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  showColours();
});

// Keys, which can be switched off (WCAG 2.2, 2.1.4)

const keys = document.getElementById("keys");
const areKeysOn = () => localStorage.getItem("keys") !== "off";
const toggle = keys?.querySelector("input");
if (toggle) {
  toggle.checked = areKeysOn();
  toggle.addEventListener("change", () => localStorage.setItem("keys", toggle.checked ? "on" : "off"));
}
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, textarea, select, [contenteditable]");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !areKeysOn()) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "n") location.href = `${root}new`;
  else if (event.key === "q") document.getElementById("quick")?.showModal();
  else if (event.key === "t") location.href = root;
  else if (event.key === "m") location.href = `${root}meetings`;
  else if (event.key === "?") keys?.showModal();
  else if (event.key === "/") {
    const search = document.querySelector("[type=search]");
    if (!search) location.href = `${root}meetings#q`;
    search?.focus();
  } else return;
  event.preventDefault();
});

// The strips of days and of letters

for (const current of document.querySelectorAll(".days [aria-current], .letters [aria-current]")) {
  current.scrollIntoView({ block: "nearest", inline: "center" });
}
for (const strip of document.querySelectorAll(".days, .letters")) {
  // Browsers leave a link as it is if only its edge is in sight.
  strip.addEventListener("focusin", ({ target }) => {
    if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  strip.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const days = [...strip.querySelectorAll("a")];
    const next = days[days.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

// Sliding to the next day by a swipe, beside the links and keys

const slide = document.querySelector("[data-slide]");
let touch;
slide?.addEventListener("touchstart", ({ touches }) => {
  touch = touches.length === 1 ? touches[0] : null;
}, { passive: true });
slide?.addEventListener("touchend", ({ changedTouches: [end] }) => {
  if (!touch) return;
  const [right, down] = [end.clientX - touch.clientX, end.clientY - touch.clientY];
  if (Math.abs(right) < 70 || Math.abs(right) < 2 * Math.abs(down)) return;
  const days = [...document.querySelectorAll(".days a")];
  days[days.findIndex((day) => day.hasAttribute("aria-current")) + (right < 0 ? 1 : -1)]?.click();
});

// Dropping a file on its field

for (const form of document.querySelectorAll("[data-drop]")) {
  const mark = (isOver) => document.body.classList.toggle("dropping", isOver);
  // A file dropped anywhere on the page is meant for this form. The browser would open it instead.
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || mark(false));
  document.addEventListener("drop", (event) => {
    mark(false);
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    form.querySelector("[type=file]").files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

// Maps: zoomed by buttons, Ctrl with the wheel, and pinching; moved by a click and, on the full
// screen, by dragging

function mapTools(figure, zoomIn, zoomOut) {
  const button = (text, label, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };
  const tools = document.createElement("div");
  tools.className = "map-tools";
  tools.append(button("+", figure.dataset.zoomIn, zoomIn), button("−", figure.dataset.zoomOut, zoomOut));
  if (document.fullscreenEnabled) {
    tools.append(button("⤢", figure.dataset.full, () => (
      document.fullscreenElement ? document.exitFullscreen() : figure.requestFullscreen())));
  }
  return tools;
}

function makeMapMove(figure) {
  let map = figure.querySelector("svg.map");
  let home = map.getAttribute("viewBox").split(" ").map(Number);
  let box = [...home];
  let larger = figure.querySelector(".scales a:last-child:not([aria-current])")?.href;
  const show = (x, y, width) => {
    width = Math.min(Math.max(width, 60), home[2]);
    const height = width * home[3] / home[2];
    const within = (at, start, whole, part) => Math.min(Math.max(at, start), start + whole - part);
    box = [within(x, home[0], home[2], width), within(y, home[1], home[3], height), width, height];
    map.setAttribute("viewBox", box.join(" "));
    map.style.setProperty("--zoom", width / home[2]);
  };
  const spot = (event) => {
    const frame = map.getBoundingClientRect();
    return [(event.clientX - frame.x) / frame.width, (event.clientY - frame.y) / frame.height];
  };
  const zoom = (factor, [right, down] = [0.5, 0.5]) => {
    const width = Math.min(Math.max(box[2] * factor, 60), home[2]);
    const scale = width / box[2];
    show(box[0] + box[2] * right * (1 - scale), box[1] + box[3] * down * (1 - scale), width);
  };
  const widen = async () => {
    const address = larger;
    larger = null;
    const page = new DOMParser().parseFromString(html.createHTML(await (await fetch(address)).text()), "text/html");
    const next = document.importNode(page.querySelector("svg.map"), true);
    map.replaceWith(next);
    map = next;
    home = map.getAttribute("viewBox").split(" ").map(Number);
    listen();
    show(box[0], box[1], box[2]);
  };
  const zoomOut = async (at) => {
    if (larger && box[2] * 1.5 > home[2]) await widen();
    zoom(1.5, at);
  };
  const fingers = new Map();
  let moved = false;
  const drag = (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = spot(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const span = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
      zoom(span(before) / Math.max(span(now), 0.01), other);
    } else if (document.fullscreenElement === figure || event.pointerType === "mouse") {
      show(box[0] - (now[0] - before[0]) * box[2], box[1] - (now[1] - before[1]) * box[3], box[2]);
    }
    moved ||= Math.hypot(now[0] - before[0], now[1] - before[1]) > 0.005;
    fingers.set(event.pointerId, now);
  };
  const listen = () => {
    map.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.fullscreenElement !== figure) return;
      event.preventDefault();
      if (event.deltaY < 0) zoom(1 / 1.25, spot(event)); else zoomOut(spot(event));
    }, { passive: false });
    map.addEventListener("pointerdown", (event) => {
      moved = false;
      fingers.set(event.pointerId, spot(event));
    });
    map.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      map.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    map.addEventListener("click", (event) => {
      if (moved || box[2] === home[2]) return;
      const [right, down] = spot(event);
      show(box[0] + box[2] * (right - 0.5), box[1] + box[3] * (down - 0.5), box[2]);
    });
  };
  figure.append(mapTools(figure, () => zoom(1 / 1.5), () => zoomOut()));
  // With the focus on one of the buttons, the arrow keys move a map that is zoomed in.
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || box[2] === home[2] || !map.isConnected) return;
    event.preventDefault();
    show(box[0] + step[0] * box[2] / 5, box[1] + step[1] * box[3] / 5, box[2]);
  });
  listen();
}

document.querySelectorAll(".map-box[data-zoom-in]").forEach(makeMapMove);

// Tiles of a server that the operator has named: only after a press, because that server then learns
// who looks at which place

async function showTiles(figure) {
  const { tiles, leaflet, leafletStyle, center, radius, pins, tilesSource } = figure.dataset;
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: leafletStyle });
  const styled = new Promise((done, failed) => {
    style.addEventListener("load", done);
    style.addEventListener("error", failed);
  });
  document.head.append(style);
  await Promise.all([import(leaflet), styled]);
  const old = figure.querySelector("svg.map");
  const box = Object.assign(document.createElement("div"), { className: "map tiles loading" });
  box.setAttribute("role", "application");
  box.setAttribute("aria-label", old.getAttribute("aria-label"));
  old.after(box);
  const map = L.map(box, { zoomControl: false, attributionControl: false });
  map.fitBounds(L.latLng(center.split(" ").map(Number)).toBounds(2 * radius), { animate: false });
  const layer = L.tileLayer(tiles, { maxZoom: 19, referrerPolicy: "strict-origin" }).addTo(map);
  // The drawing stays until the first tile is there.
  try {
    await new Promise((done, failed) => layer.once("tileload", done).once("tileerror", failed));
  } catch (error) {
    map.remove();
    box.remove();
    throw error;
  }
  old.remove();
  box.classList.remove("loading");
  map.invalidateSize();
  const source = figure.querySelector("figcaption");
  source.replaceChildren(Object.assign(document.createElement("span"), { textContent: tilesSource }));
  for (const pin of pins.split("\n")) {
    const [latitude, longitude, mark, ...name] = pin.split(" ");
    L.marker([latitude, longitude], {
      icon: L.divIcon({ className: "tile-pin", html: Object.assign(document.createElement("span"), { textContent: mark }), iconSize: [28, 28] }),
      title: name.join(" "), alt: name.join(" "), keyboard: false, interactive: false,
    }).addTo(map);
  }
  figure.querySelector(".map-tools").replaceWith(mapTools(figure, () => map.zoomIn(), () => map.zoomOut()));
  box.focus();
}

const tiled = document.querySelectorAll(".map-box[data-tiles]");
if (tiled.length && window.trustedTypes) {
  // While it loads, Leaflet tests the browser by this one piece of markup.
  trustedTypes.createPolicy("default", { createHTML: (text) => (text === "<svg/>" ? text : null) });
}
for (const figure of tiled) {
  const press = Object.assign(document.createElement("button"), {
    type: "button", className: "quiet", textContent: figure.dataset.tilesWords,
  });
  press.addEventListener("click", async () => {
    press.disabled = true;
    try {
      await showTiles(figure);
    } catch {
      press.disabled = false;
      say(figure.dataset.tilesFault);
    }
  });
  figure.querySelector("figcaption").append(press);
}

// Passkeys (Web Authentication)

for (const offer of document.querySelectorAll("[data-offer]")) offer.hidden = !window.PublicKeyCredential;

const octets = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const digits = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

async function passkeyFields(kind, mediation) {
  const asked = await (await fetch(`${root}passkeys/challenge`, { method: "POST" })).json();
  const common = { challenge: octets(asked.challenge), timeout: 240000, userVerification: "required" };
  const made = kind === "new"
    ? await navigator.credentials.create({ publicKey: {
      ...common, rp: { id: asked.host, name: "letsmeet" }, attestation: "none",
      user: { id: octets(asked.user.id), name: asked.user.name, displayName: asked.user.name },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    } })
    : await navigator.credentials.get({ publicKey: { ...common, rpId: asked.host }, ...mediation });
  const { response } = made;
  const fields = { id: digits(made.rawId), challenge: asked.challenge, client: digits(response.clientDataJSON) };
  return kind === "new"
    ? { ...fields, authenticator: digits(response.getAuthenticatorData()), key: digits(response.getPublicKey()),
      algorithm: response.getPublicKeyAlgorithm() }
    : { ...fields, authenticator: digits(response.authenticatorData), signature: digits(response.signature) };
}

function submitWith(form, fields) {
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
  }
  form.submit();
}

const hasPasskeys = window.PublicKeyCredential && !/^[\d.]+$|:/.test(location.hostname);
for (const form of hasPasskeys ? document.querySelectorAll("[data-passkey]") : []) {
  const waiting = new AbortController();
  form.hidden = false;
  document.querySelector("[data-passkey-missing]")?.remove();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    waiting.abort();
    try {
      submitWith(form, await passkeyFields(form.dataset.passkey));
    } catch (error) {
      // The person has cancelled, or the browser has no passkey for this site.
      if (error.name !== "NotAllowedError" && error.name !== "AbortError") throw error;
    }
  });
  // The browser offers passkeys in the field for the address, too.
  if (form.dataset.passkey === "use" && await PublicKeyCredential.isConditionalMediationAvailable?.()) {
    passkeyFields("use", { mediation: "conditional", signal: waiting.signal })
      .then((fields) => submitWith(form, fields), () => {});
  }
}

// An open page follows what changes. One event stream a browser names the meetings that have changed,
// and the page then fetches itself again

/** True if a part has the focus, or a form in it is being filled in. */
function isInUse(part) {
  if (part.contains(document.activeElement) || part.querySelector?.("form[aria-busy]")) return true;
  const fields = [...part.querySelectorAll?.("input, textarea, select") ?? []];
  return fields.some((field) => field.type === "checkbox" || field.type === "radio"
    ? field.checked !== field.defaultChecked
    : field.options ? [...field.options].some((option) => option.selected !== option.defaultSelected)
      : field.type !== "hidden" && field.value !== field.defaultValue);
}

/** What tells a node from its neighbours: entries of lists by their link, headings by their text. */
function keyOf(node) {
  const own = node.id || (node.nodeName === "LI" && node.querySelector("[href]")?.getAttribute("href"));
  return `${node.nodeName} ${own || (/^H\d$/.test(node.nodeName) && node.textContent) || ""}`;
}

/** Brings what changed between two answers of the server to the page. Returns false if a part of it
    has to wait, because the reader is using that part. */
function update(shown, before, after) {
  if (before.isEqualNode(after)) return true;
  if (after.nodeType === Node.TEXT_NODE) {
    shown.data = after.data;
    return true;
  }
  for (const { name, value } of after.attributes) {
    if (before.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  for (const { name } of before.attributes) {
    if (!after.hasAttribute(name)) shown.removeAttribute(name);
  }
  const [parts, olds, news] = [shown, before, after].map((part) => [...part.childNodes]);
  const isKnown = parts.length === olds.length
    && parts.every((part, place) => part.nodeName === olds[place].nodeName);
  if (isKnown) return updateEach(shown, parts, olds, news);
  if (isInUse(shown)) return false;
  shown.replaceChildren(...news.map((node) => document.importNode(node, true)));
  return true;
}

/** The same for the nodes in a part. Those that came are added, and those that are gone removed; the
    others stay where they are, with the focus. */
function updateEach(shown, parts, olds, news) {
  const keys = olds.map(keyOf);
  let place = 0;
  let isDone = true;
  for (const node of news) {
    const key = keyOf(node);
    const isText = node.nodeType !== Node.ELEMENT_NODE;
    const found = isText && keys[place] !== key ? -1 : keys.indexOf(key, place);
    if (found < 0) {
      shown.insertBefore(document.importNode(node, true), parts[place] ?? null);
      continue;
    }
    if (!remove(parts.slice(place, found))) return false;
    isDone = update(parts[found], olds[found], node) && isDone;
    place = found + 1;
  }
  return remove(parts.slice(place)) && isDone;
}

/** Removes nodes; false if the reader is using one of them. */
function remove(nodes) {
  if (nodes.some(isInUse)) return false;
  for (const node of nodes) node.remove();
  return true;
}

/** Shows the number of unread notifications as another answer of the server has it. */
function showCount(page) {
  document.title = page.title;
  const [shown, fresh] = [document, page].map((part) => part.querySelector(".bar [data-inbox]"));
  if (!shown || !fresh || shown.isEqualNode(fresh)) return;
  shown.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
}

// Notifications of the browser for what comes into the inbox, while a page is open and the reader has
// allowed them on this device

const noticesName = `notices ${document.documentElement.dataset.account}`;
const hasNotices = "Notification" in window;
const wantsNotices = () => hasNotices && Notification.permission === "granted"
  && localStorage.getItem(noticesName) !== null;

async function newestPecks() {
  const answer = await fetch(`${root}pecks/newest`, { headers: { Accept: "application/json" } }).catch(() => null);
  return answer?.ok && !answer.redirected ? (await answer.json()).pecks : [];
}

/** Shows what has come since the last time. */
async function notify() {
  if (!wantsNotices()) return;
  const last = Number(localStorage.getItem(noticesName));
  const fresh = (await newestPecks()).filter(({ at }) => at > last);
  if (!fresh.length || !wantsNotices()) return;
  localStorage.setItem(noticesName, String(Math.max(...fresh.map(({ at }) => at))));
  const worker = await navigator.serviceWorker?.getRegistration(root);
  const icon = document.querySelector("link[rel=apple-touch-icon]")?.href;
  for (const { id, title, text, url } of fresh.reverse()) {
    const options = { body: text, tag: id, icon, data: { url } };
    if (worker) await worker.showNotification(title, options);
    else new Notification(title, options).addEventListener("click", () => window.open(url));
  }
}

for (const part of hasNotices ? document.querySelectorAll("[data-notices]") : []) {
  const button = part.querySelector("button");
  const show = () => (button.textContent = wantsNotices() ? button.dataset.off : button.dataset.on);
  show();
  part.hidden = false;
  button.addEventListener("click", async () => {
    if (wantsNotices()) localStorage.removeItem(noticesName);
    else if (await Notification.requestPermission() === "granted") {
      // What is unread already is not told again.
      const times = (await newestPecks()).map(({ at }) => at);
      localStorage.setItem(noticesName, String(Math.max(0, ...times)));
    } else say(button.dataset.denied);
    show();
  });
}

const topics = document.body.dataset.topics?.split(" ") ?? [];
if (topics.length && served && "EventSource" in window) stayCurrent();

function stayCurrent() {
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(`live ${root}`) : null;
  let source;
  let waiting;
  let letGo;
  // Many changes in a short time make one request, and one announcement.
  const pause = 500;
  const silence = 10_000;
  let looking;
  let lookedAt = -Infinity;
  let isFetching = false;
  let isBehind = false;
  let saying;
  let saidAt = -Infinity;
  let failures = 0;
  let isSigningOut = false;

  function refresh() {
    looking ??= setTimeout(look, Math.max(0, lookedAt + pause - performance.now()));
  }
  async function look() {
    looking = undefined;
    isBehind = isFetching;
    if (isFetching) return;
    isFetching = true;
    lookedAt = performance.now();
    const answer = await fetch(location.pathname + location.search, {
      cache: "no-cache", headers: { Accept: "text/html" },
    }).catch(() => null);
    const text = answer?.ok && await answer.text().catch(() => null);
    const page = text && new DOMParser().parseFromString(html.createHTML(text), "text/html");
    // The session has ended, or another one has begun.
    const isOther = page && page.documentElement.dataset.session !== document.documentElement.dataset.session;
    if (answer?.redirected || isOther) return isSigningOut || location.reload();
    isFetching = false;
    // `offline.js` says how old a kept page is until it is current.
    if (!page) document.dispatchEvent(new Event("unreachable"));
    else if (show(page)) document.dispatchEvent(new Event("current"));
    if (isBehind) refresh();
  }
  /** Returns true if the whole page is current. */
  function show(page) {
    const fresh = page.getElementById("main");
    if (!fresh) return false;
    showCount(page);
    if (served.isEqualNode(fresh)) return true;
    const isNews = served.textContent !== fresh.textContent;
    const isWhole = update(document.getElementById("main"), served, fresh);
    if (isWhole) served = fresh;
    else document.addEventListener("focusout", later(200, refresh), { once: true });
    document.querySelectorAll(".map-box[data-zoom-in]:not(:has(.map-tools))").forEach(makeMapMove);
    if (isNews) announce();
    return isWhole;
  }
  function announce() {
    saying ??= setTimeout(() => {
      saying = undefined;
      saidAt = performance.now();
      say(document.body.dataset.news);
    }, Math.max(0, saidAt + silence - performance.now()));
  }
  // The number of unread notifications is on all pages.
  const isMeant = (name) => name === "*" || name === "pecks"
    || topics.some((topic) => topic === name || (topic.endsWith("/") && name.startsWith(topic)));
  const hear = (names) => {
    if (!document.hidden && names.split(" ").some(isMeant)) refresh();
  };
  const tell = (names) => {
    failures = 0;
    hear(names);
    if (/(^| )(pecks|\*)( |$)/.test(names)) notify();
    channel?.postMessage(names);
  };
  const comeBack = (wait) => {
    const old = source;
    old.close();
    setTimeout(() => source === old && (!document.hidden || wantsNotices()) && listen(), wait * (0.5 + Math.random()));
  };
  const listen = () => {
    source = new EventSource(`${root}events`);
    // What happened before the stream was open, or while it was interrupted.
    source.addEventListener("ready", () => (failures ? tell("*") : refresh()));
    source.addEventListener("change", ({ data }) => tell(data));
    // There are newer streams of this account, or its session has ended: then the page is reloaded.
    source.addEventListener("bye", () => {
      refresh();
      comeBack(90_000);
    });
    // The browser connects again once by itself, and tells what it has heard.
    source.addEventListener("error", () => {
      failures += 1;
      if (source?.readyState === EventSource.CLOSED) comeBack(90_000);
      else if (failures > 1) comeBack(Math.min(60_000, 1000 * 2 ** failures));
    });
  };
  const start = () => {
    if (document.hidden || source || waiting) return;
    if (!navigator.locks) return listen();
    waiting = new AbortController();
    navigator.locks.request(`live ${root}`, { signal: waiting.signal }, () => {
      listen();
      return new Promise((done) => (letGo = done));
    }).catch(() => {});
  };
  const stop = () => {
    waiting?.abort();
    source?.close();
    letGo?.();
    source = waiting = letGo = undefined;
  };
  channel?.addEventListener("message", ({ data }) => hear(data));
  // The end of the session reaches this page before the answer to the form does.
  document.addEventListener("submit", ({ target }) => {
    if (!target.getAttribute("action")?.endsWith("/sign-out")) return;
    isSigningOut = true;
    stop();
  });
  document.addEventListener("refresh", refresh);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return wantsNotices() || stop();
    refresh();
    start();
  });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", start);
}
