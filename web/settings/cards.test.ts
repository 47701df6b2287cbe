import { expect, test } from 'vitest';
import { SETTINGS } from '../../contract/settings/fields.ts';
import type { Setting } from '../../contract/settings/setting.ts';
import type { FieldName } from '../../contract/settings/values.ts';
import { CARDS, type CardName, fieldsIn, settingCardOf, settingPlace } from './cards.ts';

const names = Object.keys(CARDS) as CardName[];

test('every setting is in exactly one card of its tab', () => {
  const placed = names.flatMap((card) =>
    Object.values(fieldsIn(card))
      .flat()
      .map((field) => ({ card, field })),
  );
  expect(placed.map(({ field }) => field).toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
  for (const { card, field } of placed) expect([field, CARDS[card].tab]).toEqual([field, (SETTINGS[field] as Setting).tab]);
});

test('a setting that no card names is in the first card of its tab', () => {
  const added: [FieldName, Setting] = ['companyFax' as FieldName, { kind: 'text', tab: 'general', label: 'Fax' }];
  expect(fieldsIn('tienda', () => [added]).shown).toContain('companyFax');
  expect(fieldsIn('cobros', () => [added]).shown).not.toContain('companyFax');
  expect(settingCardOf('companyName')).toBe('tienda');
});

test('an address opens the card of its setting, or of a tab that existed until version 0.2', () => {
  expect(settingPlace('general', 'companyIban')).toEqual({ tab: 'general', card: 'cobros' });
  expect(settingPlace('delivery', '')).toEqual({ tab: 'general', card: 'entrega' });
  expect(settingPlace('messages', '')).toEqual({ tab: 'notifications', card: 'avisos' });
  expect(settingPlace('nada', 'nada')).toEqual({ tab: 'general', card: undefined });
});
