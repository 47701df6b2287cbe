import { notifications } from '@mantine/notifications';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { stopOutbox } from '../../web/outbox/outbox.ts';
import { close, noteLeft, onDesk, takeLeft } from './app.tsx';
import { startServer, stopServer } from './fake-server.ts';

/*
 * Starts every component test with an empty browser and an empty shop, and fails the test on console errors. Prevents tests from
 * leaving the page, because the runner would lose the frame and all remaining files.
 */

let errors: string[] = [];
window.addEventListener('error', ({ message }) => void errors.push(message));
window.addEventListener('unhandledrejection', ({ reason }) => void errors.push(String(reason)));

/** Prevents and records attempts to leave the page: reloads, other addresses, forms. Tests that expect an attempt use `takeLeft`. */
navigation.addEventListener('navigate', (event) => {
  if (event.destination.sameDocument || event.downloadRequest !== null || !event.cancelable) return;
  event.preventDefault();
  noteLeft(`${event.formData ? 'form' : event.navigationType} ${event.destination.url.replace(location.origin, '')}`);
});

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
  takeLeft();
  vi.spyOn(console, 'error').mockImplementation((...said) => void errors.push(said.map(String).join(' ')));
});

afterEach(() => {
  close();
  notifications.clean();
  vi.useRealTimers();
  stopServer();
  expect(takeLeft(), 'the test leaves its page').toEqual([]);
  expect(errors, 'the browser reported errors').toEqual([]);
});
