import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { EN_MANOS } from '../../../contract/pedidos/estados.ts';
import { listPedidos, type PedidoTransportista } from '../../../contract/pedidos/pedidos.ts';
import { listOrders, type OwnQuery } from '../../../contract/transportista/listed.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

/* A telephone without coverage lists the rows that the server would. */

let world: World;
let carrier: Person;
let serial = 0;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

const names = ['José Núñez', 'jose nunez', 'Łukasz Ærø', "Mª O'Neill", 'Ana 3º', 'PÉREZ-GIL', 'Peña & Cía', '𝒥uan', 'Ñandú 50%'];
const towns = [
  'Toledo',
  'toledo',
  'Ávila',
  'Avila',
  'Zaragoza',
  'L’Hospitalet',
  'L-Ametlla',
  'La Coruña',
  'A Coruña',
  'Ñora',
  'Nerja',
  null,
];
const telephones = ['600 102 030', '+34 611-22 33 44', '00351 912 345 678', '600102030 / 622 33 44 55', '12', 'no tiene', null];
const anyOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const order = fc.record({
  estado: anyOf(EN_MANOS),
  cliente_nombre: anyOf(names),
  cliente_ciudad: anyOf(towns),
  cliente_telefono: anyOf(telephones),
  cliente_direccion: anyOf(['Calle Mayor, 3', 'Avda. de la Constitución 12-B', 'C/ Ana_Frank 5 «bajo»']),
  cliente_direccion2: anyOf(['3º B', null]),
  cliente_codigo_postal: anyOf(['45001', '08901', '4500-123', null]),
  producto: anyOf(['Aceite (5 l)', 'Jamón ibérico', 'Queso de 1,5 kg y 12,50']),
  numero_seguimiento: anyOf(['PK43ABC0001', null]),
  fecha_estimada: anyOf(['2026-11-27T11:00:00Z', '2026-11-27T12:30:00.123Z', '2026-12-01T11:00:00Z', null]),
  // A shop's numbers, beside those of the sequence.
  tail: anyOf(['', '#A 1', 'EB-7']),
});
const search = fc.oneof(
  anyOf([
    '',
    'a',
    'an',
    '3',
    '%',
    '_',
    '-',
    'núñez',
    'NUNEZ jo',
    "o'n",
    'o’n',
    'aero',
    '600102030',
    '+34 600 10 20 30',
    '912 345 678',
    '611',
  ]),
  anyOf([
    '45001',
    '450',
    '12',
    '12,50',
    '12.50 €',
    'ord-2026',
    'ORD',
    '#A',
    'eb7',
    'EB 7',
    'pk43abc',
    '«bajo»',
    'mayor 3',
    '3 mayor',
    '50%',
    'ñ',
    'n',
  ]),
  anyOf(towns).map((town) => (town ?? '').slice(0, 4)),
  fc.string({ maxLength: 4 }).filter((text) => !text.includes('\0') && text.isWellFormed()),
);

async function make(fields: readonly ({ tail: string } & Record<string, unknown>)[]): Promise<void> {
  for (const { tail, ...row } of fields)
    await world.pedido({
      ...(row as Parameters<typeof world.pedido>[0]),
      numero_orden: tail ? `${tail}-${++serial}` : `ORD-2026${String(100_000 + ++serial)}`,
      transportista_id: carrier.user.id,
    });
}

const asked = (query: OwnQuery & { page?: number }) => carrier.call(listPedidos, { query: { ...query, dir: 'asc', con: 'lineas' } });
async function onServer(query: OwnQuery): Promise<PedidoTransportista[]> {
  const rows: PedidoTransportista[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { status, body } = await asked({ ...query, page });
    expect(status).toBe(200);
    rows.push(...(body.data as PedidoTransportista[]));
    last = body.last_page;
  }
  return rows;
}

const query = fc.record(
  { search, estado: fc.subarray([...EN_MANOS], { minLength: 1 }).map(String), ciudad: anyOf(towns.filter((town) => town !== null)) },
  { requiredKeys: ['estado'] },
);
const sort = anyOf(['fecha_estimada', 'cliente_ciudad'] as const);

test('any query over sixty orders has the same rows, in the same order, on the server and on the telephone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(order, { minLength: 60, maxLength: 60 }),
      fc.array(fc.tuple(query, sort), { minLength: 40, maxLength: 40 }),
      async (orders, queries) => {
        await world.reset();
        carrier = await world.as('transportista');
        await make(orders);
        const all = await onServer({ estado: EN_MANOS.join(','), sort: 'fecha_estimada' });
        expect(all).toHaveLength(60);
        const shuffled = all.toSorted((a, b) => (a.version + a.numero_orden < b.version + b.numero_orden ? 1 : -1));
        for (const [fields, sorted] of queries) {
          const wanted = { ...fields, sort: sorted };
          const numbers = (rows: readonly PedidoTransportista[]) => rows.map(({ numero_orden }) => numero_orden);
          expect([wanted, numbers(listOrders(shuffled, wanted))]).toEqual([wanted, numbers(await onServer(wanted))]);
        }
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
});
