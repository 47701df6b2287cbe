import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { unirCliente } from '../../contract/clientes/clientes.ts';
import { getCuadre, startCuadre } from '../../contract/cuadre/cuadre.ts';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { cerrarMes, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { createPedido, deletePedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import { earnedOn, monthsBack } from '../../test/earning.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../test/roles-world.ts';
import { onSnapshot, type Tx } from '../db/open.ts';
import { CHECKS } from './checks.ts';
import { runCuadre } from './cuadre.ts';
import { recountAccounts } from './run.ts';

worldForEachTest();

/** Ids of the rows of a small shop that the tests falsify. */
type Shop = Record<'product' | 'open' | 'cancelled' | 'deleted' | 'delivered' | 'main' | 'joined' | 'other' | 'carrier', string>;

async function aShop(): Promise<Shop> {
  const pack = await world.pack({ pack_quantity: 6, pack_price_cents: 1000 });
  const tarifas = [{ zona: 'peninsula' as const, entrega: 3.5, intento: 1 }];
  const margen = { tipo: 'porcentaje' as const, valor: 10 };
  for (const [who, body] of [
    [carrier, { tarifas }],
    [reseller, { margen }],
  ] as const)
    expect((await admin.call(setGanancia, { params: { id: who.user.id }, body })).status).toBe(200);

  const order = async (telefono: string) => {
    const ana = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono: telefono };
    const { body } = await reseller.call(createPedido, { body: { ...ana, pack_id: pack.id, cantidad: 3 } });
    return body.data.id;
  };
  const pay = (id: string) => admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 30, fecha: dayInMadrid() } });
  const deliver = async (id: string) => {
    await pay(id);
    await carrier.call(autoAsignar, { params: { id } });
    await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
    await carrier.call(setEstado, { params: { id }, body: { estado: 'asignado', motivo: 'No había nadie' } });
    await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
    const done = await carrier.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
    expect(done.status).toBe(200);
  };
  const [delivered, deleted, cancelled, open] = [
    await order('600000001'),
    await order('600000002'),
    await order('600000002'),
    await order('600000003'),
  ];
  for (const id of [delivered, deleted]) await deliver(id);
  await pay(open);
  await earnedOn(world.db, monthsBack(1).last);
  expect((await admin.call(cerrarMes, { body: { mes: monthsBack(1).mes } })).body.data).toMatchObject({ liquidaciones: 2 });
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  const answer = await admin.call(createDevolucion, { params: { id: delivered }, body: { lineas, motivo: 'danado', reembolso: 5 } });
  expect(answer.status).toBe(201);
  await admin.call(deletePedido, { params: { id: deleted } });
  await admin.call(setEstado, { params: { id: cancelled }, body: { estado: 'cancelado' } });
  const clienteOf = async (id: string) =>
    (await world.db.selectFrom('pedidos').select('cliente_id').where('id', '=', id).executeTakeFirstOrThrow()).cliente_id as string;
  const [main, joined, other] = [await clienteOf(delivered), await clienteOf(deleted), await clienteOf(open)];
  expect((await admin.call(unirCliente, { params: { id: main }, body: { cliente_id: joined } })).status).toBe(200);
  return { ...{ product: pack.product_id, open, cancelled, deleted, delivered, main, joined, other }, carrier: carrier.user.id };
}

type Bend = {
  check: string;
  sql: (shop: Shop) => string;
  /** Stored and expected values that the check reports for the row. */
  hay: number | string;
  esperado: number | string;
  /** Other checks that fail too. */
  too?: string[];
};
const set = (table: string, what: string, of: keyof Shop) => (shop: Shop) => `UPDATE ${table} SET ${what} WHERE id = '${shop[of]}'`;
const earned = (concepto: string, of: keyof Shop) => (shop: Shop) =>
  `INSERT INTO ganancias (user_id, pedido_id, numero_orden, concepto, cents) VALUES ('${shop.carrier}', '${shop[of]}', 'X', '${concepto}', 100)`;

const prueba = (id: string) => `INSERT INTO pruebas (pedido_id, tipo, sha256, bytes) VALUES ('${id}', 'foto', '0', 1)`;

const BENDS: Bend[] = [
  { check: 'stock', sql: set('products', 'stock = stock + 1', 'product'), hay: 953, esperado: 952 },
  {
    check: 'totales',
    sql: () => "INSERT INTO pedidos_totales_cambios VALUES (NULL, NULL, '2026-01-02', 'pendiente', 1, 100, 0, 0)",
    hay: '1 pedido, 1,00 €',
    esperado: '0 pedidos, 0,00 €',
  },
  {
    check: 'por_cobrar',
    sql: () => "INSERT INTO pedidos_totales_cambios VALUES (NULL, NULL, '2026-01-02', 'pendiente', 0, 0, 1, 100)",
    hay: '1 pedido, 1,00 €',
    esperado: '0 pedidos, 0,00 €',
  },
  {
    check: 'numeros',
    sql: ({ open, cancelled }) => `ALTER TABLE pedidos DROP CONSTRAINT pedidos_numero_orden_key;
      UPDATE pedidos SET numero_orden = (SELECT numero_orden FROM pedidos WHERE id = '${open}') WHERE id = '${cancelled}'`,
    ...{ hay: 2, esperado: 1, too: ['busqueda'] },
  },
  { check: 'retenidas', sql: set('pedidos', 'unidades_retenidas = unidades_retenidas + 1', 'open'), hay: 19, esperado: 18 },
  { check: 'retenidas', sql: set('pedidos', 'unidades_retenidas = 18', 'delivered'), hay: 18, esperado: 12 },
  {
    check: 'movimientos',
    sql: ({ open }) => `UPDATE stock_movements SET unidades = unidades - 1 WHERE pedido_id = '${open}'`,
    ...{ hay: 19, esperado: 18, too: ['stock'] },
  },
  {
    check: 'movimientos',
    sql: ({ cancelled }) => `DELETE FROM stock_movements WHERE motivo = 'devolucion' AND pedido_id = '${cancelled}'`,
    ...{ hay: 18, esperado: 0, too: ['stock'] },
  },
  { check: 'total', sql: set('pedidos', 'envio_cents = envio_cents + 100', 'open'), hay: 30, esperado: 31 },
  { check: 'cantidad', sql: set('pedidos', 'cantidad = 4', 'open'), hay: 4, esperado: 3 },
  { check: 'lineas', sql: set('pedidos', 'num_lineas = 2', 'open'), hay: 2, esperado: 1 },
  {
    check: 'devuelto_de_mas',
    sql: () => 'UPDATE devoluciones_lineas SET cantidad = 4',
    ...{ hay: 4, esperado: 3, too: ['cantidad_devuelta', 'devuelto', 'ganado'] },
  },
  { check: 'entrega_parcial', sql: set('pedidos', 'entrega_parcial = true', 'delivered'), hay: 'parcial', esperado: 'completa' },
  { check: 'cantidad_devuelta', sql: set('pedidos', 'cantidad_devuelta = 2', 'delivered'), hay: 2, esperado: 1 },
  { check: 'devuelto', sql: set('pedidos', 'devuelto_cents = 999', 'delivered'), hay: 9.99, esperado: 10 },
  { check: 'reembolsado', sql: set('pedidos', 'reembolsado_cents = 600', 'delivered'), hay: 6, esperado: 5 },
  {
    check: 'reembolsado_de_mas',
    sql: set('pedidos', 'pagado_cents = 100', 'delivered'),
    hay: 5,
    esperado: 1,
    too: ['por_cobrar', 'pagado', 'por_reembolsar', 'por_reembolsar_desde'],
  },
  { check: 'pagado', sql: set('pedidos', 'pagado_cents = 2999', 'open'), hay: 29.99, esperado: 30, too: ['por_cobrar'] },
  { check: 'pagado', sql: () => "UPDATE pagos SET estado = 'rechazado'", hay: 30, esperado: 0, too: ['por_reembolsar'] },
  { check: 'cobro_empresa', sql: set('pedidos', 'cobro_empresa_cents = 500', 'open'), hay: 5, esperado: 0 },
  {
    check: 'vuelto',
    sql: ({ open }) => `INSERT INTO payment_events (proveedor, evento_id, pedido_id, resultado, anotado_cents)
      VALUES ('stripe', 'evt_1', '${open}', 'reembolso', 1000)`,
    ...{ hay: 0, esperado: 10 },
  },
  {
    check: 'por_reembolsar',
    sql: ({ open }) => `UPDATE pagos SET importe_cents = importe_cents + 500 WHERE pedido_id = '${open}'`,
    ...{ hay: 0, esperado: 5, too: ['pagado'] },
  },
  {
    check: 'por_reembolsar_desde',
    sql: set('pedidos', 'por_reembolsar_at = now()', 'open'),
    ...{ hay: 'con fecha', esperado: 'sin fecha' },
  },
  {
    check: 'para_facturar',
    sql: ({ delivered }) => `
      WITH followed AS (INSERT INTO facturables_seguimiento (marca, desde, xid, pedido_id)
        VALUES ('m', '2026-01-01', '9000000000000', 'ffffffff-ffff-4fff-8fff-ffffffffffff')),
      documento AS (INSERT INTO facturables_documentos (documento, serie, numero, pedido_id, motivo, fecha, numero_orden, cliente)
        SELECT 'V26-000001', 'V26', 1, id, 'venta', '2026-01-01', numero_orden, 'Ana' FROM pedidos WHERE id = '${delivered}')
      INSERT INTO facturables (documento, seq, pedido_id, numero_orden, tipo, motivo, fecha, cliente, base_cents, cuota_cents, total_cents, devueltos)
        SELECT 'V26-000001', 1, id, numero_orden, '0', 'venta', '2026-01-01', 'Ana', 1234, 0, 1234, 0 FROM pedidos WHERE id = '${delivered}'`,
    ...{ hay: 12.34, esperado: 20 },
  },
  {
    check: 'en_empresa',
    sql: set('pedidos', "en_empresa = 'Correos', en_empresa_at = now()", 'open'),
    ...{ hay: 'Correos', esperado: 'ninguna' },
  },
  {
    check: 'estado',
    sql: set('pedidos', "estado = 'pendiente_pago'", 'open'),
    hay: 'Pendiente Pago',
    esperado: 'Pendiente',
    too: ['totales'],
  },
  {
    check: 'busqueda',
    sql: ({ open }) => `UPDATE pedidos_busqueda SET texto = 'otra' WHERE pedido_id = '${open}'`,
    ...{ hay: 'otros datos', esperado: 'sus datos' },
  },
  {
    check: 'busqueda',
    sql: ({ open }) => `DELETE FROM pedidos_busqueda WHERE pedido_id = '${open}'`,
    ...{ hay: 'sin texto de búsqueda', esperado: 'sus datos' },
  },
  { check: 'clientes', sql: set('clientes', 'pedidos = 2', 'main'), hay: '2 pedidos, 30,00 €', esperado: '1 pedido, 30,00 €' },
  { check: 'clientes', sql: set('clientes', 'total_cents = 1', 'joined'), hay: '0 pedidos, 0,01 €', esperado: '0 pedidos, 0,00 €' },
  {
    check: 'clientes_en_cadena',
    sql: ({ main, other }) => `UPDATE clientes SET unido_a = '${other}' WHERE id = '${main}'`,
    ...{ hay: 'unido a uno que está unido', esperado: 'unido al principal', too: ['clientes'] },
  },
  {
    check: 'clientes_de_dos',
    sql: set('clientes', 'revendedor_id = NULL', 'joined'),
    ...{ hay: 'unido al de otro revendedor', esperado: 'unido a uno del suyo' },
  },
  {
    check: 'margenes',
    sql: ({ delivered }) => `UPDATE ganancias SET margen_valor = 1100 WHERE pedido_id = '${delivered}' AND margen_valor > 0`,
    hay: 3,
    esperado: 3.3,
  },
  { check: 'ganado', sql: earned('entrega', 'open'), hay: 1, esperado: 0 },
  { check: 'ganado', sql: earned('correccion', 'deleted'), hay: 1, esperado: 0 },
  { check: 'ganado', sql: earned('correccion', 'delivered'), hay: 5.5, esperado: 4.5 },
  {
    check: 'ganado',
    sql: ({ delivered }) => `DELETE FROM ganancias WHERE pedido_id = '${delivered}' AND concepto = 'devolucion'`,
    ...{ hay: 3, esperado: 2 },
  },
  { check: 'liquidaciones', sql: () => 'UPDATE liquidaciones SET total_cents = 1', hay: 0.01, esperado: 6 },
  { check: 'liquidaciones_lineas', sql: () => 'UPDATE liquidaciones SET num_lineas = 9', hay: 9, esperado: 2 },
  {
    check: 'liquidaciones_lineas',
    sql: ({ carrier }) => `UPDATE ganancias SET user_id = '${carrier}' WHERE concepto = 'margen'`,
    ...{ hay: 2, esperado: 0, too: ['ganado'] },
  },
  {
    check: 'cajas',
    sql: ({ carrier }) => `INSERT INTO cajas (transportista_id, transportista_nombre, dia, esperado_cents, contado_cents)
      VALUES ('${carrier}', 'Tomás', '2026-01-02', 100, 100)`,
    ...{ hay: 1, esperado: 0 },
  },
  {
    check: 'en_mano',
    sql: ({
      open,
      carrier,
    }) => `UPDATE pagos SET transportista_id = '${carrier}', proveedor = 'efectivo', fecha = '2026-01-03', caja_dia = '2026-01-02'
      WHERE pedido_id = '${open}'`,
    ...{ hay: '02/01/2026', esperado: '03/01/2026', too: ['cobros'] },
  },
  {
    check: 'extractos',
    sql: () => `WITH e AS (INSERT INTO extractos (id, fichero, leido_por_nombre) VALUES (gen_random_uuid(), 'a', 'Ana') RETURNING id)
      INSERT INTO movimientos (extracto_id, cuenta, fecha, importe_cents, texto, formato, huella, orden, resto_cents)
      SELECT id, '1', '2026-01-05', 500, 'A', 'n43', 'a', 1, 0 FROM e`,
    ...{ hay: 0, esperado: 5 },
  },
  {
    check: 'remesas',
    sql: () =>
      `INSERT INTO remesas (empresa, fecha, recibido_cents, comision_cents, creada_por_nombre) VALUES ('MRW', '2026-01-05', 400, 100, 'Ana')`,
    ...{ hay: 5, esperado: 0 },
  },
  {
    check: 'comprobados',
    sql: ({ open, carrier }) =>
      `UPDATE pagos SET transportista_id = '${carrier}', comprobado_at = now(), estado = 'anulado' WHERE pedido_id = '${open}'`,
    ...{ hay: 'anulado', esperado: 'comprobado', too: ['pagado', 'cobros'] },
  },
  {
    check: 'cobros',
    sql: ({ open, carrier }) => `UPDATE pagos SET transportista_id = '${carrier}' WHERE pedido_id = '${open}'`,
    ...{ hay: 'cobrado por otro', esperado: 'cobrado por quien lo entregó' },
  },
  {
    check: 'pruebas_cadena',
    sql: ({ delivered }) => `${prueba(delivered)}; UPDATE pruebas SET sello = 'otro'`,
    ...{ hay: 'otro sello', esperado: 'el de sus datos y la anterior' },
  },
  {
    check: 'pruebas_ficheros',
    sql: ({ delivered }) => `${prueba(delivered)}; UPDATE pruebas SET fichero = 'x', problema = 'falta'`,
    // Triggers are disabled, so the row gets no seal.
    ...{ hay: 'no está', esperado: 'el que se envió', too: ['pruebas_cadena'] },
  },
  {
    check: 'pruebas_esperadas',
    sql: ({ delivered }) => `INSERT INTO entregas (pedido_id, anunciadas, entregada_at)
      VALUES ('${delivered}', '[{"tipo": "foto", "sha256": "0"}]', now() - interval '2 days')`,
    ...{ hay: 'no ha llegado', esperado: 'enviada desde el teléfono' },
  },
];

/** Returns the recount after falsifying data, and rolls back. */
async function bent(statements: string, rows?: number) {
  let found: Awaited<ReturnType<typeof recountAccounts>> = [];
  const undo = new Error('undo');
  const work = world.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx.withoutPlugins());
    await sql.raw(statements).execute(tx.withoutPlugins());
    found = await recountAccounts(tx as Tx, rows ? { rows } : {});
    throw undo;
  });
  await expect(work).rejects.toBe(undo);
  return found;
}

describe('the recount', () => {
  it('the recount finds every falsified row, and nothing in data made by Enruta', async () => {
    const shop = await aShop();
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
    for (const { check, sql: bend, hay, esperado, too = [] } of BENDS) {
      const found = await bent(bend(shop));
      const names = [check, ...too];
      expect(
        found.map(({ name }) => name),
        check,
      ).toEqual(CHECKS.map(({ name }) => name).filter((name) => names.includes(name)));
      expect(found.find(({ name }) => name === check)?.filas, check).toContainEqual(expect.objectContaining({ hay, esperado }));
    }
  });

  it('every check of the recount is tested with a falsified row', () => {
    expect([...new Set(BENDS.map(({ check }) => check))]).toEqual(CHECKS.map(({ name }) => name));
  });

  it('a recount in parts counts all differences, but stores only the first twenty', async () => {
    const pack = await world.pack();
    for (let n = 0; n < 25; n += 1) await world.pedido({ pack });
    const [found, ...more] = await bent('UPDATE pedidos SET cantidad = 7', 4);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ name: 'cantidad', cuantas: 25 });
    expect(new Set(found?.filas.map(({ enlace }) => enlace)).size).toBe(20);
  });
});

describe('a recount in the background', () => {
  const read = async () => (await admin.call(getCuadre)).body.data;
  const waiting = async () => (await admin.call(atencionStats)).body.data.cuadre;

  it('only one recount runs at a time, and its result is stored', async () => {
    expect(await read()).toMatchObject({ ultimo: null, en_curso: null, comprobaciones: CHECKS.map(({ titulo }) => titulo) });
    const { status, body } = await admin.call(startCuadre);
    expect([status, body.message]).toEqual([201, 'Comprobando las cuentas']);
    expect((await read()).en_curso).toMatchObject({ id: body.data.id, ended_at: null });
    const again = await admin.call(startCuadre);
    expect([again.status, again.body.message]).toEqual([409, 'Ya se están comprobando las cuentas: espera a que acabe']);

    await world.pedido();
    await runCuadre(world.db);
    const { ultimo, en_curso } = await read();
    expect(en_curso).toBeNull();
    expect(ultimo).toMatchObject({ id: body.data.id, pedidos: 1, diferencias: [], num_diferencias: 0, ended_at: expect.any(String) });
    expect(ultimo?.partes).toBeGreaterThan(CHECKS.length / 2);
    expect(ultimo?.hechas).toBe(ultimo?.partes);
  });

  it('the recount reports differences every time until they are gone, without correcting them', async () => {
    const { id, numero_orden } = await world.pedido({ pagado_cents: 500 });
    for (let night = 0; night < 2; night += 1) {
      await runCuadre(world.db);
      expect((await read()).ultimo?.diferencias).toEqual([
        {
          ...{ name: 'pagado', titulo: 'Lo pagado de cada pedido es la suma de sus pagos', unidad: 'euros', cuantas: 1 },
          remedio: expect.stringMatching(/técnico/),
          filas: [{ que: numero_orden, hay: 5, esperado: 0, enlace: `/pedidos/${id}` }],
        },
      ]);
      expect(await waiting()).toBe(1);
    }
    await world.db.updateTable('pedidos').set({ pagado_cents: 0 }).execute();
    expect(await waiting()).toBe(1);
    await runCuadre(world.db);
    expect([await waiting(), (await read()).ultimo?.num_diferencias]).toEqual([0, 0]);
  });

  it('a recount in progress is resumed, or replaced once expired', async () => {
    const { body } = await admin.call(startCuadre);
    await runCuadre(world.db);
    expect((await read()).ultimo?.id).toBe(body.data.id);
    const old = new Date(Date.now() - 3 * 3_600_000).toISOString();
    await world.db.insertInto('cuadres').values({ started_at: old }).execute();
    expect((await admin.call(startCuadre)).status).toBe(201);
  });

  it('a failed recount is no longer in progress', async () => {
    await world.pedido();
    await sql`ALTER TABLE pedidos_busqueda RENAME TO apartada`.execute(world.db);
    try {
      await expect(runCuadre(world.db)).rejects.toThrow('pedidos_busqueda');
    } finally {
      await sql`ALTER TABLE apartada RENAME TO pedidos_busqueda`.execute(world.db);
    }
    expect(await read()).toMatchObject({ ultimo: null, en_curso: null });
  });

  it('a recount deletes results older than ninety days', async () => {
    const old = new Date(Date.now() - 91 * 86_400_000).toISOString();
    await world.db.insertInto('cuadres').values({ started_at: old, ended_at: old }).execute();
    await runCuadre(world.db);
    expect(await world.db.selectFrom('cuadres').select('ended_at').execute()).toEqual([{ ended_at: (await read()).ultimo?.ended_at }]);
  });
});
