import { expect, it } from 'vitest';
import { drawableText, inTurn, toLatin } from './paper.ts';

it('a Latin letter that the fonts lack loses its accent, and a letter of another alphabet keeps its own', () => {
  expect(toLatin('Mădălina Юрий Άννα')).toBe('Madalina Юрий Άννα');
});

it('a letter of another alphabet is a question mark where only the built-in fonts draw', () => {
  expect(drawableText('Mădălina Юрий')).toBe('Madalina ????');
});

it('drawings run one at a time, alternating between people, and a failed drawing stops no other', async () => {
  const done: string[] = [];
  let running = 0;
  const draw = (id: string, name: string, fails = false) =>
    inTurn({ id }, async () => {
      expect((running += 1)).toBe(1);
      await Promise.resolve();
      running -= 1;
      done.push(name);
      if (fails) throw new Error('no paper');
    });
  const failed = draw('ana', 'a1', true);
  const all = [draw('ana', 'a2'), draw('ana', 'a3'), draw('eva', 'e1'), draw('eva', 'e2'), draw('leo', 'l1')];
  await expect(failed).rejects.toThrow('no paper');
  await Promise.all(all);
  expect(done).toEqual(['a1', 'a2', 'e1', 'l1', 'a3', 'e2']);
});
