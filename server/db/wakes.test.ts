import { beforeAll, expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import { createWorld, type World } from '../../test/world.ts';
import { transact, wakeAfter } from './open.ts';

let world: World;
const heard: string[] = [];
beforeAll(async () => {
  world = await createWorld();
  const stop = await world.open.listen(
    'prueba',
    (payload) => heard.push(payload),
    () => {},
  );
  return async () => {
    await stop();
    await world.close();
  };
});

const say = (payload: string) => transact(world.db, async (tx) => wakeAfter(tx, { channel: 'prueba', payload }));

test('wake-ups with the same payload are merged, and every payload arrives', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, i) => say(i % 2 ? 'impar' : 'par')));
  await until(
    () => heard.includes('par') && heard.includes('impar'),
    () => `heard ${heard}`,
  );
  await say('fin');
  await until(
    () => heard.includes('fin'),
    () => `heard ${heard}`,
  );
  // Without merging, forty would arrive.
  expect(heard.length).toBeLessThan(20);
});

test('a rolled back transaction sends no wake-up', async () => {
  const failed = transact(world.db, async (tx) => {
    wakeAfter(tx, { channel: 'prueba', payload: 'nunca' });
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await say('después');
  await until(
    () => heard.includes('después'),
    () => `heard ${heard}`,
  );
  expect(heard).not.toContain('nunca');
});
