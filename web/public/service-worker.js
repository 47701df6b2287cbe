// Shows push notifications and opens the screen that they link to. For carriers it also keeps the program's files, so that
// it opens without coverage; never an answer of the API.
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
const LIMIT_MS = 300;
const ANY = { ignoreSearch: true, ignoreVary: true };

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetPending()])));
self.addEventListener('message', (event) => {
  if (event.data === 'guardar') event.waitUntil(keep().catch(() => undefined));
});

// Keeps the files of the version that the server has now; the one before stays for windows that still show it.
async function keep() {
  const list = await fetch('/shell.json', { cache: 'no-cache' });
  if (!list.ok) return;
  const { version, files } = await list.json();
  const name = PREFIX + version;
  // Back to a version from before: it comes last again.
  if ((await versions()).at(-1) !== name) await caches.delete(name);
  const cache = await caches.open(name);
  if (!(await cache.match(SHELL, ANY))) {
    const shell = await fetch(SHELL, { cache: 'no-cache' });
    if (!shell.ok) return;
    await cache.addAll(files);
    // The page comes last: a version that has it is whole, also where the worker is killed meanwhile.
    await cache.put(SHELL, shell);
  }
  const stay = (await whole()).slice(-2);
  for (const other of await versions()) if (!stay.includes(other)) await caches.delete(other);
}

// Oldest first, as caches list their names.
const versions = async () => (await caches.keys()).filter((key) => key.startsWith(PREFIX));
async function whole() {
  const names = await versions();
  const pages = await Promise.all(names.map((cacheName) => caches.match(SHELL, { ...ANY, cacheName })));
  return names.filter((_, i) => pages[i]);
}

// Earlier workers left these behind when they were killed.
async function forgetPending() {
  for (const key of await caches.keys()) if (key.startsWith('pendiente-')) await caches.delete(key);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  const isPage = request.mode === 'navigate' && !/^\/(?:api|pagar)\//.test(pathname);
  if (isPage) event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

// The network first, for a moment; then the kept page, and without one the network's own answer or error. An error of a
// proxy (5xx) counts as no answer. The page behind a slow line is the last version kept; a newer one is kept meanwhile.
async function page(request) {
  const answer = fetch(request);
  answer.catch(() => undefined);
  const late = new Promise((resolve) => setTimeout(resolve, LIMIT_MS));
  const first = await Promise.race([answer, late]).catch(() => undefined);
  const isPage = first && first.status < 500;
  return isPage ? first : ((await newest().catch(() => undefined)) ?? answer);
}

// Not of an older version, which stands first among the caches.
const newest = async () => caches.match(SHELL, { ...ANY, cacheName: (await whole()).at(-1) ?? '' });

// Named by their content, so a kept file is the right one, of whichever version.
const asset = async (request) => (await kept(new URL(request.url).pathname)) ?? fetch(request);

const kept = (path) => caches.match(path, ANY).catch(() => undefined);
