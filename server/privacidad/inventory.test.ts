import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { WITHOUT } from '../../test/without.ts';
import { createWorld, type World } from '../../test/world.ts';
import { LOOSE, NAMED_IN, PLACES } from './inventory.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

const covered = new Set(
  [...PLACES, ...NAMED_IN, ...LOOSE].flatMap(({ table, columns }) => Object.keys(columns).map((name) => `${table}.${name}`)),
);
const declared = new Set(Object.entries(WITHOUT).flatMap(([table, columns]) => Object.keys(columns).map((name) => `${table}.${name}`)));

/** Returns every column that can hold text, from the database catalogue. */
async function wordy() {
  const { rows } = await sql<{ name: string; type: string }>`
    SELECT c.table_name || '.' || c.column_name AS name, c.data_type AS type
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name NOT LIKE 'kysely%'
      AND c.data_type NOT IN ('uuid', 'integer', 'bigint', 'boolean', 'date', 'timestamp with time zone', 'double precision', 'numeric')
    ORDER BY 1`.execute(world.db);
  return rows;
}

it('the inventory declares every text column, and no column that does not exist', async () => {
  const names = (await wordy()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(80);
  expect(
    names.filter((name) => !covered.has(name) && !declared.has(name)),
    'columns that neither server/privacidad/inventory.ts nor test/without.ts knows',
  ).toEqual([]);
  expect([...covered, ...declared].filter((name) => !names.includes(name))).toEqual([]);
});

it('tracking numbers of other companies are erased like the order’s own tracking number', () => {
  const rules = PLACES.flatMap(({ table, columns }) => Object.entries(columns).map(([name, { rule }]) => [`${table}.${name}`, rule]));
  expect(rules).toContainEqual(['envios_pedidos.seguimiento', 'nulo']);
  expect(rules).toContainEqual(['pedidos.numero_seguimiento', 'nulo']);
});

it('a column is declared either with customer data or without, never both', () => {
  expect([...declared].filter((name) => covered.has(name))).toEqual([]);
});

it('exactly the jsonb columns are treated as JSON', async () => {
  const json = new Set((await wordy()).filter(({ type }) => type === 'jsonb').map(({ name }) => name));
  for (const { table, columns } of [...PLACES, ...NAMED_IN, ...LOOSE]) {
    for (const [name, { rule, isJson = false }] of Object.entries(columns))
      expect(rule === 'json' || isJson, `${table}.${name}`).toBe(json.has(`${table}.${name}`));
  }
});

const columnsWithout = (places: readonly Pick<(typeof LOOSE)[number], 'table' | 'columns'>[], property: 'searched' | 'label') =>
  [
    ...new Set(
      places.flatMap(({ table, columns }) =>
        Object.entries(columns).flatMap(([name, column]) => (column[property] ? [] : [`${table}.${name}`])),
      ),
    ),
  ].toSorted();

it('a person is found by every text about an order but these, which repeat what the search text has or what programs wrote', () => {
  const found = columnsWithout([...PLACES.slice(1), ...LOOSE], 'searched');
  expect(found).toEqual(
    `audit_logs.antes audit_logs.description audit_logs.despues devoluciones_lineas.producto events.content facturables.cliente facturables.nif
    facturables_documentos.ciudad facturables_documentos.cliente facturables_documentos.codigo_postal facturables_documentos.direccion
    facturables_documentos.nif facturables_documentos.pais facturables_documentos.provincia ganancias.ciudad notifications.texto outbox.payload
    pedidos_historial.antes pedidos_lineas.producto respuestas_pedidos.hecho stock_movements.nota tienda_pedidos.correcciones`.split(/\s+/),
  );
});

it('a person’s file has every text about an order but these', () => {
  expect(columnsWithout(PLACES.slice(1), 'label')).toEqual(
    `audit_logs.antes audit_logs.despues ganancias.ciudad pedidos_historial.antes respuestas_pedidos.hecho tienda_pedidos.correcciones`.split(
      ' ',
    ),
  );
});

it('a value is erased in other texts too from this length on', () => {
  const lengths = PLACES.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([name, { maskElsewhere }]) => (maskElsewhere ? [`${table}.${name} ${maskElsewhere}`] : [])),
  );
  expect(lengths).toEqual([
    'pedidos.cliente_nombre 3',
    'pedidos.cliente_telefono 6',
    'pedidos.cliente_direccion 5',
    'pedidos.cliente_direccion2 4',
    'pedidos.cliente_nif 8',
    'pedidos.numero_seguimiento 6',
    'pedidos.instrucciones 6',
    'pedidos.aviso_cliente 6',
    'pedidos.motivo 6',
    'pedidos_historial.nota 6',
    'entregas.receptor_nombre 3',
    'envios_pedidos.seguimiento 6',
    'devoluciones.nota 6',
  ]);
});
