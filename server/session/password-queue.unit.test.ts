import { expect, it } from 'vitest';
import { inPasswordQueue } from './password-queue.ts';

it('a full queue refuses its own requests only', async () => {
  let open = () => {};
  const held = new Promise<void>((resolve) => (open = resolve));
  const running = Array.from({ length: 101 }, () => inPasswordQueue(['ana', 'office'], () => held));
  await expect(inPasswordQueue(['ana', 'home'], () => held)).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
  expect(await inPasswordQueue(['luis', 'home'], async () => 'done')).toBe('done');
  open();
  await Promise.all(running);
  expect(await inPasswordQueue(['ana', 'office'], async () => 'done')).toBe('done');
});

it('each queue runs one task at a time, in order of arrival, also after a failure', async () => {
  const done: string[] = [];
  let atOnce = 0;
  const work = (name: string) => async () => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    await Promise.resolve();
    atOnce -= 1;
    done.push(name);
    if (name === 'b') throw new Error(name);
  };
  const all = ['a', 'b', 'c'].map((name) => inPasswordQueue(['ana', name], work(name)));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(done).toEqual(['a', 'b', 'c']);
});
