import { notifications } from '@mantine/notifications';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { markOnline } from '../../web/connection.ts';
import { stopOutbox } from '../../web/outbox/outbox.ts';
import { close, onDesk } from './app.tsx';
import { startServer, stopServer } from './fake-server.ts';
import { noteError, takeErrors, takeLeft } from './watch.ts';

/*
 * Starts every component test with an empty browser and an empty shop, and fails the test on console errors. Runs before each file, while
 * the modules of the program and of test/web stay loaded from one file to the next.
 */

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
  markOnline();
  for (const { name = '' } of await indexedDB.databases()) await deleteDB(name);
  for (const { name } of await cookieStore.getAll()) await cookieStore.delete(name ?? '');
  if (innerWidth !== 1440) await onDesk();
  startServer();
  takeErrors();
  takeLeft();
  vi.spyOn(console, 'error').mockImplementation((...args) => noteError(args.map(String).join(' ')));
});

afterEach(() => {
  close();
  notifications.clean();
  vi.useRealTimers();
  stopServer();
  expect(takeLeft(), 'the test leaves its page').toEqual([]);
  expect(takeErrors(), 'the browser reported errors').toEqual([]);
});
