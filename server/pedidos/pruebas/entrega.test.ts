import { describe, expect, it } from 'vitest';
import type { EstadoInput } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { admin, carrier, world, worldForEachTest } from '../../../test/roles-world.ts';
import { type Tx, transact } from '../../db/open.ts';
import { DomainError } from '../../kit/errors.ts';
import { readSettings } from '../../settings/settings.ts';
import { lockPedido } from '../lectura/row.ts';
import { allowNeighbour, announcedFiles, announcedPhotos, customerSide, readEntrega, recordEntrega, withdrawEntrega } from './entrega.ts';

/* What a delivery records, and that it leaves other deliveries as they were. */

worldForEachTest();

const inTx = <T>(act: (tx: Tx) => Promise<T>) => transact(world.db, act);
const set = async (body: object = {}) => {
  expect((await admin.call(updateSettings, { body: { proofOfDelivery: true, ...body } })).status).toBe(200);
};
const road = (fields: object = {}) => world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id, ...fields });
const HAND = { forma_entrega: 'en_mano' } as const;
const CARRIER = (): Actor => ({ id: carrier.user.id, role: 'transportista', full_name: 'Tere' });
const OFFICE = (): Actor => ({ id: admin.user.id, role: 'superadmin', full_name: 'Olga' });

/** What a delivery lacks, or the fields that its refusal names. */
async function record(id: string, body: Partial<EstadoInput>, actor = CARRIER()): Promise<unknown> {
  const input = { estado: 'completado', ...body } as EstadoInput;
  const outcome = await inTx(async (tx) => recordEntrega(tx, actor, await lockPedido(tx, SISTEMA, id), input, undefined)).catch(
    (error) => error,
  );
  return outcome instanceof DomainError ? [outcome.status, ...Object.keys(outcome.body.errors ?? {})] : outcome;
}
const rows = () =>
  world.db
    .selectFrom('entregas')
    .select(['pedido_id', 'forma_entrega', 'receptor_relacion', 'pin_correcto', 'pin_fallos', 'anulada_at'])
    .orderBy('pedido_id')
    .execute();
async function pinOf(pedido: Awaited<ReturnType<typeof road>>): Promise<{ right: string; wrong: string }> {
  const right = customerSide(pedido, await readSettings(world.db))?.pin ?? '';
  return { right, wrong: right === '0000' ? '0001' : '0000' };
}
const LATE = { ocurrido: new Date(Date.now() - 3 * 3_600_000).toISOString() };

describe('a delivery', () => {
  it('records its way, and a relation only of another person', async () => {
    await set();
    const [one, other] = [await road(), await road()];
    expect(await record(one.id, { ...HAND, receptor_relacion: 'portero' })).toEqual([]);
    expect(await record(other.id, { forma_entrega: 'otra_persona', receptor_nombre: 'Eva', receptor_relacion: 'portero' })).toEqual([]);
    const found = await rows();
    expect(found.find((row) => row.pedido_id === one.id)).toMatchObject({
      ...HAND,
      receptor_relacion: null,
      pin_correcto: null,
      pin_fallos: 0,
    });
    expect(found.find((row) => row.pedido_id === other.id)).toMatchObject({ forma_entrega: 'otra_persona', receptor_relacion: 'portero' });
  });

  it('records nothing in a shop without proof of delivery', async () => {
    const { id } = await road();
    expect(await record(id, { pin: '1234' })).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('of the office needs no proof, but the PIN that it writes must be right', async () => {
    await set({ prueba_en_mano_pin: 'obligatoria' });
    const pedido = await road();
    const { right, wrong } = await pinOf(pedido);
    expect(await record(pedido.id, HAND)).toEqual([422, 'pin']);
    expect(await record(pedido.id, { ...HAND, pin: wrong }, OFFICE())).toEqual([422, 'pin']);
    expect(await record(pedido.id, HAND, OFFICE())).toEqual([]);
    expect(await record(pedido.id, { ...HAND, pin: right })).toEqual([]);
    expect(await rows()).toMatchObject([{ pin_correcto: true, pin_fallos: 1 }]);
  });

  it('of an order without a link asks for no PIN', async () => {
    await set({ prueba_en_mano_pin: 'obligatoria' });
    expect(await record((await road({ pago_token: null })).id, HAND)).toEqual([]);
  });

  it('counts the wrong PINs of its own order since the last delivery; the third asks for a reason', async () => {
    await set({ prueba_en_mano_pin: 'ofrecida' });
    const [pedido, other] = [await road(), await road()];
    const { right, wrong } = await pinOf(pedido);
    const { wrong: otherWrong } = await pinOf(other);
    await world.db.insertInto('entregas').values({ pedido_id: pedido.id, pin_fallos: 3, anulada_at: new Date().toISOString() }).execute();
    expect(await record(other.id, { ...HAND, pin: otherWrong })).toEqual([422, 'pin']);
    expect(await record(pedido.id, { ...HAND, pin: wrong })).toEqual([422, 'pin']);
    expect(await record(pedido.id, { ...HAND, pin: wrong })).toEqual([422, 'pin']);
    expect(await record(pedido.id, { ...HAND, pin: wrong, motivo: 'x' })).toEqual([422, 'pin', 'motivo']);
    expect(await record(pedido.id, { ...HAND, pin: right })).toEqual([422, 'motivo']);
    expect(await record(pedido.id, { ...HAND, pin: right, motivo: 'Sin móvil' })).toEqual([]);
    const found = await rows();
    expect(found.filter((row) => row.pedido_id === pedido.id).map(({ pin_fallos, pin_correcto }) => [pin_fallos, pin_correcto])).toEqual(
      expect.arrayContaining([[3, null]]),
    );
    expect(found.find((row) => row.pedido_id === other.id)).toMatchObject({ pin_fallos: 1, forma_entrega: null });
  });

  it('recorded later stands with what it lacks, and counts a wrong PIN', async () => {
    await set({ prueba_en_mano_pin: 'obligatoria', prueba_en_mano_foto: 'obligatoria' });
    const pedido = await road();
    const { wrong } = await pinOf(pedido);
    expect(await record(pedido.id, { ...HAND, ...LATE, pin: wrong })).toEqual(['foto', 'pin']);
    expect(await rows()).toMatchObject([{ pin_correcto: false, pin_fallos: 1 }]);
    const used = await road();
    await world.db.insertInto('entregas').values({ pedido_id: used.id, pin_fallos: 3 }).execute();
    expect(await record(used.id, { ...HAND, ...LATE, pin: wrong })).toEqual(['foto', 'pin']);
    expect(await record(used.id, { ...HAND, ...LATE, pin: wrong, motivo: 'Sin móvil' })).toEqual(['foto']);
  });

  it('recorded later to a neighbour lacks the permission, unless the customer gave it', async () => {
    await set();
    const neighbour = { forma_entrega: 'otra_persona', receptor_nombre: 'Eva', receptor_relacion: 'vecino', ...LATE } as const;
    expect(await record((await road()).id, neighbour)).toEqual(['vecino']);
    expect(await record((await road({ vecino_at: new Date().toISOString() })).id, neighbour)).toEqual([]);
  });

  it('taken back is withdrawn alone, once, and is read no more', async () => {
    await set();
    const [one, other, begun] = [await road(), await road(), await road()];
    for (const { id } of [one, other]) expect(await record(id, HAND)).toEqual([]);
    await world.db.insertInto('entregas').values({ pedido_id: begun.id, pin_fallos: 1 }).execute();
    const withdraw = () => inTx((tx) => withdrawEntrega(tx, one.id));
    expect([await withdraw(), await withdraw()]).toEqual([true, false]);
    const read = async (id: string) => (await readEntrega(world.db, id))?.pedido_id;
    expect([await read(one.id), await read(other.id), await read(begun.id)]).toEqual([undefined, other.id, undefined]);
    expect(await record(one.id, { forma_entrega: 'lugar_seguro' })).toEqual([]);
    expect((await readEntrega(world.db, one.id))?.forma_entrega).toBe('lugar_seguro');
    expect(await inTx((tx) => withdrawEntrega(tx, one.id))).toBe(true);
    expect((await rows()).filter(({ anulada_at }) => anulada_at === null).map(({ pedido_id }) => pedido_id)).toEqual(
      [other.id, begun.id].sort(),
    );
  });
});

describe('announced files', () => {
  const PHOTO = { tipo: 'foto', sha256: 'a' } as const;
  const SIGNATURE = { tipo: 'firma', sha256: 'b' } as const;
  const body = (...pruebas: EstadoInput['pruebas'] & object) => ({ estado: 'asignado', pruebas }) as unknown as EstadoInput;
  it('are kept in a shop with proof of delivery, and those of an attempt are photos', async () => {
    expect(await inTx((tx) => announcedFiles(tx, body(PHOTO)))).toEqual([]);
    expect(await inTx((tx) => announcedPhotos(tx, body(SIGNATURE)))).toEqual([]);
    await set();
    expect(await inTx((tx) => announcedFiles(tx, body(PHOTO, SIGNATURE)))).toEqual([PHOTO, SIGNATURE]);
    expect(await inTx((tx) => announcedPhotos(tx, body(PHOTO)))).toEqual([PHOTO]);
    for (const files of [[SIGNATURE], [PHOTO, SIGNATURE]])
      await expect(inTx((tx) => announcedPhotos(tx, body(...files)))).rejects.toMatchObject({ status: 422 });
  });
});

describe('the permission for a neighbour', () => {
  const allow = (id: string, permitido = true) =>
    inTx(async (tx) => allowNeighbour(tx, await lockPedido(tx, SISTEMA, id), permitido)).then(
      () => 'allowed',
      ({ status, message }) => `${status} ${message}`,
    );
  it.each([
    ['pendiente_pago', '409 El pedido aún está sin pagar'],
    ['pendiente', 'allowed'],
    ['en_ruta', 'allowed'],
    ['completado', '409 El pedido ya ha terminado'],
    ['cancelado', '409 El pedido ya ha terminado'],
  ] as const)('of an order %s: %s', async (estado, wanted) => {
    await set();
    expect(await allow((await world.pedido({ estado })).id)).toBe(wanted);
  });

  it('is not asked for in a shop without proof of delivery', async () => {
    expect(await allow((await road()).id)).toMatch(/^409 Esta tienda no deja pedidos a vecinos/);
  });

  it('is given and taken, and the same again changes nothing', async () => {
    await set();
    const { id } = await road();
    const at = async () => (await inTx((tx) => lockPedido(tx, SISTEMA, id))).vecino_at !== null;
    await allow(id, false);
    expect(await at()).toBe(false);
    await allow(id);
    await allow(id);
    expect(await at()).toBe(true);
    await allow(id, false);
    expect(await at()).toBe(false);
    const steps = await world.db
      .selectFrom('pedidos_historial')
      .select('accion')
      .where('pedido_id', '=', id)
      .orderBy('created_at')
      .execute();
    expect(steps.map(({ accion }) => accion)).toEqual([
      'El cliente permite dejarlo a un vecino',
      'El cliente ya no permite dejarlo a un vecino',
    ]);
  });
});
