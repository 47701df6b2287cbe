import { sql } from 'kysely';
import type { Envio, createEnvio as endpoint, Plantilla, updatePlantilla as updateEndpoint } from '../../contract/envios/envios.ts';
import { bareReferencia, DESHACER_HORAS } from '../../contract/envios/fields.ts';
import { type EnvioValues, envioReferences, evaluatePlantilla, tooLong } from '../../contract/envios/plantilla.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { ESTADO, type Estado } from '../../contract/pedidos/estados.ts';
import { type Actor, personIdOf } from '../../contract/policy/policy.ts';
import { plainLetters } from '../../contract/text/normalize.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Unmatched } from '../db/schema.ts';
import { csvText } from '../kit/csv.ts';
import { conflict, notFound, refuseStale } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import { readSettings } from '../settings/settings.ts';
import { DELIVERABLE, handToCompany, lockDeliverable, refuseHeld, takeOut } from './hands.ts';

const SHOWN = 200;

/** SQL condition: the answer `r` is not too old to be taken back. */
export const RECENT_ANSWER = sql<boolean>`r.deshecha_at IS NULL AND r.created_at > now() - make_interval(hours => ${DESHACER_HORAS})`;

type Fuera = { numero_orden: string; estado: Estado; eliminado: boolean; anonimizado: boolean; bloqueado: boolean };
// Does not list orders that the answer completed, which are expected to be missing from the file.
const FUERA = sql<Fuera[]>`coalesce((
  SELECT json_agg(json_build_object('numero_orden', p.numero_orden, 'estado', p.estado, 'eliminado', p.deleted_at IS NOT NULL,
    'anonimizado', p.anonimizado_at IS NOT NULL, 'bloqueado', p.bloqueado_at IS NOT NULL) ORDER BY p.numero_orden)
  FROM envios_pedidos f JOIN pedidos p ON p.id = f.pedido_id
  WHERE f.envio_id = e.id AND f.sacado_at IS NULL AND f.resultado IS DISTINCT FROM 'completar' AND NOT (${DELIVERABLE})), '[]'::json)`;

function whyLeftOut({ estado, eliminado, anonimizado, bloqueado }: Fuera): string {
  if (eliminado) return 'Eliminado';
  if (anonimizado) return 'Anonimizado';
  return bloqueado ? 'Bloqueado' : ESTADO[estado].label;
}

const shown = <T extends { fuera: Fuera[]; sin_pareja: Unmatched[] }>({ fuera, sin_pareja, ...envio }: T) => ({
  ...envio,
  sin_pareja: sin_pareja
    .filter(({ tapada }) => !tapada)
    .map(({ referencia, seguimiento, motivo }) => ({ referencia, seguimiento, motivo })),
  fuera: fuera.map((order) => ({ numero_orden: order.numero_orden, motivo: whyLeftOut(order) })),
});

const select = (db: Db | Tx) =>
  db
    .selectFrom('envios as e')
    .leftJoin('envios_pedidos as l', 'l.envio_id', 'e.id')
    .leftJoin('pedidos as p', 'p.id', 'l.pedido_id')
    .select(['e.id', 'e.empresa', 'e.created_at', 'e.creado_por_nombre as creado_por', 'e.sin_pareja', 'e.respondido_at'])
    .select([
      sql<number>`count(l.pedido_id)::int`.as('pedidos'),
      // An order that waits again was completed by an answer, and its delivery taken back.
      sql<number>`(count(*) FILTER (WHERE l.resultado = 'completar' AND NOT (${DELIVERABLE})))::int`.as('completados'),
      sql<number>`(count(*) FILTER (WHERE l.resultado = 'incidencia'))::int`.as('incidencias'),
      // Does not count orders that were completed or cancelled elsewhere.
      sql<number>`(count(*) FILTER (WHERE l.resultado IS DISTINCT FROM 'incidencia' AND l.sacado_at IS NULL AND ${DELIVERABLE}))::int`.as(
        'sin_respuesta',
      ),
      sql<number>`(count(*) FILTER (WHERE l.sacado_at IS NOT NULL))::int`.as('sacados'),
      FUERA.as('fuera'),
      sql<Envio['respuesta']>`(SELECT json_build_object('id', r.id, 'created_at', r.created_at, 'leida_por', r.leida_por_nombre)
        FROM respuestas r WHERE r.envio_id = e.id AND ${RECENT_ANSWER} ORDER BY r.created_at DESC LIMIT 1)`.as('respuesta'),
    ])
    .groupBy('e.id');

/** Returns the latest batches, newest first. */
export const listEnvios = async (db: Db): Promise<Envio[]> =>
  (await select(db).orderBy('e.created_at', 'desc').orderBy('e.id').limit(SHOWN).execute()).map(shown);

/** Returns a batch. Throws 404. */
export const readEnvio = async (db: Db | Tx, id: string): Promise<Envio> =>
  shown(
    await select(db)
      .where('e.id', '=', id)
      .executeTakeFirstOrThrow(() => notFound()),
  );

/**
 * Makes a batch of the orders that can be completed and fit into the company's columns, and marks these orders as held by the company. `avisos`
 * says what does not fit. Throws 404 for an unknown company; 409 if no order is left or the setting is off. Without `aunque_tenga_envio`, also
 * 409 if another company or a carrier has an order.
 */
export async function createEnvio(
  db: Db,
  actor: Actor,
  { plantilla, ids, aunque_tenga_envio }: BodyOut<typeof endpoint>,
): Promise<{ envio: Envio; avisos: string[] }> {
  return transact(db, async (tx) => {
    const settings = await readSettings(tx);
    if (!settings.shipmentFiles) throw conflict('Los ficheros de envío no están activados en Configuración');
    const { clave: plantilla_id, nombre: empresa, columnas } = await readPlantilla(tx, plantilla);
    const deliverable = await lockDeliverable(tx, actor, ids);
    if (deliverable.length === 0) throw conflict('Ninguno de esos pedidos está por entregar', 'estado');
    const { orders, avisos } = fittingOrders(columnas, deliverable, settings);
    if (orders.length === 0) throw conflict(avisos.join('. '));
    if (!aunque_tenga_envio) refuseHeld(orders);
    await takeOut(tx, orders);
    const { id } = await tx
      .insertInto('envios')
      .values({ plantilla_id, empresa, creado_por: personIdOf(actor), creado_por_nombre: actor.full_name })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('envios_pedidos')
      .values(orders.map((order) => ({ envio_id: id, pedido_id: order.id })))
      .execute();
    await handToCompany(tx, actor, empresa, orders);
    const description = `Fichero de envío de ${empresa}: ${plural(orders.length, 'pedido')}`;
    await audit(tx, actor, { type: 'pedido', action: 'create', entity_type: 'envio', entity_id: id, description });
    emit(tx, { topic: 'envios', roles: ['superadmin'] });
    return { envio: await readEnvio(tx, id), avisos };
  });
}

type Shipped = Pick<PedidoRow, Exclude<keyof EnvioValues, 'unidades' | 'fecha' | 'reembolso' | 'empresa' | 'empresa_telefono'>> &
  Pick<PedidoRow, 'por_cobrar_cents' | 'unidades_retenidas'> & { fecha: string };
type Company = { companyName: string; companyPhone: string };

const valuesOf = ({ por_cobrar_cents, unidades_retenidas, ...row }: Shipped, { companyName, companyPhone }: Company): EnvioValues => ({
  ...row,
  unidades: unidades_retenidas,
  reembolso: por_cobrar_cents ? toEuros(por_cobrar_cents) : null,
  empresa: companyName,
  empresa_telefono: companyPhone,
});

const NAMED = 5;

/** Splits off the orders that the columns cannot hold, or whose reference is that of another one; `avisos` names them, and cut notes. */
export function fittingOrders(columnas: Plantilla['columnas'], rows: readonly PedidoRow[], company: Company) {
  const names = new Map<string, string[]>();
  const note = (sentence: string, numero: string) => names.set(sentence, [...(names.get(sentence) ?? []), numero]);
  const references = new Set<string>();
  const orders = rows.filter((row) => {
    const { out, cut } = tooLong(columnas, valuesOf({ ...row, fecha: 'dd/mm/aaaa' }, company));
    const reference = bareReferencia(envioReferences(columnas, row.numero_orden).join(' '));
    const same = references.has(reference);
    references.add(reference);
    for (const titulo of out) note(`Fuera del fichero, porque no cabe en «${titulo}»`, row.numero_orden);
    if (same) note('Fuera del fichero, porque su número se confunde con otro', row.numero_orden);
    for (const titulo of cut) note(`No cabe entero en «${titulo}»`, row.numero_orden);
    return out.length === 0 && !same;
  });
  const listed = (all: readonly string[]) => all.slice(0, NAMED).join(', ') + (all.length > NAMED ? ` y ${all.length - NAMED} más` : '');
  return { orders, avisos: [...names].map(([sentence, all]) => `${sentence}: ${listed(all)}`) };
}

/** Returns the file of a batch, with the current data of its orders. Leaves out orders that can no longer be delivered. Throws 404; 409 if one does not fit. */
export async function envioFile(db: Db, id: string): Promise<{ name: string; content: Buffer }> {
  const envio = await db
    .selectFrom('envios')
    .select(['plantilla_id', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  const plantilla = await readPlantilla(db, envio.plantilla_id);
  const settings = await readSettings(db);
  const rows = await db
    .selectFrom('envios_pedidos as l')
    .innerJoin('pedidos as p', 'p.id', 'l.pedido_id')
    .select(['numero_orden', 'cliente_nombre', 'cliente_telefono', 'cliente_direccion', 'cliente_direccion2', 'cliente_codigo_postal'])
    .select(['cliente_ciudad', 'cliente_provincia', 'cliente_pais', 'instrucciones', 'por_cobrar_cents', 'unidades_retenidas'])
    .select([sql<string>`to_char(dia_negocio(now()), 'DD/MM/YYYY')`.as('fecha')])
    .where('l.envio_id', '=', id)
    .where('l.sacado_at', 'is', null)
    .where(DELIVERABLE)
    .orderBy('numero_orden')
    .execute();
  const values = rows.map((row) => valuesOf(row, settings));
  return { name: `envio-${envio.plantilla_id}-${envio.created_at.slice(0, 10)}.csv`, content: writeFile(plantilla, values) };
}

const selectPlantillas = (db: Db | Tx) =>
  db
    .selectFrom('plantillas_envio')
    .select([
      'id as clave',
      'nombre',
      'metodo_entrega',
      'columnas',
      'separador',
      'codificacion',
      'coma_decimal',
      'con_titulos',
      'verificada',
      'version',
    ]);

/** Returns the templates, sorted by name. */
export const listPlantillas = (db: Db): Promise<Plantilla[]> => selectPlantillas(db).orderBy('nombre').execute();

/** Returns a template. Throws 404. */
const readPlantilla = (db: Db | Tx, id: string): Promise<Plantilla> =>
  selectPlantillas(db)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());

/** Changes a template. Throws 404; 409 if stale. */
export async function updatePlantilla(
  db: Db,
  actor: Actor,
  id: string,
  { version, columnas, ...formato }: BodyOut<typeof updateEndpoint>,
): Promise<Plantilla> {
  return transact(db, async (tx) => {
    const before = await selectPlantillas(tx)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    refuseStale(before, version, 'la configuración');
    await tx
      .updateTable('plantillas_envio')
      .set({ ...formato, columnas: JSON.stringify(columnas), version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
    const description = `Plantilla de envío cambiada: ${before.nombre}`;
    await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'settings', description });
    return readPlantilla(tx, id);
  });
}

/** Returns the bytes of a shipment file. */
function writeFile(plantilla: Plantilla, orders: readonly EnvioValues[]): Buffer {
  const { columnas, separador, codificacion, coma_decimal: comaDecimal, con_titulos } = plantilla;
  const isLatin = codificacion !== 'utf8';
  const cellOf = (columna: Plantilla['columnas'][number], values: EnvioValues) => {
    const cell = evaluatePlantilla(columna, values, { comaDecimal });
    if (!cell) throw conflict(`${values.numero_orden ?? ''} ya no cabe en «${columna.titulo}»: acórtalo, o sácalo del envío`);
    return cell.text;
  };
  const rows = orders.map((values) => columnas.map((columna) => cellOf(columna, values)));
  const all = con_titulos ? [columnas.map(({ titulo }) => titulo), ...rows] : rows;
  const cells = isLatin ? all.map((row) => row.map(latin1)) : all;
  return Buffer.from(csvText(cells, separador), isLatin ? 'latin1' : 'utf8');
}

/** Replaces what Latin-1 lacks by plain characters, by letters without accent, or by a question mark. */
const latin1 = (text: string): string =>
  Array.from(text.normalize('NFC'), (char) => {
    if (char <= 'ÿ') return char;
    const plain = char === '€' ? 'EUR' : plainLetters(char);
    return /^[\0-ÿ]+$/.test(plain) ? plain : '?';
  }).join('');
