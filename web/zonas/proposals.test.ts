import { expect, test } from 'vitest';
import { zonaProposals } from './proposals.ts';

const carrier = (full_name: string, zonas: string | null, pedidos_abiertos: number) => ({
  id: full_name,
  full_name,
  zonas,
  pedidos_abiertos,
});
const at = (...postcodes: (string | null)[]) => postcodes.map((cliente_codigo_postal) => ({ cliente_codigo_postal }));
const words = (...fields: Parameters<typeof zonaProposals>) => zonaProposals(...fields).map((each) => each.words);

test('only carriers whose zones contain the order are proposed, least loaded first', () => {
  const carriers = [carrier('Nuria', '28*', 1234), carrier('Tomás', '28013', 1), carrier('Eva', '45*', 0), carrier('Luis', null, 0)];
  expect(words(carriers, at('28013'))).toEqual(['Tomás · su zona · 1 pedido', 'Nuria · su zona · 1.234 pedidos']);
  expect(words(carriers, at('08001', null))).toEqual([]);
});

test('carriers whose zones cover most of the orders come before less loaded carriers', () => {
  const carriers = [carrier('Nuria', '28*', 12), carrier('Eva', '45*', 0)];
  expect(words(carriers, at('28001', '45001', '28002', null))).toEqual([
    'Nuria · su zona en 2 de 4 · 12 pedidos',
    'Eva · su zona en 1 de 4 · 0 pedidos',
  ]);
});

test('at most three carriers are proposed', () => {
  expect(
    words(
      ['A', 'B', 'C', 'D'].map((name, i) => carrier(name, '28*', i)),
      at('28001'),
    ),
  ).toHaveLength(3);
});
