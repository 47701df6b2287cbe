import { expect, test } from 'vitest';
import { RefundDue } from './refund-due.tsx';

const wordsOf = (props: Parameters<typeof RefundDue>[0]) => {
  const { title, children } = RefundDue(props)?.props ?? {};
  return title && `${title}: ${[children].flat().join('')}`.replaceAll('\u00a0', ' ').split('.')[0];
};

test('the warning says what must be refunded and how many of the chosen orders are paid, or nothing', () => {
  expect(wordsOf({ paid: 0, amount: 0, of: 2 })).toBeUndefined();
  expect(wordsOf({ paid: 1, amount: 10.5 })).toBe('Habrá que reembolsar 10,50 €: Está pagado');
  expect(wordsOf({ paid: 1, amount: 10.5, of: 2 })).toBe('Habrá que reembolsar 10,50 €: 1 de ellos está pagado');
  expect(wordsOf({ paid: 2, amount: 21, of: 2 })).toBe('Habrá que reembolsar 21,00 €: 2 de ellos están pagados');
});
