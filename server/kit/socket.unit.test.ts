import { expect, test } from 'vitest';
import { socketOfSystemd } from './socket.ts';

test('the socket of systemd is used by its process only, and the variables are deleted', () => {
  const env = { LISTEN_FDS: '1', LISTEN_PID: '42', LISTEN_FDNAMES: 'enruta.socket', PATH: '/bin' };
  expect(socketOfSystemd(env, 42)).toEqual({ fd: 3 });
  expect(env).toEqual({ PATH: '/bin' });
  expect(socketOfSystemd({ LISTEN_FDS: '1', LISTEN_PID: '42' }, 43)).toBeUndefined();
  expect(socketOfSystemd({}, 42)).toBeUndefined();
  expect(() => socketOfSystemd({ LISTEN_FDS: '2', LISTEN_PID: '42' }, 42)).toThrow('un solo ListenStream');
});
