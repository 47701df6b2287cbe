import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevolucion, listDevoluciones, pedirResto } from '../../contract/devoluciones/devoluciones.ts';
import { createPedido, getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { partialDeliveries: true } });
});

const cliente = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono: '612345678', cliente_codigo_postal: '28013' };

type Quantity = { packs: number; units: number; missing: number; returned: number; agreed?: { envio: number; descuento: number } };
/** Delivers an order of `packs` without `missing` packs, returns `returned` of the delivered packs, and orders the rest. Packs have `units`. */
async function rest({ packs, units, missing, returned, agreed }: Quantity) {
  const { id: product_id } = await world.product({ stock: 100_000 });
  const { id: pack_id } = await world.pack({ product_id, pack_quantity: units, pack_price_cents: 1277 });
  const made = await admin.call(createPedido, { body: { ...cliente, ...agreed, lineas: [{ pack_id, cantidad: packs }] } });
  const { id } = made.body.data;
  const params = { id };
  const no_entregado = [{ numero: 1, cantidad: missing, motivo: 'falta' as const }];
  const delivered = await admin.call(setEstado, { params, body: { estado: 'completado', metodo_entrega: 'manual', no_entregado } });
  expect(delivered.status).toBe(200);
  const left = (await admin.call(listDevoluciones, { params })).body.data[0]?.id ?? '';
  if (returned) {
    const { version } = (await admin.call(getPedido, { params })).body.data;
    const lineas = [{ numero: 1, cantidad: returned, destino: 'stock' as const }];
    expect((await admin.call(createDevolucion, { params, body: { lineas, motivo: 'otro', version } })).status).toBe(201);
  }
  return admin.call(pedirResto, { params: { id: left } });
}

describe('the order for the rest', () => {
  it('the order for the rest has whole units, whatever was ordered, missing and returned', async () => {
    const quantities = fc.record({
      packs: fc.integer({ min: 2, max: 60 }),
      units: fc.integer({ min: 1, max: 12 }),
      missing: fc.integer({ min: 1, max: 59 }),
      returned: fc.integer({ min: 0, max: 58 }),
    });
    const possible = quantities
      .map((q) => ({ ...q, missing: Math.min(q.missing, q.packs - 1) }))
      .map((q) => ({ ...q, returned: Math.min(q.returned, q.packs - q.missing) }));
    await fc.assert(
      fc.asyncProperty(possible, async (quantity) => {
        const { status, body } = await rest(quantity);
        expect(status).toBe(201);
        const { cantidad, unidades_retenidas } = body.data as Pedido;
        expect([cantidad, unidades_retenidas]).toEqual([quantity.missing, quantity.missing * quantity.units]);
      }),
      { numRuns: 25, examples: [[{ packs: 11, units: 5, missing: 3, returned: 0 }], [{ packs: 10, units: 9, missing: 7, returned: 3 }]] },
    );
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  }, 60_000);

  it('the order for the rest of a free order, whose discount covers the shipping too, is free', async () => {
    const agreed = { envio: 5, descuento: 43.31 };
    const { status, text, body } = await rest({ packs: 3, units: 1, missing: 1, returned: 1, agreed });
    expect(status, text).toBe(201);
    expect((body.data as Pedido).precio_total).toBe(0);
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  });
});
