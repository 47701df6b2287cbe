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
const LIMIT_MS = 3000;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  if (event.data === 'guardar') event.waitUntil(keep().catch(() => undefined));
});

// Keeps the files of the version that the server has now; the one before stays for windows that still show it.
async function keep() {
  const list = await fetch('/shell.json', { cache: 'no-cache' });
  if (!list.ok) return;
  const { version, files } = await list.json();
  const name = PREFIX + version;
  if (!(await caches.has(name))) {
    // Named only once it is whole.
    const pending = await caches.open(`pendiente-${version}`);
    await pending.addAll([SHELL, ...files]);
    const whole = await caches.open(name);
    for (const request of await pending.keys()) await whole.put(request, await pending.match(request));
    await caches.delete(`pendiente-${version}`);
  }
  const others = (await caches.keys()).filter((key) => key.startsWith(PREFIX) && key !== name);
  for (const old of others.slice(0, -1)) await caches.delete(old);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  const isPage = request.mode === 'navigate' && !/^\/(?:api|pagar)\//.test(pathname);
  if (isPage) event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

// The network first, for three seconds; then the kept page, and without one the network's own answer or error.
async function page(request) {
  const answer = fetch(request);
  answer.catch(() => undefined);
  const late = new Promise((resolve) => setTimeout(resolve, LIMIT_MS));
  const first = await Promise.race([answer, late]).catch(() => undefined);
  return first ?? (await kept(SHELL)) ?? answer;
}

// Named by their content, so a kept file is the right one.
const asset = async (request) => (await kept(new URL(request.url).pathname)) ?? fetch(request);

const kept = (path) => caches.match(path, { ignoreSearch: true, ignoreVary: true }).catch(() => undefined);
