// Pages and forms without a network. The pages are kept by `sw.js`. What cannot be sent stays on the
// page, and answers and messages stay as drafts, which are sent by a press only.

const html = document.documentElement;
const { root, account, session, keep, kept, clock } = html.dataset;
const prefix = `letsmeet ${root} `;
const sessionName = `${prefix}session`;
const draftsName = `${prefix}drafts ${account}`;
const sentName = `${prefix}sent`;
const store = open(() => localStorage);
const tab = open(() => sessionStorage);

/** A storage of the browser; nothing if it is forbidden. */
function open(storage) {
  try {
    return storage();
  } catch {
    return null;
  }
}

// A page that the browser brings back after its session has ended is not shown

const isOfOtherSession = () => store && session && store.getItem(sessionName) !== session;
const isBroughtBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
if (!session) store?.removeItem(sessionName);
else if (isBroughtBack && isOfOtherSession()) leavePage();
else store?.setItem(sessionName, session);
addEventListener("pageshow", ({ persisted }) => persisted && isOfOtherSession() && leavePage());

function leavePage() {
  document.body.hidden = true;
  location.reload();
}

// The worker that keeps pages

const workers = navigator.serviceWorker;
if (workers && keep) {
  const policy = window.trustedTypes?.createPolicy("letsmeet-worker", { createScriptURL: (text) => text });
  const address = `${root}sw.js`;
  workers.register(policy?.createScriptURL(address) ?? address, { scope: root, updateViaCache: "none" }).catch(() => {});
  // This page was loaded before the worker was there. `app.js` fetches it again, through the worker.
  const keepThis = async () => await isKept(location.href) || document.dispatchEvent(new Event("refresh"));
  workers.addEventListener("controllerchange", keepThis);
  workers.ready.then(({ active }) => (workers.controller ? keepThis() : active.postMessage("claim")));
} else if (workers && session) {
  workers.getRegistration(root).then(async (worker) => {
    if (worker?.scope !== new URL(root, location.href).href) return;
    await worker.unregister();
    await removePages();
    store?.removeItem(draftsName);
  });
}

const ownCaches = async () => (await caches.keys()).filter((name) => name.startsWith(prefix));

async function isKept(address) {
  const found = await Promise.all((await ownCaches()).map((cacheName) => caches.match(address, { cacheName })));
  return found.some(Boolean);
}

async function removePages() {
  if (window.caches) await Promise.all((await ownCaches()).map((name) => caches.delete(name)));
}

// The age of a kept page, until it is current

const show = (id, isShown = true) => {
  const part = document.getElementById(id);
  if (part) part.hidden = !isShown;
};

function time(text) {
  const made = new Date(text);
  const isToday = new Date().toDateString() === made.toDateString();
  return new Intl.DateTimeFormat(html.lang, {
    ...(isToday ? {} : { weekday: "short", day: "numeric", month: "short" }),
    hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: clock || undefined,
  }).format(made);
}

if (kept) {
  document.querySelector("#kept [data-time]").textContent = time(kept);
  show("kept");
  document.addEventListener("current", () => {
    delete html.dataset.kept;
    show("kept", false);
  });
  const again = setInterval(() => {
    if (!html.dataset.kept) clearInterval(again);
    else if (!document.hidden) document.dispatchEvent(new Event("refresh"));
  }, 10_000);
  document.addEventListener("unreachable", () => show("kept-offline"));
  document.dispatchEvent(new Event("refresh"));
}
addEventListener("online", () => document.dispatchEvent(new Event("refresh")));

// The page for addresses that are not kept lists those that are

const list = document.getElementById("kept-pages");
if (list && window.caches) listPages();

async function listPages() {
  for (const name of await ownCaches()) {
    const cache = await caches.open(name);
    for (const request of (await cache.keys()).reverse()) {
      const answer = await cache.match(request);
      const title = answer.headers.get("Kept-Title");
      if (!title || request.url.endsWith(`${root}offline`)) continue;
      const item = document.getElementById("kept-page").content.cloneNode(true);
      item.querySelector("a").href = request.url;
      item.querySelector("bdi").textContent = plainText(decodeURIComponent(title));
      item.querySelector("[data-time]").textContent = time(answer.headers.get("Kept-At"));
      list.append(item);
    }
  }
}
/** A text of HTML without its character references. */
function plainText(text) {
  const known = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (name) => known[name]);
}
addEventListener("online", async () => list && await answers() && location.reload());

// Forms are sent when the server answers. Otherwise the page stays as it is

const passed = new WeakSet();
let isOffline = Boolean(kept || list);
document.addEventListener("current", () => {
  isOffline = false;
  showDrafts();
});

/** True if the server answers within a few seconds. */
async function answers() {
  const answer = await fetch(`${root}sw.js`, {
    method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(8000),
  }).catch(() => null);
  isOffline = !answer || answer.status >= 500;
  return !isOffline;
}

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.getAttribute("method") !== "post" || passed.delete(form)) return;
  event.preventDefault();
  if (form.ariaBusy) return;
  // Nothing replaces the form meanwhile.
  form.setAttribute("aria-busy", "true");
  const isThere = await answers();
  form.removeAttribute("aria-busy");
  if (isThere) return send(form, submitter);
  if (form.dataset.draft && keep && store) keepDraft(form, submitter);
  else tell(form);
});

function send(form, submitter) {
  const old = drafts().find(({ action }) => action === target(form));
  if (form.dataset.draft && old) tab?.setItem(sentName, old.id);
  passed.add(form);
  form.requestSubmit(submitter?.form === form ? submitter : undefined);
}

/** Says that nothing was sent. */
async function tell(form) {
  const isSigningOut = target(form).endsWith("/sign-out");
  if (isSigningOut) await removePages();
  show("not-sent", !isSigningOut);
  show("not-signed-out", isSigningOut);
  display();
}

function display() {
  for (const panel of document.querySelectorAll("dialog[open]")) panel.close();
  const part = document.getElementById("unsent");
  part.hidden = false;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "center" });
}

// Drafts: answers and messages that could not be sent

const target = (form) => {
  const address = new URL(form.getAttribute("action"), location.href);
  return address.pathname + address.search;
};

function drafts() {
  try {
    return account ? JSON.parse(store?.getItem(draftsName)) ?? [] : [];
  } catch {
    return [];
  }
}

function save(list) {
  try {
    if (list.length) store?.setItem(draftsName, JSON.stringify(list));
    else store?.removeItem(draftsName);
    return true;
  } catch {
    // The storage is full.
    return false;
  }
}

function keepDraft(form, submitter) {
  const fields = [...new FormData(form, submitter)].filter(([name, value]) => name !== "csrf" && typeof value === "string");
  const text = form.querySelector("textarea")?.value ?? submitter?.textContent ?? "";
  const draft = {
    id: crypto.randomUUID(), action: target(form), fields, name: form.dataset.draft,
    text: text.trim().slice(0, 200), at: new Date().toISOString(),
  };
  if (!save([...drafts().filter(({ action }) => action !== draft.action), draft])) return tell(form);
  show("not-sent", false);
  showDrafts();
  display();
}

function showDrafts() {
  const part = document.getElementById("unsent");
  if (!part) return;
  const list = part.querySelector("ul");
  list.replaceChildren(...drafts().map((draft) => {
    const item = document.getElementById("draft").content.cloneNode(true);
    item.querySelector("[data-name]").textContent = draft.name;
    item.querySelector("[data-text]").textContent = draft.text;
    item.querySelector("[data-time]").textContent = time(draft.at);
    item.querySelector("[data-offline]").hidden = !isOffline;
    item.querySelector("[data-online]").hidden = isOffline;
    item.querySelector("[data-send]").addEventListener("click", ({ target: button }) => sendDraft(draft, button));
    item.querySelector("[data-drop]").addEventListener("click", () => {
      save(drafts().filter(({ id }) => id !== draft.id));
      showDrafts();
    });
    return item;
  }));
  part.hidden = !list.children.length && document.getElementById("not-sent").hidden && document.getElementById("not-signed-out").hidden;
}

async function sendDraft(draft, button) {
  button.disabled = true;
  if (!await answers()) {
    button.disabled = false;
    show("not-sent");
    return display();
  }
  const form = document.createElement("form");
  form.method = "post";
  form.action = draft.action;
  form.hidden = true;
  const token = document.querySelector("input[name=csrf]")?.value ?? "";
  for (const [name, value] of [["csrf", token], ...draft.fields]) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  document.body.append(form);
  tab?.setItem(sentName, draft.id);
  passed.add(form);
  form.requestSubmit();
}

// A draft is removed when the answer to it is a page of the account that reports no problem

const sent = tab?.getItem(sentName);
tab?.removeItem(sentName);
if (sent && account && !kept && !document.querySelector("[data-problem]")) {
  save(drafts().filter(({ id }) => id !== sent));
}
showDrafts();
addEventListener("storage", ({ key }) => key === draftsName && showDrafts());
