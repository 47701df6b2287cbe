// Shows push notifications and opens the linked screen. Caches the files of the role's screens and, for carriers and where a reseller's
// session is remembered, the page, so that the program opens without coverage. Never caches responses of the API.
self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang: 'es', icon: '/favicon.svg', data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.url, self.location.origin).href));
});

// Focuses a window that already shows the address, else opens a new one: other windows may hold an unsaved form.
async function open(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((window) => window.url === url);
  return shown ? shown.focus() : self.clients.openWindow(url);
}

const PREFIX = 'enruta-programa-';
const SHELL = '/shell.html';
const LIST = '/shell.json';
const LIMIT_MS = 100;
const ANY = { ignoreSearch: true, ignoreVary: true };

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetPending()])));
self.addEventListener('message', (event) => {
  if (event.data?.role) event.waitUntil(keep(event.data).catch(() => undefined));
});

// Caches the files of the server's current version. The previous version stays for windows that still show it.
async function keep({ role, offline }) {
  const list = await fetch(LIST, { cache: 'no-cache' });
  if (!list.ok) return;
  const { version, files } = await list.clone().json();
  const name = `${PREFIX}${version}-${role}`;
  // After a return to an earlier version: deletes the old cache, so that the new cache comes last.
  if ((await versions()).at(-1) !== name) await caches.delete(name);
  const cache = await caches.open(name);
  if (!(await cache.match(offline ? SHELL : LIST, ANY))) {
    const last = offline ? await fetch(SHELL, { cache: 'no-cache' }) : list;
    if (!last.ok) return;
    await cache.addAll(files[role]);
    // The page or the list comes last: a version with either is complete, even if the worker was killed meanwhile.
    await cache.put(offline ? SHELL : LIST, last);
  }
  const stay = (await whole()).slice(-2);
  for (const other of await versions()) if (!stay.includes(other)) await caches.delete(other);
}

// Oldest first, the order of `caches.keys()`.
const versions = async () => (await caches.keys()).filter((key) => key.startsWith(PREFIX));
async function whole(last = [SHELL, LIST]) {
  const names = await versions();
  const has = (cacheName) => Promise.all(last.map((path) => caches.match(path, { ...ANY, cacheName })));
  const found = await Promise.all(names.map(has));
  return names.filter((_, i) => found[i].some(Boolean));
}

// Deletes the caches `pendiente-…`, which earlier versions of this worker left behind.
async function forgetPending() {
  for (const key of await caches.keys()) if (key.startsWith('pendiente-')) await caches.delete(key);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  const isPage = request.mode === 'navigate' && !/^\/(?:api|pagar)\/|\.txt$/.test(pathname);
  if (isPage) event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

// Waits for the network, but only briefly; then returns the cached page or, without one, the network's own answer or error. An
// error of a proxy (5xx) counts as no answer. On a slow line this shows the last cached version; a newer version is cached later.
async function page(request) {
  const answer = fetch(request);
  answer.catch(() => undefined);
  const late = new Promise((resolve) => setTimeout(resolve, LIMIT_MS));
  const first = await Promise.race([answer, late]).catch(() => undefined);
  const isPage = first && first.status < 500;
  return isPage ? first : ((await newest().catch(() => undefined)) ?? answer);
}

// Names the cache, because a search in all caches would find the page of an older version first.
const newest = async () => caches.match(SHELL, { ...ANY, cacheName: (await whole([SHELL])).at(-1) ?? '' });

// Assets are named by their content, so a cached file is right whichever version cached it.
const asset = async (request) => (await kept(new URL(request.url).pathname)) ?? fetch(request);

const kept = (path) => caches.match(path, ANY).catch(() => undefined);
