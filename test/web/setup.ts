import { notifications } from '@mantine/notifications';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { stopOutbox } from '../../web/outbox/outbox.ts';
import { close, onDesk } from './app.tsx';
import { startServer, stopServer } from './fake-server.ts';

/* Starts every component test with an empty browser and an empty shop, and fails it on console errors. */

let errors: string[] = [];
window.addEventListener('error', ({ message }) => void errors.push(message));
window.addEventListener('unhandledrejection', ({ reason }) => void errors.push(String(reason)));

// No live stream: tests announce changes themselves.
vi.stubGlobal(
  'EventSource',
  class extends EventTarget {
    static readonly CLOSED = 2;
    readonly readyState = 1;
    close() {}
  },
);

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  stopOutbox();
  for (const { name = '' } of await indexedDB.databases()) await deleteDB(name);
  for (const { name } of await cookieStore.getAll()) await cookieStore.delete(name ?? '');
  if (innerWidth !== 1440) await onDesk();
  startServer();
  errors = [];
  vi.spyOn(console, 'error').mockImplementation((...said) => void errors.push(said.map(String).join(' ')));
});

afterEach(() => {
  close();
  notifications.clean();
  vi.useRealTimers();
  stopServer();
  expect(errors, 'the browser reported errors').toEqual([]);
});
