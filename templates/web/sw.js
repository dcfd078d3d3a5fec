// The service worker: keeps Today, the list and the meetings seen last on this device, each page only
// for the session that it was made for. The server puts `settings` before this text: the root of the
// site, a hash of the files, and their names. POST requests pass by: nothing is sent from here.

const { root, version, files } = settings;
const prefix = `letsmeet ${root} `;
const shell = `${prefix}shell ${version}`;
const meetingsMax = 30;
/** The time for which pages are asked of the server first after a form was sent, in milliseconds. */
const changing = 5000;
let changedAt = 0;
/** Raised whenever all pages are forgotten. */
let epoch = 0;
let forgetting = Promise.resolve();

addEventListener("install", (event) => event.waitUntil((async () => {
  await (await caches.open(shell)).addAll(files.map((file) => `${root}a/${file}`));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && !name.endsWith(` ${version}`));
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
})()));

// A page that was loaded while the worker started.
addEventListener("message", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(root)) return;
  const path = url.pathname.slice(root.length);
  if (request.method !== "GET") {
    changedAt = Date.now();
    if (/^(enter|sign-in|sign-out)(\/|$)/.test(path)) event.waitUntil(forget());
    return;
  }
  const isNavigation = request.mode === "navigate";
  const isPage = isNavigation || request.headers.get("Accept") === "text/html";
  if (path.startsWith("a/")) event.respondWith(file(request));
  else if (isPage && isKept(path, url.search)) event.respondWith(isNavigation ? show(request) : renew(request));
  else if (isNavigation && !/^(g|u|cal|enter|sign-in)(\/|$)/.test(path)) {
    event.respondWith(fetch(request).catch(offline));
  }
});

/** True for the pages to keep: Today, the list, and meetings or single dates of them. */
function isKept(path, query) {
  return query ? /^m\/\w+$/.test(path) && /^\?date=[^&]*$/.test(query) : /^(|meetings|m\/\w+)$/.test(path);
}

async function file(request) {
  return await caches.match(request, { cacheName: shell }) ?? fetch(request);
}

const pageCaches = async () => (await caches.keys()).filter((name) => name.startsWith(`${prefix}pages `));

async function find(address) {
  await forgetting;
  for (const cacheName of await pageCaches()) {
    const found = await caches.match(address, { cacheName });
    if (found) return found;
  }
}

/** The kept page at once, or else that of the server. */
async function show(request) {
  const kept = await find(request.url);
  if (kept && Date.now() - changedAt > changing) return dated(kept);
  const answer = await renew(request).catch(() => null);
  if (kept && (!answer || [502, 503, 504].includes(answer.status))) return await find(request.url) ? dated(kept) : offline();
  return answer ?? offline();
}

/** A kept page that says when it was made. */
async function dated(kept) {
  const text = await kept.text();
  return new Response(text.replace("<html ", `<html data-kept="${kept.headers.get("Kept-At")}" `), { headers: kept.headers });
}

async function offline() {
  return await find(`${root}offline`) ?? Response.error();
}

/** Asks the server, and keeps the page. */
async function renew(request) {
  const began = epoch;
  const answer = await fetch(request);
  // The session has ended.
  if (answer.redirected || answer.type === "opaqueredirect") await forget();
  else if (answer.ok) await keep(request.url, answer.clone(), began).catch(() => {});
  return answer;
}

async function keep(address, answer, began) {
  const text = await answer.text();
  const session = text.match(/^<!DOCTYPE html>\s*<html [^>]*data-keep="(\w+)"/)?.[1];
  if (!session || began !== epoch) return;
  const name = `${prefix}pages ${session} ${version}`;
  const others = (await pageCaches()).filter((other) => other !== name);
  await Promise.all(others.map((other) => caches.delete(other)));
  const cache = await caches.open(name);
  const headers = new Headers(answer.headers);
  for (const field of ["Content-Encoding", "Content-Length", "Vary", "ETag"]) headers.delete(field);
  headers.set("Kept-At", new Date().toISOString());
  headers.set("Kept-Title", encodeURIComponent(text.match(/<title>(?:\(\d+\+?\) )?([^<]*) ·/)?.[1] ?? ""));
  await cache.put(address, new Response(text, { headers }));
  await removeOldest(cache);
  if (began !== epoch) await caches.delete(name);
  else await fill(cache, began);
}

async function removeOldest(cache) {
  const meetings = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(`${root}m/`));
  if (meetings.length <= meetingsMax) return;
  const dated = await Promise.all(meetings.map(async (meeting) => [(await cache.match(meeting))?.headers.get("Kept-At") ?? "", meeting]));
  dated.sort(([one], [other]) => (one < other ? -1 : 1));
  await Promise.all(dated.slice(0, -meetingsMax).map(([, meeting]) => cache.delete(meeting)));
}

/** Fetches the pages that are there from the beginning. */
async function fill(cache, began) {
  for (const path of ["offline", "", "meetings"]) {
    const address = new URL(root + path, location.origin).href;
    if (began !== epoch || await cache.match(address)) continue;
    // Another page is kept meanwhile.
    filling[path] ??= fetch(address, { headers: { Accept: "text/html" } })
      .then((answer) => answer.ok && !answer.redirected && keep(address, answer, began))
      .catch(() => {}).finally(() => delete filling[path]);
  }
}
const filling = {};

// A press on a notification of the browser opens its meeting.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.url ?? root));
});

async function openPage(path) {
  const address = new URL(path, location.origin).href;
  const windows = await clients.matchAll({ type: "window" });
  const shown = windows.find(({ url }) => url === address);
  return shown ? shown.focus() : clients.openWindow(address);
}

/** Deletes all kept pages. */
function forget() {
  epoch += 1;
  forgetting = pageCaches().then((names) => Promise.all(names.map((name) => caches.delete(name))));
  return forgetting;
}
