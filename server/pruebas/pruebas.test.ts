import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { getPago, permitirVecino } from '../../contract/pagar/pagar.ts';
import { assignTransportista, deletePedido, getHistorial, listIntentos, restorePedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { anonimizar, bloquear } from '../../contract/privacidad/privacidad.ts';
import { MAX_PRUEBA_BYTES, SIN_COMPROBAR } from '../../contract/pruebas/fields.ts';
import { getEntrega } from '../../contract/pruebas/pruebas.ts';
import { getUser } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { contarNoAceptado } from '../../contract/transportista/transportista.ts';
import type { Client } from '../../test/client.ts';
import { jpeg, PHOTO, png, SIGNATURE, sha256 } from '../../test/proof.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../test/roles-world.ts';
import type { Person } from '../../test/world.ts';
import { CHECKS } from '../cuadre/checks.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';
import { openFiles } from '../files/open-files.ts';
import { addPrueba, readFichero } from './pruebas.ts';
import { deleteLeftOver, deleteWithdrawn, hideOld } from './term.ts';
import { verifyFiles } from './verify.ts';

worldForEachTest();

type Set = Parameters<typeof admin.call<typeof updateSettings>>[1] extends infer I ? (I extends { body?: infer B } ? B : never) : never;
const set = async (body: Omit<NonNullable<Set>, 'version'> = {}) => {
  expect((await admin.call(updateSettings, { body: { proofOfDelivery: true, ...body } as never })).status).toBe(200);
};
const onTheRoad = () => world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id, revendedor_id: reseller.user.id });
const complete = (id: string, fields: object, who = carrier) =>
  who.call(setEstado, { params: { id }, body: { estado: 'completado', paso: 'completar', metodo_entrega: 'manual', ...fields } });
const announced = (...files: ['firma' | 'foto', Buffer][]) => ({
  pruebas: files.map(([tipo, bytes]) => ({ tipo, sha256: sha256(bytes) })),
});
const send = (id: string, body: Buffer, who: Client = carrier, headers = {}) =>
  who.request('POST', `/api/pedidos/${id}/pruebas`, { body, headers }) as Promise<{
    status: number;
    body: { data: { id: string; url: string | null }; code?: string };
  }>;
const delivery = async (id: string, who: Person = admin) => (await who.call(getEntrega, { params: { id } })).body.data;
const fetchRaw = (who: Client, url: string) =>
  world.app.inject({ method: 'GET', url, headers: { cookie: [...who.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } });

/** Delivers an order with signature and photo; returns the order and the ids of both proofs. */
async function delivered() {
  await set();
  const pedido = await onTheRoad();
  expect((await complete(pedido.id, { forma_entrega: 'en_mano', ...announced(['firma', SIGNATURE], ['foto', PHOTO]) })).status).toBe(200);
  const [firma, foto] = [await send(pedido.id, SIGNATURE), await send(pedido.id, PHOTO)];
  expect([firma.status, foto.status]).toEqual([201, 201]);
  return { ...pedido, firma: firma.body.data.id, foto: foto.body.data.id };
}

/** Delivers an order with a signature that is announced but not sent yet. */
async function announcing() {
  await set();
  const pedido = await onTheRoad();
  expect((await complete(pedido.id, { forma_entrega: 'en_mano', ...announced(['firma', SIGNATURE]) })).status).toBe(200);
  return pedido;
}
const anonymised = async (id: string) =>
  expect((await admin.call(anonimizar, { body: { pedidos: [id], motivo: 'Lo pide', confirmacion: 'ANONIMIZAR' } })).status).toBe(200);

describe('a shop without proof of delivery', () => {
  it('a shop without proof of delivery asks for nothing, stores nothing and shows nothing', async () => {
    const pedido = await onTheRoad();
    expect((await complete(pedido.id, { forma_entrega: 'en_mano', receptor_nombre: 'Luis', pin: '0000' })).status).toBe(200);
    expect(await delivery(pedido.id)).toBeNull();
    expect(await world.db.selectFrom('entregas').selectAll().execute()).toEqual([]);
    const page = await world.nobody().call(getPago, { params: { token: pedido.pago_token ?? '' } });
    expect([page.status, page.body.data.entrega]).toEqual([200, undefined]);
    expect((await carrier.call(getUser)).body.negocio.entrega).toBeUndefined();
    expect((await send(pedido.id, SIGNATURE)).status).toBe(409);
  });
});

describe('completing', () => {
  it('completing an order without the required proof is refused to a carrier, but not to the office', async () => {
    await set({ prueba_otra_persona_receptor: 'obligatoria', prueba_otra_persona_firma: 'obligatoria' });
    expect((await carrier.call(getUser)).body.negocio.entrega?.otra_persona).toMatchObject({ receptor: 'obligatoria', foto: 'no' });
    const pedido = await onTheRoad();
    expect((await complete(pedido.id, {})).body.errors).toEqual({ forma_entrega: ['Indica cómo se ha entregado'] });
    const bare = await complete(pedido.id, { forma_entrega: 'otra_persona' });
    expect([bare.status, Object.keys(bare.body.errors ?? {})]).toEqual([422, ['receptor_nombre', 'receptor_relacion', 'firma']]);
    const fields = { forma_entrega: 'otra_persona', receptor_nombre: 'Luis Gil', receptor_relacion: 'portero' };
    expect((await complete(pedido.id, { ...fields, ...announced(['firma', SIGNATURE]) })).status).toBe(200);
    expect(await delivery(pedido.id)).toMatchObject({ ...fields, faltan: ['firma'], pruebas: [] });
    const [entry] = (await admin.call(getHistorial, { params: { id: pedido.id } })).body.data;
    expect(entry?.nota).toBe('A otra persona: Luis Gil (portero)');
    expect((await complete((await onTheRoad()).id, {}, admin)).status).toBe(200);
  });

  it('completing an order with a neighbour as receiver needs the customer’s consent on the payment page, even for the office', async () => {
    await set();
    const pedido = await onTheRoad();
    const fields = { forma_entrega: 'otra_persona', receptor_nombre: 'Eva', receptor_relacion: 'vecino' };
    for (const who of [carrier, admin])
      expect(Object.keys((await complete(pedido.id, fields, who)).body.errors ?? {})).toEqual(['receptor_relacion']);
    const token = pedido.pago_token ?? '';
    const allow = (permitido: boolean) => world.nobody().call(permitirVecino, { params: { token }, body: { permitido } });
    expect([(await allow(true)).status, (await allow(true)).status]).toEqual([200, 200]);
    const page = (await world.nobody().call(getPago, { params: { token } })).body.data;
    expect(Date.parse(page.entrega?.vecino?.permitido_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await allow(false);
    expect((await complete(pedido.id, fields)).status).toBe(422);
    await allow(true);
    expect((await complete(pedido.id, fields)).status).toBe(200);
    expect((await allow(false)).status).toBe(409);
    const entries = (await admin.call(getHistorial, { params: { id: pedido.id } })).body.data.filter(({ accion }) => /vecino/.test(accion));
    expect(entries).toHaveLength(3);
  });

  it('a customer can change the permission for a neighbour twenty times a day', async () => {
    await set();
    const pedido = await onTheRoad();
    const token = pedido.pago_token ?? '';
    const allow = (permitido: boolean) => world.nobody().call(permitirVecino, { params: { token }, body: { permitido } });
    const statuses: number[] = [];
    for (let i = 0; i < 40; i += 1) statuses.push((await allow(i % 4 < 2)).status);
    // Every second call repeats the previous value, so only twenty calls are changes.
    const entries = (await admin.call(getHistorial, { params: { id: pedido.id } })).body.data.filter(({ accion }) => /vecino/.test(accion));
    expect([entries.length, statuses.every((status) => status === 200)]).toEqual([20, true]);
    expect([(await allow(false)).status, (await allow(true)).status]).toEqual([200, 429]);
  });

  it('completing an order needs the PIN of the customer’s page, or a reason after three wrong PINs', async () => {
    await set({ prueba_en_mano_pin: 'obligatoria' });
    const pedido = await onTheRoad();
    const params = { token: pedido.pago_token ?? '' };
    const pin = (await world.nobody().call(getPago, { params })).body.data.entrega?.pin ?? '';
    expect(pin).toMatch(/^\d{4}$/);
    const wrong = pin === '0000' ? '0001' : '0000';
    const key = { 'idempotency-key': 'completar-1' };
    const tryFirst = () =>
      carrier.call(setEstado, {
        params: { id: pedido.id },
        body: { estado: 'completado', metodo_entrega: 'manual', forma_entrega: 'en_mano', pin: wrong },
        headers: key,
      });
    // A retry with the same idempotency key, as after a lost answer, counts once.
    for (const first of [await tryFirst(), await tryFirst()])
      expect([first.status, first.body.errors]).toEqual([422, { pin: ['El PIN no es correcto: quedan 2 intentos'] }]);
    expect((await world.db.selectFrom('entregas').select('pin_fallos').execute())[0]?.pin_fallos).toBe(1);
    const tries = await Promise.all([1, 2, 3, 4].map(() => complete(pedido.id, { forma_entrega: 'en_mano', pin: wrong })));
    expect(tries.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect((await world.db.selectFrom('entregas').select('pin_fallos').execute())[0]?.pin_fallos).toBe(3);
    // After three wrong PINs even the right PIN is refused, to prevent guessing.
    expect(Object.keys((await complete(pedido.id, { forma_entrega: 'en_mano', pin })).body.errors ?? {})).toContain('motivo');
    expect((await complete(pedido.id, { forma_entrega: 'en_mano', motivo: 'No tenía el móvil' })).status).toBe(200);
    expect(await delivery(pedido.id)).toMatchObject({ pin_correcto: null, pin_fallos: 3 });
    expect((await world.nobody().call(getPago, { params })).body.data.entrega?.pin).toBeNull();

    const other = await onTheRoad();
    const right = (await world.nobody().call(getPago, { params: { token: other.pago_token ?? '' } })).body.data.entrega?.pin;
    expect((await complete(other.id, { forma_entrega: 'en_mano', pin: right })).status).toBe(200);
    expect(await delivery(other.id)).toMatchObject({ pin_correcto: true, pin_fallos: 0 });
  });

  describe('a delivery made without coverage and recorded later', () => {
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    const HOURS = { ocurrido: ago(3 * 3_600_000) };
    const notices = async () =>
      (await admin.call(listNotifications, {})).body.data.filter(({ tipo }) => tipo === 'entrega_sin_comprobar').map(({ texto }) => texto);
    const pinOf = async (token: string | null) =>
      (await world.nobody().call(getPago, { params: { token: token ?? '' } })).body.data.entrega?.pin ?? '';
    const otherThan = (pin: string) => (pin === '0000' ? '0001' : '0000');

    it.each<[string, NonNullable<Set>, object, string]>([
      ['a wrong PIN', { prueba_en_mano_pin: 'ofrecida' }, { forma_entrega: 'en_mano', pin: 'wrong' }, 'pin'],
      ['a PIN that became compulsory meanwhile', { prueba_en_mano_pin: 'obligatoria' }, { forma_entrega: 'en_mano' }, 'pin'],
      ['a neighbour', {}, { forma_entrega: 'otra_persona', receptor_nombre: 'Eva', receptor_relacion: 'vecino' }, 'vecino'],
      ['a signature that became compulsory meanwhile', { prueba_en_mano_firma: 'obligatoria' }, { forma_entrega: 'en_mano' }, 'firma'],
      ['a photo that became compulsory meanwhile', { prueba_lugar_seguro_foto: 'obligatoria' }, { forma_entrega: 'lugar_seguro' }, 'foto'],
      ['a receiver who became compulsory meanwhile', { prueba_empresa_receptor: 'obligatoria' }, { forma_entrega: 'empresa' }, 'receptor'],
      ['proof that the shop began to ask for meanwhile', {}, {}, 'forma'],
    ])('a delivery recorded later stands despite %s, and the office is notified', async (_, rules, fields, lacks) => {
      await set(rules);
      const pedido = await onTheRoad();
      const body = { ...fields, ...('pin' in fields && { pin: otherThan(await pinOf(pedido.pago_token)) }) };
      // A delivery recorded at once is refused, because the carrier can still correct it at the door.
      expect((await complete(pedido.id, { ...body, ocurrido: ago(30_000) })).status).toBe(422);
      expect(await notices()).toEqual([]);
      expect((await complete(pedido.id, { ...body, ...HOURS })).status).toBe(200);
      const words = SIN_COMPROBAR[lacks as keyof typeof SIN_COMPROBAR];
      expect(await delivery(pedido.id)).toMatchObject({ sin_comprobar: [lacks], pin_correcto: 'pin' in body ? false : null });
      expect((await admin.call(getHistorial, { params: { id: pedido.id } })).body.data[0]).toMatchObject({
        estado_nuevo: 'completado',
        nota: expect.stringContaining(words),
      });
      expect(await notices()).toEqual([expect.stringMatching(new RegExp(`queda como entregado: ${words}$`))]);
    });

    it('a delivery recorded later notifies the office only if proof is missing', async () => {
      await set({ prueba_en_mano_pin: 'obligatoria' });
      const [first, second] = [await onTheRoad(), await onTheRoad()];
      const fields = { forma_entrega: 'en_mano', ...HOURS };
      expect((await complete(first.id, { ...fields, pin: await pinOf(first.pago_token) })).status).toBe(200);
      expect(await delivery(first.id)).toMatchObject({ pin_correcto: true, sin_comprobar: [] });
      expect(await notices()).toEqual([]);
      const wrong = otherThan(await pinOf(second.pago_token));
      for (const _ of [1, 2, 3]) await complete(second.id, { forma_entrega: 'en_mano', pin: wrong });
      expect((await complete(second.id, { ...fields, pin: wrong })).status).toBe(200);
      expect(await delivery(second.id)).toMatchObject({ pin_fallos: 3, sin_comprobar: ['pin'] });
    });

    it('a delivery recorded later is still refused to another carrier and for cancelled orders', async () => {
      await set({ prueba_en_mano_pin: 'obligatoria' });
      const pedido = await onTheRoad();
      const other = await world.as(await world.user({ role: 'transportista' }));
      expect((await complete(pedido.id, { forma_entrega: 'en_mano', ...HOURS }, other)).status).toBe(404);
      const cancelled = await world.pedido({ estado: 'cancelado', transportista_id: carrier.user.id });
      expect((await complete(cancelled.id, { forma_entrega: 'en_mano', ...HOURS })).status).toBe(409);
    });
  });

  it('an order read by its carrier contains neither PIN nor payment link', async () => {
    await set({ prueba_en_mano_pin: 'obligatoria' });
    const pedido = await onTheRoad();
    const { text } = await carrier.request('GET', `/api/pedidos/${pedido.id}`);
    expect(text).not.toMatch(/"pin"|pago_token|payment_link/);
  });
});

describe('files of steps that were not registered', () => {
  it('files of unregistered steps are limited to 25 MB per carrier and day, unlike files of deliveries', async () => {
    await set();
    const pedido = await onTheRoad();
    const report = { pedido_id: pedido.id, paso: 'completar', ocurrido: new Date(Date.now() - 3_600_000).toISOString() } as const;
    expect((await carrier.call(contarNoAceptado, { body: { ...report, ...announced(['foto', PHOTO]) } })).status).toBe(200);
    await world.db
      .insertInto('topes')
      .values({ clase: 'no_aceptados_bytes', clave: carrier.user.id, veces: 25_000_000 - PHOTO.length + 1 })
      .execute();
    expect((await send(pedido.id, PHOTO)).status).toBe(429);
    expect(await world.db.selectFrom('pruebas').select('id').execute()).toEqual([]);
    const other = await onTheRoad();
    expect((await complete(other.id, { forma_entrega: 'en_mano', ...announced(['firma', SIGNATURE]) })).status).toBe(200);
    expect((await send(other.id, SIGNATURE)).status).toBe(201);
    await world.db.deleteFrom('topes').execute();
    expect((await send(pedido.id, PHOTO)).status).toBe(201);
    // A repeated upload counts once.
    expect((await send(pedido.id, PHOTO)).status).toBe(201);
    const [counted] = await world.db.selectFrom('topes').select('veces').where('clase', '=', 'no_aceptados_bytes').execute();
    expect(Number(counted?.veces)).toBe(PHOTO.length);
  });
});

describe('a file', () => {
  it('a proof file sent after the step is stored once, however often it is sent', async () => {
    await set();
    const pedido = await onTheRoad();
    await complete(pedido.id, { forma_entrega: 'lugar_seguro', ...announced(['foto', PHOTO]) });
    expect((await delivery(pedido.id))?.faltan).toEqual(['foto']);
    const key = { 'idempotency-key': 'foto-0001' };
    const [first, same, ...more] = await Promise.all([
      send(pedido.id, PHOTO, carrier, key),
      send(pedido.id, PHOTO, carrier, key),
      send(pedido.id, PHOTO),
      send(pedido.id, PHOTO),
    ]);
    expect([first, same, ...more].map((reply) => reply?.status)).toEqual([201, 201, 201, 201]);
    expect(new Set([first, same, ...more].map((reply) => reply?.body.data.id)).size).toBe(1);
    expect((await delivery(pedido.id))?.faltan).toEqual([]);
    expect(await world.db.selectFrom('pruebas').select('id').execute()).toHaveLength(1);
    // Other bytes cannot reuse the idempotency key.
    expect((await send(pedido.id, SIGNATURE, carrier, key)).body.code).toBe('idempotency');
  });

  it.each([
    ['a page', 'foto', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a signature that is a JPEG', 'firma', PHOTO],
    ['a photo that is a PNG', 'foto', SIGNATURE],
    ['a photo with its place', 'foto', jpeg({ gps: true })],
    ['empty', 'foto', Buffer.alloc(0)],
  ] as const)('a proof file that is %s is refused', async (_, tipo, bytes) => {
    await set();
    const pedido = await onTheRoad();
    expect((await complete(pedido.id, { forma_entrega: 'en_mano', ...announced([tipo, bytes as Buffer]) })).status).toBe(200);
    expect((await send(pedido.id, bytes as Buffer)).status).toBe(422);
    expect(await world.db.selectFrom('pruebas').select('id').execute()).toEqual([]);
  });

  it('a proof file that is too large, or was not announced, is refused', async () => {
    await set();
    const pedido = await onTheRoad();
    expect((await send(pedido.id, SIGNATURE)).status).toBe(409);
    await complete(pedido.id, { forma_entrega: 'en_mano', ...announced(['firma', SIGNATURE]) });
    expect((await send(pedido.id, png('otra'))).status).toBe(409);
    expect((await send(pedido.id, Buffer.alloc(MAX_PRUEBA_BYTES + 1))).status).toBe(413);
  });

  it('a proof file is served only to the office and to the order’s reseller and customer', async () => {
    const pedido = await delivered();
    const url = `/api/pruebas/${pedido.firma}/fichero`;
    for (const who of [admin, reseller]) {
      const reply = await fetchRaw(who, url);
      expect(reply.rawPayload).toEqual(SIGNATURE);
      expect(reply.headers).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': expect.stringMatching(/^inline; filename="firma-[\w-]+\.png"$/),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      expect((await delivery(pedido.id, who))?.pruebas.map((prueba) => prueba.url)).toEqual([url, `/api/pruebas/${pedido.foto}/fichero`]);
    }
    expect((await delivery(pedido.id, carrier))?.pruebas.map((prueba) => prueba.url)).toEqual([null, null]);
    expect((await fetchRaw(carrier, url)).statusCode).toBe(403);
    // readFichero checks the permission again, independently of the route.
    const files = openFiles(world.config);
    await expect(readFichero(world.db, files, carrier.user, pedido.firma)).rejects.toMatchObject({ status: 404 });
    const [otherReseller, otherCarrier] = [
      await world.as(await world.user({ role: 'revendedor' })),
      await world.as(await world.user({ role: 'transportista' })),
    ];
    expect((await fetchRaw(otherReseller, url)).statusCode).toBe(404);
    for (const who of [otherReseller, otherCarrier]) expect((await who.call(getEntrega, { params: { id: pedido.id } })).status).toBe(404);
    expect((await send(pedido.id, SIGNATURE, otherCarrier)).status).toBe(404);

    const page = (await world.nobody().call(getPago, { params: { token: pedido.pago_token ?? '' } })).body.data.entrega;
    expect(page?.pruebas.map(({ tipo }) => tipo)).toEqual(['firma', 'foto']);
    const shown = page?.pruebas[1]?.url ?? '';
    expect((await fetchRaw(world.nobody(), shown)).rawPayload).toEqual(PHOTO);
    const other = await onTheRoad();
    expect((await fetchRaw(world.nobody(), shown.replace(pedido.pago_token ?? '', other.pago_token ?? ''))).statusCode).toBe(404);
  });

  it('a proof file is hidden while the data is blocked, and deleted with «Anonimizar», which keeps its row', async () => {
    const pedido = await delivered();
    const url = `/api/pruebas/${pedido.foto}/fichero`;
    const body = { pedidos: [pedido.id], motivo: 'Lo pide' };
    expect((await admin.call(bloquear, { body })).status).toBe(200);
    expect((await fetchRaw(admin, url)).statusCode).toBe(404);
    expect((await admin.call(anonimizar, { body: { ...body, confirmacion: 'ANONIMIZAR' } })).status).toBe(200);
    await deleteWithdrawn(world.db, openFiles(world.config));
    const rows = await world.db.selectFrom('pruebas').select('fichero').execute();
    expect(rows).toEqual([{ fichero: null }, { fichero: null }]);
    expect(() => readFileSync(fileOf(pedido.id, PHOTO, 'jpg'))).toThrow('ENOENT');
    expect(await differences()).toEqual([]);
  });

  it('a proof file leaves nothing behind when refused during storage', async () => {
    const { id } = await announcing();
    const files = openFiles(world.config);
    const put = async (name: string, bytes: Uint8Array) => {
      await files.put(name, bytes);
      await anonymised(id);
    };
    await expect(addPrueba(world.db, { ...files, put }, carrier.user, id, SIGNATURE)).rejects.toMatchObject({ status: 409 });
    expect(() => readFileSync(fileOf(id, SIGNATURE, 'png'))).toThrow('ENOENT');
  });

  it.each([
    ['with «Anonimizar»', 0],
    ['after the term', 12],
  ])('a proof file left over from a failed call is deleted %s', async (_, months) => {
    const [{ id }, kept] = [await announcing(), await announcing()];
    const files = openFiles(world.config);
    for (const order of [id, kept.id]) await files.put(`${order}/${sha256(SIGNATURE)}.png`, SIGNATURE);
    if (months)
      await sql`UPDATE entregas SET entregada_at = now() - make_interval(months => ${months}, hours => 1) WHERE pedido_id = ${id}`.execute(
        world.db,
      );
    else await anonymised(id);
    await deleteLeftOver(world.db, files);
    expect(() => readFileSync(fileOf(id, SIGNATURE, 'png'))).toThrow('ENOENT');
    expect(readFileSync(fileOf(kept.id, SIGNATURE, 'png'))).toEqual(SIGNATURE);
  });

  it('a proof file is deleted when its retention period ends', async () => {
    const pedido = await delivered();
    await set({ proofMonths: 2 });
    await sql`UPDATE settings SET data = data - 'heldTerms'`.execute(world.db);
    const age = (months: number) =>
      sql`UPDATE pruebas SET created_at = now() - make_interval(months => ${months}, days => 2) WHERE tipo = 'foto'`.execute(world.db);
    const run = async () => {
      await hideOld(world.db);
      await deleteWithdrawn(world.db, openFiles(world.config));
      return (await delivery(pedido.id))?.pruebas.map(({ url }) => url !== null);
    };
    await age(1);
    expect(await run()).toEqual([true, true]);
    await age(2);
    expect(await run()).toEqual([true, false]);
    expect(() => readFileSync(fileOf(pedido.id, PHOTO, 'jpg'))).toThrow('ENOENT');
  });
});

const fileOf = (id: string, bytes: Buffer, extension: string) => join(world.config.filesDir, id, `${sha256(bytes)}.${extension}`);
const differences = async () => {
  await verifyFiles(world.db, openFiles(world.config));
  const checks = CHECKS.filter(({ name }) => name.startsWith('pruebas'));
  return (await onSnapshot(world.db, (tx) => recountAccounts(tx, { checks }))).map(({ titulo, filas }) => [
    titulo,
    filas.map(({ hay }) => hay),
  ]);
};

describe('the nightly recount', () => {
  it('the nightly recount reports changed and missing files only', async () => {
    const pedido = await delivered();
    expect(await differences()).toEqual([]);
    const path = fileOf(pedido.id, SIGNATURE, 'png');
    const changed = readFileSync(path);
    changed[20] = (changed[20] ?? 0) ^ 1;
    writeFileSync(path, changed);
    expect(await differences()).toEqual([['Cada prueba de entrega tiene su fichero, sin cambios', ['cambiado']]]);
    rmSync(fileOf(pedido.id, PHOTO, 'jpg'));
    expect((await differences())[0]?.[1]).toEqual(expect.arrayContaining(['cambiado', 'no está']));
    writeFileSync(path, SIGNATURE);
    writeFileSync(fileOf(pedido.id, PHOTO, 'jpg'), PHOTO);
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['a changed checksum', `UPDATE pruebas SET sha256 = repeat('0', 64) WHERE tipo = 'firma'`],
    ['a changed time', `UPDATE pruebas SET created_at = created_at - interval '1 day' WHERE tipo = 'firma'`],
    ['a removed row', `DELETE FROM pruebas WHERE tipo = 'firma'`],
    ['a changed seal', `UPDATE pruebas SET sello = repeat('a', 64) WHERE tipo = 'firma'`],
  ])('the nightly recount reports %s in the chain', async (_, change) => {
    await delivered();
    await sql.raw(change).execute(world.db);
    const chain = (await differences()).find(([titulo]) => String(titulo).includes('sello'));
    expect(chain?.[1]?.length).toBeGreaterThan(0);
  });

  it('the nightly recount reports a file that a delivery announced more than a day ago and never sent', async () => {
    await set();
    const pedido = await onTheRoad();
    await complete(pedido.id, { forma_entrega: 'en_mano', ...announced(['firma', SIGNATURE]) });
    expect(await differences()).toEqual([]);
    await sql`UPDATE entregas SET entregada_at = now() - interval '25 hours'`.execute(world.db);
    expect(await differences()).toEqual([
      ['Las pruebas que anunció una entrega, un intento o un paso no registrado han llegado en un día', ['no ha llegado']],
    ]);
    await send(pedido.id, SIGNATURE);
    expect(await differences()).toEqual([]);
  });
});

describe('a photo of a failed attempt', () => {
  const fail = (id: string, fields: object = {}) =>
    carrier.call(setEstado, { params: { id }, body: { estado: 'asignado', paso: 'fallar', motivo: 'Ausente', ...fields } });
  const attempts = async (id: string, who = admin) => (await who.call(listIntentos, { params: { id } })).body.data;

  it('a photo of a failed attempt is shown to office and reseller, and is no proof of the later delivery', async () => {
    await set();
    const { id, pago_token } = await onTheRoad();
    expect((await fail(id, announced(['foto', PHOTO]))).status).toBe(200);
    expect(await attempts(id)).toMatchObject([{ motivo: 'Ausente', fotos: [{ enviada: false, url: null }] }]);
    expect((await send(id, jpeg({ width: 9 }))).status).toBe(409);
    expect((await send(id, PHOTO)).status).toBe(201);
    const [sent] = await attempts(id, reseller);
    expect(sent?.fotos).toEqual([{ enviada: true, url: expect.stringMatching(/fichero$/) }]);
    const url = sent?.fotos[0]?.url ?? '';
    expect([(await fetchRaw(reseller, url)).statusCode, (await fetchRaw(carrier, url)).statusCode]).toEqual([200, 403]);
    await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
    await complete(id, { forma_entrega: 'en_mano', ...announced(['firma', SIGNATURE]) });
    await send(id, SIGNATURE);
    expect((await delivery(id))?.pruebas).toMatchObject([{ tipo: 'firma' }]);
    const page = (await world.nobody().call(getPago, { params: { token: pago_token ?? '' } })).body.data;
    expect(page.entrega?.pruebas).toMatchObject([{ tipo: 'firma' }]);
    expect(await onSnapshot(world.db, (tx) => recountAccounts(tx, { checks: CHECKS }))).toEqual([]);
  });

  it.each([
    ['made available again', () => carrier, { estado: 'pendiente' }],
    ['handed to another carrier', () => admin, undefined],
  ] as const)('a photo of a failed attempt is accepted although the order was %s meanwhile', async (_, who, body) => {
    await set();
    const [{ id }, other] = [await onTheRoad(), await world.as(await world.user({ role: 'transportista' }))];
    await fail(id, announced(['foto', PHOTO]));
    const { status } = body
      ? await who().call(setEstado, { params: { id }, body })
      : await who().call(assignTransportista, { params: { id }, body: { transportista_id: other.user.id } });
    expect(status).toBe(200);
    expect((await send(id, PHOTO)).status).toBe(201);
    expect((await attempts(id))[0]?.fotos).toMatchObject([{ enviada: true }]);
    // A carrier who never had the order is refused, as is a file that was not announced.
    const stranger = await world.as(await world.user({ role: 'transportista' }));
    expect((await send(id, PHOTO, stranger)).status).toBe(404);
    expect((await send(id, jpeg({ width: 9 }))).status).not.toBe(201);
    expect((await admin.call(deletePedido, { params: { id } })).status).toBe(200);
    expect((await send(id, PHOTO, stranger)).status).toBe(404);
    // The photo was taken before the office deleted the order.
    expect((await send(id, PHOTO)).status).toBe(201);
  });

  it('a photo of a failed attempt cannot be a signature, and is not stored in a shop without proof of delivery', async () => {
    await set();
    const { id } = await onTheRoad();
    expect((await fail(id, announced(['firma', SIGNATURE]))).status).toBe(422);
    await set({ proofOfDelivery: false } as never);
    expect((await fail(id, announced(['foto', PHOTO]))).status).toBe(200);
    expect((await attempts(id))[0]?.fotos).toEqual([]);
    expect((await send(id, PHOTO)).status).toBe(409);
  });

  it('a photo of a failed attempt is reported by the recount if never sent, and hidden while the personal data is blocked', async () => {
    await set();
    const { id } = await onTheRoad();
    await fail(id, announced(['foto', PHOTO]));
    await sql`UPDATE intentos SET created_at = now() - interval '2 days'`.execute(world.db);
    const missing = async () => (await onSnapshot(world.db, (tx) => recountAccounts(tx))).map(({ name }) => name);
    expect(await missing()).toEqual(['pruebas_esperadas']);
    await send(id, PHOTO);
    expect(await missing()).toEqual([]);
    await world.db.updateTable('pedidos').set({ bloqueado_at: new Date().toISOString() }).where('id', '=', id).execute();
    expect((await attempts(id))[0]?.fotos).toEqual([{ enviada: true, url: null }]);
  });

  it('a photo of a failed attempt is checked by the nightly recount, and deleted with «Anonimizar»', async () => {
    await set();
    const { id } = await onTheRoad();
    await fail(id, announced(['foto', PHOTO]));
    await send(id, PHOTO);
    const path = fileOf(id, PHOTO, 'jpg');
    writeFileSync(path, Buffer.from('otra'));
    expect((await differences())[0]?.[1]).toEqual(['cambiado']);
    rmSync(path);
    expect((await differences())[0]?.[1]).toEqual(['no está']);
    // A directory in place of the file cannot be read.
    mkdirSync(path);
    expect((await differences())[0]?.[1]).toEqual(['no se puede leer']);
    rmSync(path, { recursive: true });
    writeFileSync(path, PHOTO);
    expect(await differences()).toEqual([]);
    const url = (await attempts(id))[0]?.fotos[0]?.url ?? '';
    const withdraw = (at: string) => sql`UPDATE pruebas SET retirada_at = ${sql.raw(at)}`.execute(world.db);
    await withdraw('now()');
    expect((await attempts(id))[0]?.fotos).toEqual([{ enviada: true, url: null }]);
    await withdraw('NULL');
    expect((await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } })).status).toBe(200);
    const body = { pedidos: [id], motivo: 'Lo pide', confirmacion: 'ANONIMIZAR' as const };
    expect((await admin.call(anonimizar, { body })).status).toBe(200);
    expect([(await fetchRaw(admin, url)).statusCode, (await attempts(id))[0]?.fotos]).toEqual([404, [{ enviada: true, url: null }]]);
    await deleteWithdrawn(world.db, openFiles(world.config));
    expect(() => readFileSync(path)).toThrow('ENOENT');
    expect(await differences()).toEqual([]);
  });
});

describe('the files of a refused step', () => {
  const report = (pedido_id: string, fields: object, who = carrier) =>
    who.call(contarNoAceptado, {
      body: { pedido_id, paso: 'completar', ocurrido: new Date().toISOString(), rechazo: 'Cancelado', ...fields },
    });
  const newest = async (id: string, who = admin) => (await who.call(getHistorial, { params: { id } })).body.data[0];

  it('the files of a refused step are shown only to the office, in the history', async () => {
    await set();
    const pedido = await onTheRoad();
    await admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
    expect((await send(pedido.id, SIGNATURE)).status).toBe(409);
    expect((await report(pedido.id, announced(['firma', SIGNATURE], ['foto', PHOTO]))).status).toBe(200);
    expect((await send(pedido.id, jpeg({ width: 9 }))).status).toBe(409);
    expect((await send(pedido.id, SIGNATURE)).status).toBe(201);
    const entry = await newest(pedido.id);
    expect(entry).toMatchObject({ accion: 'Sin registrar: Completar' });
    expect(entry?.pruebas).toEqual([
      { tipo: 'firma', enviada: true, url: expect.stringMatching(/fichero$/) },
      { tipo: 'foto', enviada: false, url: null },
    ]);
    const url = entry?.pruebas?.[0]?.url ?? '';
    expect([(await fetchRaw(admin, url)).statusCode, (await fetchRaw(carrier, url)).statusCode]).toEqual([200, 403]);
    expect(await delivery(pedido.id)).toBeNull();
    const page = (await world.nobody().call(getPago, { params: { token: pedido.pago_token ?? '' } })).body.data;
    expect(page.entrega?.pruebas ?? []).toEqual([]);
  });

  it('the files of a refused step are accepted from its carrier, even if a second carrier has the order', async () => {
    await set();
    const { id } = await onTheRoad();
    const other = await world.as(await world.user({ role: 'transportista' }));
    await admin.call(assignTransportista, { params: { id }, body: { transportista_id: other.user.id } });
    expect((await send(id, PHOTO)).status).toBe(404);
    expect((await report(id, announced(['foto', PHOTO]))).status).toBe(200);
    const stranger = await world.as(await world.user({ role: 'transportista' }));
    expect((await send(id, PHOTO, stranger)).status).toBe(404);
    expect((await send(id, PHOTO)).status).toBe(201);
    expect((await newest(id))?.pruebas).toMatchObject([{ enviada: true }]);
  });

  it('the files of a refused step are accepted even for an order that the office has deleted', async () => {
    await set();
    const { id } = await onTheRoad();
    await admin.call(deletePedido, { params: { id } });
    expect((await send(id, SIGNATURE)).status).toBe(404);
    expect((await report(id, announced(['firma', SIGNATURE]))).status).toBe(200);
    expect((await send(id, SIGNATURE)).status).toBe(201);
    await admin.call(restorePedido, { params: { id } });
    const { data } = (await admin.call(getHistorial, { params: { id } })).body;
    expect(data.find(({ accion }) => accion === 'Sin registrar: Completar')?.pruebas).toMatchObject([{ enviada: true }]);
  });

  it('a step that the telephone keeps retrying is shown in history and notifications', async () => {
    await set();
    const { id } = await onTheRoad();
    expect((await report(id, { pendiente: true, rechazo: 'Error interno' })).status).toBe(200);
    expect(await newest(id)).toMatchObject({ accion: 'Aún sin registrar: Completar', nota: 'Error interno' });
    const { data } = (await admin.call(listNotifications)).body;
    expect(data[0]?.texto).toContain('aún no se ha registrado y se sigue intentando: Error interno');
  });

  it('the files of a refused step are not accepted in a shop without proof of delivery, nor for an order with blocked data', async () => {
    const { id } = await onTheRoad();
    await report(id, announced(['foto', PHOTO]));
    expect((await newest(id))?.pruebas).toBeUndefined();
    await set();
    await world.db.updateTable('pedidos').set({ bloqueado_at: new Date().toISOString() }).where('id', '=', id).execute();
    await report(id, announced(['foto', PHOTO]));
    expect((await newest(id))?.pruebas).toBeUndefined();
    expect((await send(id, PHOTO)).status).toBeGreaterThanOrEqual(404);
  });

  it('the files of a refused step are reported by the recount if never sent, and deleted with «Anonimizar»', async () => {
    await set();
    const { id } = await onTheRoad();
    await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
    await report(id, announced(['foto', PHOTO]));
    await sql`UPDATE pedidos_historial SET created_at = now() - interval '2 days' WHERE anunciadas IS NOT NULL`.execute(world.db);
    expect(await differences()).toEqual([[expect.stringContaining('paso no registrado'), ['no ha llegado']]]);
    const files = openFiles(world.config);
    const name = fileOf(id, PHOTO, 'jpg');
    mkdirSync(join(name, '..'), { recursive: true });
    writeFileSync(name, PHOTO);
    await anonymised(id);
    await deleteLeftOver(world.db, files);
    expect(() => readFileSync(name)).toThrow('ENOENT');
    expect(await differences()).toEqual([]);
  });
});
