import { expect, it } from 'vitest';
import { drawable, latin } from './paper.ts';

it('a Latin letter that the fonts lack loses its accent, and a letter of another alphabet keeps its own', () => {
  expect(latin('Mădălina Юрий Άννα')).toBe('Madalina Юрий Άννα');
});

it('a letter of another alphabet is a question mark where only the built-in fonts draw', () => {
  expect(drawable('Mădălina Юрий')).toBe('Madalina ????');
});
