import { describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { getHistorial } from '../../../contract/pedidos/pedidos.ts';
import type { Role } from '../../../contract/policy/policy.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';
import { transact } from '../../db/open.ts';
import { handOver } from './hand-over.ts';

/* Open orders of a person who leaves. */

worldForEachTest();

const give = (from: Person, to: string, actor = admin) => transact(world.db, (tx) => handOver(tx, actor.user, from.user, to));
const newPerson = async (role: Role, more = {}) => world.as(await world.user({ role, ...more }));
const holders = async (column: 'transportista' | 'revendedor') =>
  (
    await world.db
      .selectFrom('pedidos')
      .select([`${column}_id as id`, `${column}_nombre as nombre`])
      .orderBy('created_at')
      .execute()
  ).map(({ id, nombre }) => [id, nombre]);
const notices = async (who: Person) =>
  (await who.call(listNotifications)).body.data
    .filter(({ tipo }) => tipo === 'pedido_asignado')
    .map(({ texto, enlace }) => [texto, enlace]);

describe('handing over', () => {
  it('is refused to anyone but another active person of the same role', async () => {
    const refusal = { status: 422, body: { errors: { pedidos_a: ['Elige a otra persona activa con el mismo papel'] } } };
    const idle = await newPerson('transportista', { is_active: false });
    const gone = await newPerson('transportista', { deleted_at: new Date().toISOString() });
    for (const { user } of [carrier, reseller, idle, gone]) await expect(give(carrier, user.id)).rejects.toMatchObject(refusal);
    const other = await newPerson('superadmin');
    await expect(give(admin, other.user.id)).rejects.toMatchObject(refusal);
  });

  it('gives a carrier’s orders in hand to another carrier, who reads of each', async () => {
    const heir = await newPerson('transportista');
    const mine = { transportista_id: carrier.user.id };
    const first = await world.pedido({ estado: 'asignado', ...mine });
    await world.pedido({ estado: 'en_ruta', ...mine });
    await world.pedido({ estado: 'completado', ...mine });
    await world.pedido({ estado: 'asignado', ...mine, deleted_at: new Date().toISOString() });
    const other = await newPerson('transportista');
    await world.pedido({ estado: 'asignado', transportista_id: other.user.id });
    await give(carrier, heir.user.id);
    const [own, theirs] = [carrier, heir].map(({ user }) => [user.id, user.full_name]);
    expect(await holders('transportista')).toEqual([theirs, theirs, own, own, [other.user.id, other.user.full_name]]);
    const [step] = (await admin.call(getHistorial, { params: { id: first.id } })).body.data;
    expect([step?.accion, step?.nota]).toEqual(['Transportista cambiado', null]);
    expect(await notices(heir)).toHaveLength(2);
  });

  it.each([
    [0, undefined],
    [1, 'el pedido que tenía abierto'],
    [2, 'los 2 pedidos que tenía abiertos'],
  ])('gives %i open orders of a reseller to another, who reads of all at once', async (count, words) => {
    const heir = await newPerson('revendedor');
    const mine = { revendedor_id: reseller.user.id };
    for (let n = 0; n < count; n += 1) await world.pedido({ estado: n ? 'en_ruta' : 'pendiente_pago', ...mine });
    await world.pedido({ estado: 'completado', ...mine });
    await give(reseller, heir.user.id);
    const [own, theirs] = [reseller, heir].map(({ user }) => [user.id, user.full_name]);
    expect(await holders('revendedor')).toEqual([...Array.from({ length: count }, () => theirs), own]);
    expect(await notices(heir)).toEqual(
      words ? [[`${admin.user.full_name} te ha pasado ${words} ${reseller.user.full_name}`, '/mis-pedidos']] : [],
    );
    const notes = await world.db.selectFrom('pedidos_historial').select('nota').execute();
    expect(notes).toEqual(Array.from({ length: count }, () => ({ nota: `De ${reseller.user.full_name} a ${heir.user.full_name}` })));
  });

  it('sends no notice to its author', async () => {
    const heir = await newPerson('revendedor');
    await world.pedido({ estado: 'pendiente', revendedor_id: reseller.user.id });
    await give(reseller, heir.user.id, heir);
    expect(await notices(heir)).toEqual([]);
  });
});
