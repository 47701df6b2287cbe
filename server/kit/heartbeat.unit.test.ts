import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../test/until.ts';
import { startHeartbeat } from './heartbeat.ts';

let asked = 0;
let server: Server;
let stop = () => {};
beforeEach(async () => {
  asked = 0;
  server = createServer((_, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 500 : 200).end();
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
});
afterEach(() => {
  stop();
  server.close();
});
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping`;

it('the heartbeat continues after an error and pauses while not all is well', async () => {
  let well = true;
  let looked = 0;
  const errors: unknown[] = [];
  const isWell = async () => {
    looked += 1;
    return well;
  };
  stop = startHeartbeat(url(), isWell, (error) => errors.push(error), { every: 20, patience: 1000 });
  const looks = (more: number) => {
    const from = looked;
    return until(
      () => looked >= from + more,
      () => `${looked}`,
    );
  };
  await until(
    () => asked >= 3,
    () => `${asked}`,
  );
  expect(errors).toHaveLength(1);
  well = false;
  await looks(3);
  const before = asked;
  await looks(5);
  expect(asked).toBe(before);
});
