import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { listClientes, unirCliente } from '../../contract/clientes/clientes.ts';
import { addComentario } from '../../contract/comentarios/comentarios.ts';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { createEnvio, leerRespuesta } from '../../contract/envios/envios.ts';
import { createExport, listExports } from '../../contract/exports/exports.ts';
import { crearAjuste } from '../../contract/liquidaciones/liquidaciones.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import {
  assignTransportista,
  createPedido,
  duplicatePedido,
  getHistorial,
  getPedido,
  listPedidos,
  restorePedido,
  setEstado,
  updatePedido,
} from '../../contract/pedidos/pedidos.ts';
import { CONFIRMACION } from '../../contract/privacidad/fields.ts';
import * as api from '../../contract/privacidad/privacidad.ts';
import { ajustarStock } from '../../contract/products/products.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { createVista } from '../../contract/vistas/vistas.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../test/roles-world.ts';
import type { Person } from '../../test/world.ts';
import { buildExports } from '../exports/build.job.ts';
import { PLACES } from './inventory.ts';
import { anonymiseDue, nextRun } from './term.job.ts';

worldForEachTest();
beforeEach(async () => {
  const hook = {
    url: 'https://erp.example/h',
    eventos: ['pedido.creado' as const, 'pedido.completado' as const],
    con_precios: true,
    secreto: 'x',
  };
  await world.db.insertInto('webhooks').values(hook).execute();
});

const NAME = 'Begoña Centinela Ruiz';
const PHONE = '655 43 21 98';
const DIGITS = '655432198';
const PERSON = {
  cliente_nombre: NAME,
  cliente_telefono: PHONE,
  cliente_direccion: 'Calle del Centinela 8',
  cliente_direccion2: '4.º Centinela',
  cliente_ciudad: 'Centinelada',
  cliente_provincia: 'Asturias',
  cliente_codigo_postal: '33001',
  instrucciones: 'Preguntar por centinela@correo.es',
  franja_horaria: 'Centinela por la tarde',
};
const MOTIVO = { motivo: 'Lo ha pedido por correo' };
const block = (pedidos: string[], who = admin) => who.call(api.bloquear, { body: { pedidos, ...MOTIVO } });
const unblock = (pedidos: string[]) => admin.call(api.desbloquear, { body: { pedidos, ...MOTIVO } });
const anonymise = (pedidos: string[]) => admin.call(api.anonimizar, { body: { pedidos, ...MOTIVO, confirmacion: CONFIRMACION } });
const search = async (words: string) => (await admin.call(api.buscarPersonas, { query: { search: words } })).body;

/** Creates a delivered order of this person with traces in every possible table; returns its id and number. */
async function lived(fields: object = {}): Promise<{ id: string; numero_orden: string }> {
  const pack = await world.pack();
  const { body } = await reseller.call(createPedido, { body: { ...PERSON, ...fields, pack_id: pack.id } });
  const { id } = body.data;
  const at = { params: { id } };
  const changed = { ...PERSON, ...fields, cliente_direccion: 'Avenida Centinela 9' };
  expect((await admin.call(updatePedido, { ...at, body: changed })).status).toBe(200);
  await admin.call(anotarPago, {
    ...at,
    body: { metodo: 'bizum', importe: 1, fecha: '2026-01-05', referencia: `Bizum ${NAME}` },
  });
  await admin.call(setEstado, { ...at, body: { estado: 'pendiente', referencia: `Transferencia de ${NAME}` } });
  await admin.call(assignTransportista, { ...at, body: { transportista_id: carrier.user.id } });
  await carrier.call(setEstado, { ...at, body: { estado: 'en_ruta' } });
  await carrier.call(setEstado, { ...at, body: { estado: 'asignado', motivo: 'Centinela no estaba' } });
  await admin.call(assignTransportista, { ...at, body: { transportista_id: (await world.user({ role: 'transportista' })).id } });
  await admin.call(addComentario, { ...at, body: { texto: `@${admin.user.full_name} ${NAME} llama mucho` } });
  await reseller.call(addComentario, { ...at, body: { texto: `@${admin.user.full_name}, su otro teléfono es el ${DIGITS}` } });
  await world.db
    .updateTable('pagos')
    .set({ nota: `De ${NAME}` })
    .where('pedido_id', '=', id)
    .execute();
  const done = await admin.call(setEstado, {
    ...at,
    body: { estado: 'completado', metodo_entrega: 'correos', numero_seguimiento: 'CENTINELA-77' },
  });
  expect(done.status, done.text).toBe(200);
  await shipped(id, body.data.numero_orden);
  return { id, numero_orden: body.data.numero_orden };
}

/** Stores tracking numbers of the order in a batch of another company. */
async function shipped(pedido_id: string, numero_orden: string): Promise<void> {
  const sin_pareja = [
    { referencia: numero_orden.toLowerCase().replace('-', ' '), seguimiento: 'Centinela-78', motivo: 'Número CENTINELA-77' },
    { referencia: 'OTRA', seguimiento: 'PQ1', motivo: 'Ningún pedido' },
    { referencia: 'MAL', seguimiento: 'CENTINELA-77', motivo: 'Ningún pedido' },
    { referencia: NAME, seguimiento: null, motivo: 'Ningún pedido' },
  ];
  const { id: envio_id } = await world.db
    .insertInto('envios')
    .values({ plantilla_id: 'correos', empresa: 'Correos', creado_por_nombre: 'Ada', sin_pareja: JSON.stringify(sin_pareja) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await world.db
    .insertInto('envios_pedidos')
    .values({ envio_id, pedido_id, resultado: 'completar', seguimiento: 'CENTINELA-77' })
    .execute();
  const answer = world.db.insertInto('respuestas').values({ envio_id, leida_por_nombre: 'Ada' }).returning('id');
  const { id: respuesta_id } = await answer.executeTakeFirstOrThrow();
  const hecho = JSON.stringify({ linea: { seguimiento: 'CENTINELA-77' }, antes: { motivo: 'Centinela no abre' } });
  await world.db.insertInto('respuestas_pedidos').values({ respuesta_id, pedido_id, resultado: 'completar', hecho }).execute();
}

const NEEDLE = 'Zarzamora';
/** Columns that the law keeps. */
const KEPT = new Set(
  PLACES.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([name, { rule }]) => (rule === 'queda' ? [`${table}.${name}`] : [])),
  ),
);
/** A value with personal data, as SQL, that a column's rule has to take out; undefined for the columns that say who the person is. */
function needleOf(name: string, { rule, isJson }: (typeof PLACES)[number]['columns'][string]) {
  if (rule === 'queda' || ['cliente_nombre', 'cliente_telefono', 'cliente_codigo_postal', 'cliente_nif'].includes(name)) return undefined;
  const named = `De ${NAME}, ${PHONE}`;
  if (rule === 'json') return sql`${sql.ref(name)} || ${JSON.stringify({ nota: NEEDLE, texto: named })}::jsonb`;
  if (isJson) return sql`${JSON.stringify({ clave: NEEDLE })}::jsonb`;
  return rule === 'mascara' || rule === 'aviso' ? named : NEEDLE;
}

/** Adds what a delivered order of `lived` does not have: who received it, a return, a review, an event, a correction and earnings. */
async function richer(pedido_id: string): Promise<void> {
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  expect((await admin.call(createDevolucion, { params: { id: pedido_id }, body: { lineas, motivo: 'otro' } })).status).toBe(201);
  await sql`UPDATE devoluciones SET anulada_at = now(), anulada_motivo = '' WHERE pedido_id = ${pedido_id}`.execute(world.db);
  await world.db
    .insertInto('entregas')
    .values({ pedido_id, anunciadas: '[]' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const review = { proveedor: 'stripe', evento_id: 'evt_1', pedido_id, resultado: 'importe' };
  const { id } = await world.db.insertInto('payment_events').values(review).returning('id').executeTakeFirstOrThrow();
  await sql`WITH e AS (INSERT INTO extractos (id, fichero, leido_por_nombre) VALUES (gen_random_uuid(), 'a', 'Ada') RETURNING id),
    m AS (INSERT INTO movimientos (extracto_id, cuenta, fecha, importe_cents, texto, formato, huella, orden, resto_cents)
      SELECT id, '1', '2026-01-05', 1250, '', 'n43', '', 1, 0 FROM e RETURNING id)
    UPDATE pagos SET movimiento_id = m.id FROM m WHERE pedido_id = ${pedido_id}`.execute(world.db);
  const pedido = JSON.stringify({ pedido: { id: pedido_id } });
  await sql`INSERT INTO events (id, tipo, content, created_at) VALUES (gen_random_uuid(), 'pedido.creado', ${pedido}::jsonb, now())`.execute(
    world.db,
  );
  await sql`WITH s AS (INSERT INTO tiendas (conector, nombre) VALUES ('woo', 'Tienda') RETURNING id)
    INSERT INTO tienda_pedidos (tienda_id, externo_id, numero, modificado_at, estado, pedido_id) SELECT id, '1', '1', now(), 'creado', ${pedido_id} FROM s`.execute(
    world.db,
  );
  await sql`INSERT INTO ganancias (user_id, pedido_id, concepto, cents) VALUES (${carrier.user.id}, ${pedido_id}, 'entrega', 100)`.execute(
    world.db,
  );
  await sql`INSERT INTO audit_logs (type, action, description, entity_type, entity_id, actor_nombre, actor_role, antes, despues)
    VALUES ('pago', 'update', 'Pago revisado', 'pago', ${id}, 'Ada', 'superadmin', '{}', '{}')`.execute(world.db);
}

/** Returns every value in the database that contains one of these words, regardless of case, accents and spacing. */
async function whereStands(...words: string[]): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; name: string }>`
    SELECT table_name AS "table", column_name AS name FROM information_schema.columns JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND data_type IN ('text', 'jsonb', 'ARRAY')`.execute(world.db);
  const found: string[] = [];
  for (const { table, name } of columns) {
    for (const word of words) {
      const { rows } = await sql<{ value: string }>`SELECT ${sql.ref(name)}::text AS value FROM ${sql.table(table)}
        WHERE normaliza(${sql.ref(name)}::text) LIKE normaliza(${`%${word}%`})
          OR replace(${sql.ref(name)}::text, ' ', '') LIKE ${`%${word}%`}`.execute(world.db);
      for (const { value } of rows) found.push(`${table}.${name}: ${value}`);
    }
  }
  return [...new Set(found)];
}

/** Returns all rows by table, without the records that blocking itself writes. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely%'`.execute(world.db);
  const own: Record<string, ReturnType<typeof sql>> = {
    pedidos_historial: sql`accion NOT LIKE 'Datos %'`,
    audit_logs: sql`description NOT LIKE 'Datos %'`,
  };
  const all: Record<string, string> = {};
  for (const { name } of tables) {
    // `cambios` only grows, so before and after always differ.
    if (name === 'sessions' || name === 'cambios') continue;
    const { rows } = await sql<{
      all: string;
    }>`SELECT coalesce(json_agg(to_jsonb(t) - 'version' ORDER BY to_jsonb(t)::text), '[]')::text AS all
      FROM ${sql.table(name)} t WHERE ${own[name] ?? sql`true`}`.execute(world.db);
    all[name] = rows[0]?.all ?? '';
  }
  return all;
}

describe('personal data', () => {
  it.each(['revendedor', 'transportista'] as const)('personal data is refused to the role %s', async (role) => {
    const { id } = await lived();
    const who = role === 'revendedor' ? reseller : carrier;
    for (const reply of [
      await who.call(api.buscarPersonas, { query: { search: NAME } }),
      await who.call(api.exportarPersona, { query: { persona: id } }),
      await block([id], who),
      await who.call(api.desbloquear, { body: { pedidos: [id], ...MOTIVO } }),
      await who.call(api.anonimizar, { body: { pedidos: [id], ...MOTIVO, confirmacion: CONFIRMACION } }),
      await who.call(api.listBloqueos),
      await who.call(api.getPlazo),
    ])
      expect(reply.status).toBe(403);
  });

  it('personal data is shown and changed only after the password is confirmed', async () => {
    const { id } = await lived();
    const left = await world.as(admin.user, { proven: false });
    const before = await everything();
    for (const reply of [
      await left.call(api.buscarPersonas, { query: { search: NAME } }),
      await left.call(api.exportarPersona, { query: { persona: id } }),
      await block([id], left),
      await left.call(api.desbloquear, { body: { pedidos: [id], ...MOTIVO } }),
      await left.call(api.anonimizar, { body: { pedidos: [id], ...MOTIVO, confirmacion: CONFIRMACION } }),
    ])
      expect([reply.status, reply.body.code]).toEqual([403, 'step_up']);
    expect(await everything()).toEqual(before);
  });
});

describe('a search', () => {
  it('a search finds a person by name, telephone or text, with all orders of the person', async () => {
    const { id } = await lived();
    await world.pedido({ ...PERSON, cliente_nombre: 'B. Centinela', cliente_telefono: '+34 655432198', estado: 'en_ruta' });
    await world.pedido({ cliente_nombre: 'Luis Otro', cliente_telefono: '611000111' });
    for (const words of ['begona centinela', '655 43 21 98', '+34655432198', 'centinela@correo.es', 'llama mucho']) {
      const { data, total } = await search(words);
      expect([words, total, data.length]).toEqual([words, 1, 1]);
      expect(data[0]).toMatchObject({ pedidos: 2, abiertos: 1, nombres: ['B. Centinela', NAME], telefonos: ['+34 655432198', PHONE] });
    }
    const [person] = (await search('llama mucho')).data;
    expect(person?.coincide).toEqual(['Comentarios']);
    expect(person?.aparece).toEqual(
      expect.arrayContaining([
        { lugar: 'Comentarios', veces: 2 },
        { lugar: 'Pagos', veces: 2 },
        { lugar: 'Mensajes a otros programas', veces: 2 },
      ]),
    );
    expect((await search('nadie así')).total).toBe(0);
    expect((await admin.call(api.exportarPersona, { query: { persona: id } })).status).toBe(200);
  });

  it('a search tells people without a telephone apart by name and postcode', async () => {
    for (let i = 0; i < 5; i += 1)
      await world.pedido({ cliente_nombre: 'María Gil', cliente_telefono: null, cliente_codigo_postal: `2800${i}` });
    await world.pedido({ cliente_nombre: 'MARIA GIL', cliente_telefono: null, cliente_codigo_postal: '28000' });
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const { body } = await admin.call(api.buscarPersonas, { query: { search: 'maria gil', page, per_page: 2 } });
      expect([body.total, body.last_page]).toEqual([5, 3]);
      seen.push(...body.data.map(({ pedido_id }) => pedido_id));
    }
    expect(new Set(seen).size).toBe(5);
  });

  it('a search finds accounts, and counts the matches in saved views and the activity log', async () => {
    const { user } = await world.as(await world.user({ role: 'revendedor', full_name: 'Carmen Búscame', email: 'carmen@tienda.es' }));
    await admin.call(createVista, {
      body: { lista: 'pedidos', nombre: 'De Carmen', consulta: { search: 'carmen búscame' }, compartida: true },
    });
    const { usuarios, usuarios_total, sueltos } = await search('Búscame');
    expect([usuarios, usuarios_total]).toEqual([
      [{ id: user.id, full_name: 'Carmen Búscame', email: 'carmen@tienda.es', role: 'revendedor', activo: true }],
      1,
    ]);
    expect(sueltos).toEqual([
      { lugar: 'Vistas guardadas', veces: 1 },
      { lugar: 'Registro de actividad', veces: 1 },
    ]);
    expect((await search('carmen@tienda.es')).usuarios_total).toBe(1);
  });

  it('a search is logged without the searched name', async () => {
    await lived();
    await search(NAME);
    const { description } = await world.db
      .selectFrom('audit_logs')
      .select('description')
      .where('entity_type', '=', 'privacidad')
      .executeTakeFirstOrThrow();
    expect(description).toBe('Datos personales buscados: 1 persona');
  });
});

describe('the file', () => {
  it('a person’s file has all data in Spanish, and is logged with order numbers only', async () => {
    const { id, numero_orden } = await lived();
    await world.pedido({ cliente_nombre: 'Luis Otro', cliente_telefono: '611000111' });
    const { status, headers, text } = await admin.call(api.exportarPersona, { query: { persona: id } });
    expect([status, headers['content-disposition']]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="datos-personales-.*\.json"$/),
    ]);
    const { Pedidos } = JSON.parse(text);
    expect(Pedidos).toHaveLength(1);
    expect(Pedidos[0]).toMatchObject({
      'Número de orden': numero_orden,
      Nombre: NAME,
      Teléfono: PHONE,
      Dirección: 'Avenida Centinela 9',
      Instrucciones: PERSON.instrucciones,
      Total: 12.5,
      Estado: 'Completado',
      Líneas: [expect.objectContaining({ Cantidad: 1, 'Precio unitario (€)': 12.5 })],
      Comentarios: [expect.objectContaining({ Texto: expect.stringContaining('llama mucho') }), expect.anything()],
      Pagos: [expect.objectContaining({ 'Importe (€)': 1, Nota: `De ${NAME}` }), expect.anything()],
      Historial: expect.arrayContaining([
        expect.objectContaining({ Cambios: { Dirección: ['Calle del Centinela 8', 'Avenida Centinela 9'] } }),
      ]),
    });
    expect(Pedidos[0]['Avisos en el programa'].length).toBeGreaterThan(3);
    expect(Pedidos[0]['Mensajes a otros programas']).toHaveLength(2);
    expect(text).not.toContain('Luis Otro');
    const { description } = await world.db
      .selectFrom('audit_logs')
      .select('description')
      .where('entity_type', '=', 'privacidad')
      .executeTakeFirstOrThrow();
    expect(description).toBe(`Datos personales exportados de ${numero_orden}`);
    const byIds = await admin.call(api.exportarPersona, { query: { pedidos: id as never } });
    expect(JSON.parse(byIds.text).Pedidos[0].Nombre).toBe(NAME);
  });

  it('a file is refused for both a person and orders, and for neither', async () => {
    const { id } = await world.pedido();
    expect((await admin.call(api.exportarPersona, { query: {} })).status).toBe(422);
    expect((await admin.call(api.exportarPersona, { query: { persona: id, pedidos: id as never } })).status).toBe(422);
    expect((await admin.call(api.exportarPersona, { query: { persona: crypto.randomUUID() } })).status).toBe(404);
  });
});

describe('blocking', () => {
  it('blocking leaves no personal data in any table, except encrypted', async () => {
    const { id, numero_orden } = await lived();
    await admin.call(createVista, {
      body: { lista: 'pedidos', nombre: `De ${NAME}`, consulta: { search: NAME.toLowerCase() }, compartida: true },
    });
    await admin.call(createExport, { body: { conjuntos: ['pedidos'], formato: 'csv', filtro: { search: NAME } } });
    await buildExports(world.db, world.open.freeRoom);
    await world.db
      .insertInto('outbox')
      .values({
        channel: 'correo',
        recipient: 'a@b.es',
        payload: JSON.stringify({
          asunto: `Pedido entregado: ${numero_orden} (${NAME})`,
          texto: `${numero_orden} (${NAME})`,
          html: `<p>${numero_orden} (${NAME})</p>`,
        }),
      })
      .execute();
    expect((await whereStands('centinela', DIGITS)).length).toBeGreaterThan(20);
    const { body, status } = await admin.call(api.bloquear, { body: { persona: id, motivo: `Lo pide ${NAME}` } });
    expect([status, body.message]).toEqual([200, '1 pedido bloqueado']);
    expect(await whereStands('centinela', DIGITS)).toEqual([]);

    const { data } = (await admin.call(getPedido, { params: { id } })).body;
    expect(data).toMatchObject({
      cliente_nombre: 'Cliente bloqueado',
      cliente_direccion: '',
      cliente_telefono: null,
      cliente_codigo_postal: null,
      cliente_provincia: 'Asturias',
      precio_total: 12.5,
      estado: 'completado',
      bloqueado_at: expect.any(String),
    });
    expect((await admin.call(listPedidos, { query: { search: 'centinela' } })).body.total).toBe(0);
    expect((await search(NAME)).total).toBe(0);
    expect((await admin.call(listClientes, { query: { search: 'cliente bloqueado' } })).body.data).toEqual([]);
    const [file] = (await admin.call(listExports)).body.data;
    expect([file?.estado, file?.error]).toEqual(['error', expect.stringMatching(/^Se ha retirado/)]);
    expect((await admin.call(api.listBloqueos)).body.data).toEqual([
      {
        pedido_id: id,
        numero_orden,
        motivo: 'Lo pide Cliente bloqueado',
        bloqueado_por: admin.user.full_name,
        created_at: expect.any(String),
      },
    ]);
  });

  it('unblocking restores all data, whatever the texts and the order of the calls', async () => {
    const texts = [
      { cliente_nombre: "O'Neil & «Hijas» <b>", cliente_telefono: '+34 (655) 43.21.98', instrucciones: 'línea 1\nlínea 2 "x" \\ %_' },
      { cliente_nombre: 'Ana', cliente_telefono: null, cliente_ciudad: null, instrucciones: null },
      { cliente_nombre: 'Cliente bloqueado', cliente_telefono: '1', cliente_direccion2: null },
      { cliente_nombre: 'Ñandú 😀 Ruiz', cliente_direccion: ' 8 ', franja_horaria: null },
    ];
    const ids: string[] = [];
    for (const text of texts) ids.push((await lived(text)).id);
    await admin.call(createVista, { body: { lista: 'pedidos', nombre: 'Ñandú 😀 Ruiz', consulta: { search: "o'neil & «hijas» <b>" } } });
    const before = await everything();
    expect((await block(ids)).status).toBe(200);
    expect(await everything()).not.toEqual(before);
    expect((await unblock(ids.toReversed())).body.message).toBe('4 pedidos desbloqueados');
    const { datos_bloqueados, ...after } = await everything();
    expect([datos_bloqueados, after]).toEqual(['[]', expect.objectContaining(after)]);
    for (const [table, rows] of Object.entries(before)) if (table !== 'exports') expect(after[table] ?? '[]', table).toBe(rows);
    // Blocks and unblocks again, one order at a time.
    for (const id of ids) expect((await block([id])).status).toBe(200);
    for (const id of ids) expect((await unblock([id])).status).toBe(200);
    const { pedidos, comentarios, pedidos_historial } = await everything();
    expect({ pedidos, comentarios, pedidos_historial }).toEqual({
      pedidos: before.pedidos,
      comentarios: before.comentarios,
      pedidos_historial: before.pedidos_historial,
    });
  });

  it('blocking and unblocking are refused for orders in the wrong state, and the refusal names the orders', async () => {
    const open = await world.pedido({ ...PERSON, estado: 'en_ruta' });
    const ended = await world.pedido({ ...PERSON, estado: 'cancelado' });
    const { status, body } = await admin.call(api.bloquear, { body: { persona: ended.id, ...MOTIVO } });
    expect([status, body.message]).toEqual([409, `Estos pedidos no han terminado: complétalos o cancélalos antes. ${open.numero_orden}.`]);
    expect((await whereStands(NAME)).length).toBeGreaterThan(0);
    expect((await block([ended.id])).status).toBe(200);
    expect((await block([ended.id])).body.message).toBe(`Estos pedidos ya no tienen datos que bloquear. ${ended.numero_orden}.`);
    expect((await unblock([open.id])).body.message).toBe(`Estos pedidos no están bloqueados. ${open.numero_orden}.`);
    expect((await block([crypto.randomUUID()])).status).toBe(404);
    expect((await admin.call(api.bloquear, { body: { pedidos: [open.id], motivo: ' ' } })).body.errors).toEqual({
      motivo: ['Indica el motivo'],
    });
  });

  it('a blocked order cannot be changed, commented, copied or restored until unblocked', async () => {
    const { id } = await lived();
    const deleted = await world.pedido({ ...PERSON, estado: 'pendiente', deleted_at: new Date().toISOString(), unidades_retenidas: 0 });
    await block([id, deleted.id]);
    const at = { params: { id } };
    for (const [reply, verb] of [
      [await admin.call(updatePedido, { ...at, body: { ...PERSON, cliente_nombre: 'Otra' } }), 'modificar'],
      [await admin.call(duplicatePedido, at), 'duplicar'],
      [await admin.call(addComentario, { ...at, body: { texto: 'Es Begoña' } }), 'comentar'],
      [await admin.call(restorePedido, { params: { id: deleted.id } }), 'restaurar'],
    ] as const) {
      expect([reply.status, reply.body.message]).toEqual([
        409,
        `Los datos del cliente están bloqueados: este pedido no se puede ${verb} mientras lo estén`,
      ]);
    }
    await unblock([id, deleted.id]);
    expect((await admin.call(duplicatePedido, at)).status).toBe(201);
    expect((await admin.call(restorePedido, { params: { id: deleted.id } })).status).toBe(200);
  });

  it('blocking is recorded in the order’s history and the log', async () => {
    const { id, numero_orden } = await lived();
    await block([id]);
    const { data } = (await admin.call(getHistorial, { params: { id } })).body;
    expect(data[0]).toMatchObject({ accion: 'Datos bloqueados', actor_nombre: admin.user.full_name, nota: null, cambios: {} });
    const entry = await world.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('description', '=', `Datos bloqueados: ${numero_orden}`)
      .execute();
    expect(entry).toMatchObject([{ entity_id: id, actor_user_id: admin.user.id, despues: MOTIVO }]);
    // The carrier reads no message of withdrawal, because the carrier keeps the cancelled order.
    const cancelled = await world.pedido({ estado: 'cancelado', transportista_id: carrier.user.id });
    await block([cancelled.id]);
    expect((await carrier.call(getPedido, { params: { id: cancelled.id } })).body).not.toHaveProperty('retirado');
  });
});

describe('anonymising', () => {
  it('tracking numbers of anonymised orders stay removed even if a shipping company’s file is read again', async () => {
    await sql`UPDATE settings SET data = data || '{"shipmentFiles": true}'`.execute(world.db);
    const [inBatch, apart] = [await world.pedido(), await world.pedido()];
    const { body } = await admin.call(createEnvio, { body: { plantilla: 'correos', ids: [inBatch.id] } });
    const params = { id: body.data.id };
    const read = (seguimiento: string) =>
      admin.call(leerRespuesta, {
        params,
        body: { filas: [inBatch, apart].map(({ numero_orden: referencia }) => ({ referencia, seguimiento, estado: 'Entregado' })) },
      });
    await read('CENTINELA-1');
    await admin.call(setEstado, { params: { id: apart.id }, body: { estado: 'completado', metodo_entrega: 'correos' } });
    expect((await whereStands('CENTINELA-1')).map((found) => found.split(':')[0])).toEqual(
      expect.arrayContaining(['envios_pedidos.seguimiento', 'envios.sin_pareja']),
    );
    expect((await anonymise([inBatch.id, apart.id])).status).toBe(200);
    expect(await whereStands('CENTINELA')).toEqual([]);
    expect((await read('CENTINELA-2')).body.data.map(({ resultado }) => resultado)).toEqual(['no_encaja', 'no_encaja']);
    expect(await whereStands('CENTINELA')).toEqual([]);
  });

  it('anonymising removes personal data from all tables for good, blocked data included', async () => {
    const { id } = await lived();
    const { id: other } = await lived({ cliente_nombre: 'B. Centinela' });
    await block([other]);
    expect((await anonymise([id, other])).body.message).toBe('2 pedidos anonimizados');
    expect(await whereStands('centinela', DIGITS, 'Cliente bloqueado')).toEqual([]);
    expect(await world.db.selectFrom('datos_bloqueados').selectAll().execute()).toEqual([]);
    for (const pedido of [id, other]) {
      const { data } = (await admin.call(getPedido, { params: { id: pedido } })).body;
      expect(data).toMatchObject({
        cliente_nombre: 'Cliente anonimizado',
        cliente_provincia: 'Asturias',
        anonimizado_at: expect.any(String),
        bloqueado_at: null,
        pagado: 12.5,
        revendedor_nombre: reseller.user.full_name,
      });
    }
    expect((await unblock([other])).status).toBe(409);
    expect((await anonymise([id])).status).toBe(409);
    expect((await admin.call(duplicatePedido, { params: { id } })).body.message).toBe(
      'Los datos del cliente están anonimizados: este pedido ya no se puede duplicar',
    );
  });

  it('a needle planted in each column of the inventory is in no column after anonymising', async () => {
    const { id } = await lived();
    await richer(id);
    const bare: string[] = [];
    await world.db.transaction().execute(async (tx) => {
      // The audit log takes no other change.
      await sql`SELECT set_config('enruta.datos_personales', 'cubrir', true)`.execute(tx);
      for (const { table, order, where, columns } of PLACES) {
        if (Object.values(columns).every(({ rule }) => rule === 'queda')) continue;
        const planted = Object.entries(columns).flatMap(([name, column]) => {
          const value = needleOf(name, column);
          return value ? [sql`${sql.ref(name)} = ${value}`] : [];
        });
        const { numAffectedRows = 0n } = await sql`UPDATE ${sql.table(table)} SET ${sql.join(planted)}
          WHERE (${sql.raw(order.sql)})::text = ${id} AND ${sql.raw(where ?? 'true')}`.execute(tx);
        if (numAffectedRows === 0n) bare.push(`${table} ${where ?? ''}`);
      }
    });
    expect(bare, 'places of the inventory without a row of the order').toEqual([]);
    expect((await whereStands(NEEDLE)).length).toBeGreaterThan(20);
    expect((await anonymise([id])).status).toBe(200);
    const found = (await whereStands(NEEDLE, NAME, DIGITS)).map((line) => line.split(':')[0] ?? '');
    expect(found.filter((name) => !KEPT.has(name))).toEqual([]);
  });

  it('anonymising keeps amounts, dates and references, and changes no figure', async () => {
    const { id } = await lived();
    await lived({ cliente_nombre: 'Otra Persona' });
    await world.pedido({ ...PERSON, estado: 'cancelado' });
    const stats = async (who: Person, of: string) => {
      const { status, text } = await who.request('GET', `/api/stats/${of}`);
      expect(status).toBe(200);
      return text;
    };
    const figures = async () => ({
      stats: [
        await stats(admin, 'admin'),
        await stats(admin, 'transportistas'),
        await stats(reseller, 'revendedor'),
        await stats(carrier, 'transportista'),
      ],
      total: (await admin.call(listPedidos, { query: {} })).body.importe,
      totals: (
        await sql`SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS n, sum(total_cents) AS c FROM pedidos_totales GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`.execute(
          world.db,
        )
      ).rows,
      counted: (await sql`SELECT * FROM pedidos_contados ORDER BY 1, 2, 3, 4`.execute(world.db)).rows,
      orders: (
        await sql`SELECT id, estado, fecha_pedido, fecha_completado, fecha_pago, updated_at, cliente_provincia, producto, precio_total_cents, pagado_cents, unidades_retenidas FROM pedidos ORDER BY id`.execute(
          world.db,
        )
      ).rows,
      lines: (await sql`SELECT * FROM pedidos_lineas ORDER BY 1, 2`.execute(world.db)).rows,
      payments: (
        await sql`SELECT id, estado, importe_cents, fecha, replace(referencia, ${NAME}, 'Cliente anonimizado') AS referencia FROM pagos ORDER BY id`.execute(
          world.db,
        )
      ).rows,
      ledger: (await sql`SELECT * FROM stock_movements ORDER BY id`.execute(world.db)).rows,
      stock: (await sql`SELECT id, stock FROM products ORDER BY id`.execute(world.db)).rows,
    });
    const before = await figures();
    expect(before.payments).toEqual(
      expect.arrayContaining([expect.objectContaining({ referencia: 'Transferencia de Cliente anonimizado' })]),
    );
    await anonymise([id]);
    expect(await figures()).toEqual(before);
  });

  it('anonymising changes only personal data in the audit log, where any other change is refused', async () => {
    const { id } = await lived();
    const log = () =>
      world.db
        .selectFrom('audit_logs')
        .select(['id', 'created_at', 'action', 'actor_nombre', 'entity_id', 'hidden_at'])
        .orderBy('id')
        .execute();
    const before = await log();
    await anonymise([id]);
    const after = await log();
    expect(before.every((row) => after.some((other) => JSON.stringify(other) === JSON.stringify(row)))).toBe(true);
    const change = (set: object) => world.db.updateTable('audit_logs').set(set).execute();
    await expect(change({ despues: '{}' })).rejects.toThrow('append-only');
    await expect(
      world.db.transaction().execute(async (tx) => {
        await sql`SELECT set_config('enruta.datos_personales', 'cubrir', true)`.execute(tx);
        await tx.updateTable('audit_logs').set({ actor_nombre: 'Otra' }).execute();
      }),
    ).rejects.toThrow('append-only');
    await expect(change({ despues: '{}' }), 'not after it either').rejects.toThrow('append-only');
  });

  it('blocking and anonymising remove names and telephones from notes of adjustments', async () => {
    const { id } = await world.pedido({ ...PERSON, estado: 'completado' });
    const nota = `Propina de ${NAME} (${PHONE})`;
    const pack = await world.pack();
    expect((await admin.call(crearAjuste, { body: { user_id: carrier.user.id, importe: 5, nota } })).status).toBe(201);
    const adjusted = await admin.call(ajustarStock, { params: { id: pack.product_id }, body: { unidades: 3, nota } });
    expect(adjusted.status, adjusted.text).toBe(200);
    const { sueltos } = await search('centinela');
    expect(sueltos).toEqual([
      { lugar: 'Ajustes de ganancias', veces: 1 },
      { lugar: 'Ajustes de stock', veces: 1 },
      { lugar: 'Registro de actividad', veces: 2 },
    ]);
    const before = await everything();
    expect((await block([id])).status).toBe(200);
    expect(await whereStands(NAME, DIGITS)).toEqual([]);
    expect((await unblock([id])).status).toBe(200);
    expect(await everything()).toEqual(before);
    expect((await anonymise([id])).status).toBe(200);
    expect(await whereStands(NAME, DIGITS)).toEqual([]);
    const amount = sql`UPDATE ganancias SET nota = 'otra'`.execute(world.db);
    await expect(amount, 'only in a transaction that says so').rejects.toThrow('append-only');
  });

  it('anonymising includes both telephones of a person whose customer records are joined', async () => {
    const fields = { estado: 'completado' as const, revendedor_id: reseller.user.id };
    const first = await world.pedido({ ...PERSON, ...fields });
    const second = await world.pedido({ ...PERSON, ...fields, cliente_nombre: 'Bego Centinela', cliente_telefono: '611000222' });
    const stranger = await world.pedido({ ...PERSON, ...fields, cliente_nombre: 'Otra Centinela', cliente_telefono: '622000333' });
    const clienteOf = async ({ id }: { id: string }) =>
      (await world.db.selectFrom('pedidos').select('cliente_id').where('id', '=', id).executeTakeFirstOrThrow()).cliente_id ?? '';
    const joined = await admin.call(unirCliente, { params: { id: await clienteOf(first) }, body: { cliente_id: await clienteOf(second) } });
    expect(joined.status, joined.text).toBe(200);

    const { data, total } = await search('611000222');
    expect([total, data[0]?.pedidos, data[0]?.telefonos]).toEqual([1, 2, ['611000222', PHONE]]);
    expect((await search('centinela')).total).toBe(2);
    const body = { persona: second.id, ...MOTIVO, confirmacion: CONFIRMACION } as const;
    expect((await admin.call(api.anonimizar, { body })).status).toBe(200);
    const names = await world.db.selectFrom('pedidos').select(['id', 'cliente_nombre']).execute();
    expect(Object.fromEntries(names.map(({ id, cliente_nombre }) => [id, cliente_nombre]))).toEqual({
      [first.id]: 'Cliente anonimizado',
      [second.id]: 'Cliente anonimizado',
      [stranger.id]: 'Otra Centinela',
    });
  });

  it('anonymising requires the confirmation word and ended orders', async () => {
    const { id } = await world.pedido({ ...PERSON, estado: 'en_ruta' });
    const body = { pedidos: [id], ...MOTIVO, confirmacion: 'sí' as typeof CONFIRMACION };
    expect((await admin.call(api.anonimizar, { body })).body.errors).toEqual({ confirmacion: ['Escribe ANONIMIZAR para confirmar'] });
    expect((await anonymise([id])).status).toBe(409);
    expect((await admin.call(getPedido, { params: { id } })).body.data).toMatchObject({ cliente_nombre: NAME });
  });
});

describe('the term', () => {
  /** Skips the day before a shorter term takes effect. */
  const dayLater = () => sql`UPDATE settings SET data = data - 'heldTerms'`.execute(world.db);
  const ago = (months: number, days = 0) => {
    const at = new Date();
    at.setUTCMonth(at.getUTCMonth() - months);
    return new Date(at.getTime() - days * 86_400_000).toISOString();
  };
  const names = async () =>
    Object.fromEntries(
      (await world.db.selectFrom('pedidos').select(['id', 'cliente_nombre']).execute()).map((p) => [
        p.id,
        p.cliente_nombre === 'Cliente anonimizado',
      ]),
    );

  it('the term applies exactly to orders that ended longer ago than the setting', async () => {
    const old = { created_at: ago(30), fecha_pedido: ago(30), updated_at: ago(30) };
    const cancelled = async (at: string) => {
      const { id } = await world.pedido({ ...PERSON, ...old, updated_at: ago(0), estado: 'cancelado' });
      await world.db
        .insertInto('pedidos_historial')
        .values({
          pedido_id: id,
          actor_role: 'sistema',
          actor_nombre: 'Sistema',
          accion: 'Cancelar',
          estado_nuevo: 'cancelado',
          created_at: at,
        })
        .execute();
      return id;
    };
    const expected = {
      [(await world.pedido({ ...PERSON, ...old, estado: 'completado', fecha_completado: ago(24, 2) })).id]: true,
      [(await world.pedido({ ...PERSON, ...old, estado: 'completado', fecha_completado: ago(23) })).id]: false,
      [await cancelled(ago(24, 2))]: true,
      [await cancelled(ago(23))]: false,
      [(await world.pedido({ ...PERSON, ...old, estado: 'pendiente', deleted_at: ago(25), unidades_retenidas: 0 })).id]: true,
      [(await world.pedido({ ...PERSON, ...old, estado: 'pendiente', deleted_at: ago(1), unidades_retenidas: 0 })).id]: false,
      [(await world.pedido({ ...PERSON, ...old, estado: 'en_ruta' })).id]: false,
    };
    expect(await anonymiseDue(world.db), '0 is never').toBe(0);
    expect((await admin.call(api.getPlazo)).body.data).toEqual({ meses: 0, pendientes: 0, proxima: null, anonimizados: 0 });
    expect((await admin.call(updateSettings, { body: { anonymizeMonths: 24 } })).status).toBe(200);
    const { proxima, ...plazo } = (await admin.call(api.getPlazo)).body.data;
    expect(plazo).toEqual({ meses: 24, pendientes: 3, anonimizados: 0 });
    expect(Date.parse(proxima ?? '') - Date.now(), 'not the next night, but the one after the term begins').toBeGreaterThan(86_000_000);
    expect(await anonymiseDue(world.db)).toBe(0);
    await dayLater();
    expect(await anonymiseDue(world.db)).toBe(3);
    expect(await names()).toEqual(expected);
    expect(await anonymiseDue(world.db)).toBe(0);
    expect((await admin.call(api.getPlazo)).body.data).toMatchObject({ pendientes: 0, anonimizados: 3 });
  });

  it('the term is applied in batches, and the next run resumes after a failed batch', async () => {
    await admin.call(updateSettings, { body: { anonymizeMonths: 1 } });
    await dayLater();
    const pack = await world.pack();
    const done = { pack, created_at: ago(3), estado: 'completado' as const, fecha_completado: ago(2) };
    for (let i = 0; i < 120; i += 1) await world.pedido({ ...PERSON, ...done });
    const { rows } = await sql<{ id: string }>`SELECT id FROM pedidos ORDER BY id OFFSET 70 LIMIT 1`.execute(world.db);
    await sql`ALTER TABLE pedidos ADD CONSTRAINT imposible CHECK (id <> ${sql.lit(rows[0]?.id)} OR anonimizado_at IS NULL)`.execute(
      world.db,
    );
    try {
      await expect(anonymiseDue(world.db)).rejects.toThrow('imposible');
    } finally {
      await sql`ALTER TABLE pedidos DROP CONSTRAINT imposible`.execute(world.db);
    }
    expect(Object.values(await names()).filter(Boolean)).toHaveLength(50);
    expect(await anonymiseDue(world.db)).toBe(70);
    expect(await whereStands(NAME, DIGITS)).toEqual([]);
  });

  it('the term is applied every day at 2:40 UTC', () => {
    expect(nextRun(new Date('2026-11-20T02:39:00Z')).toISOString()).toBe('2026-11-20T02:40:00.000Z');
    expect(nextRun(new Date('2026-12-31T02:40:00Z')).toISOString()).toBe('2027-01-01T02:40:00.000Z');
  });

  it('the term is at most twenty years', async () => {
    expect((await admin.call(updateSettings, { body: { anonymizeMonths: 241 } })).body.errors).toEqual({
      anonymizeMonths: ['Entre 0 y 240 meses'],
    });
  });
});

describe.each(['000000000', '600000000', '123456789', '+351 91234'])('strangers under the made-up telephone %s', (cliente_telefono) => {
  const under = async (cliente_nombre: string, fields: object = {}) =>
    world.pedido({ estado: 'completado', cliente_nombre, cliente_telefono, cliente_codigo_postal: '28013', ...fields });

  it('strangers are several customers, and anonymising one keeps the others', async () => {
    const adela = await under('Adela Relleno');
    const clara = await under('Clara Relleno');
    expect((await search('Relleno')).data.map(({ nombres }) => nombres)).toHaveLength(2);
    const body = { persona: adela.id, ...MOTIVO, confirmacion: CONFIRMACION } as const;
    expect((await admin.call(api.anonimizar, { body })).body).toMatchObject({ data: { pedidos: 1 } });
    const read = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data.cliente_nombre;
    expect([await read(adela.id), await read(clara.id)]).toEqual(['Cliente anonimizado', 'Clara Relleno']);
  });

  it('joined strangers are listed by order and name before anything is done, and can be left out', async () => {
    const adela = await under('Adela Relleno', { fecha_pedido: '2026-11-01T10:00:00Z' });
    const clara = await under('Clara Relleno', { fecha_pedido: '2026-11-02T10:00:00Z' });
    const [main, joined] = await Promise.all(
      [adela, clara].map(
        async ({ id }) =>
          (await world.db.selectFrom('pedidos').select('cliente_id').where('id', '=', id).executeTakeFirstOrThrow()).cliente_id ?? '',
      ),
    );
    await world.db
      .updateTable('clientes')
      .set({ unido_a: main })
      .where('id', '=', joined ?? '')
      .execute();
    const { data } = await search('Relleno');
    expect(data.map(({ lista }) => lista.map(({ id, cliente_nombre }) => [id, cliente_nombre]))).toEqual([
      [
        [clara.id, 'Clara Relleno'],
        [adela.id, 'Adela Relleno'],
      ],
    ]);
    const apart = (await admin.call(listClientes, { query: { ver: 'separar' } })).body.data.map(({ id }) => id);
    expect(apart).toEqual(cliente_telefono.startsWith('+') ? [] : [main]);
    expect((await anonymise([adela.id])).status).toBe(200);
    expect((await admin.call(getPedido, { params: { id: clara.id } })).body.data.cliente_nombre).toBe('Clara Relleno');
  });
});

it('a number of Lisboa and the same figures of Madrid are two persons', async () => {
  const figures = { estado: 'completado' as const, cliente_telefono: '912 345 670' };
  await world.pedido({ ...figures, cliente_nombre: 'João Figuras', cliente_pais: 'Portugal' });
  await world.pedido({ ...figures, cliente_nombre: 'Ana Figuras', cliente_pais: 'España' });
  await world.pedido({ ...figures, cliente_nombre: 'João B. Figuras', cliente_telefono: '+351 912345670', cliente_pais: null });
  const found = (await search('Figuras')).data.map(({ lista }) => lista.map(({ cliente_nombre }) => cliente_nombre).sort());
  expect(found.sort()).toEqual([['Ana Figuras'], ['João B. Figuras', 'João Figuras']]);
});
