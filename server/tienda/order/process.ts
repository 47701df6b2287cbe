import { sql } from 'kysely';
import { vatBreakdown } from '../../../contract/iva/breakdown.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import type { ParteWeb } from '../../../contract/tienda/fields.ts';
import { zonaOf } from '../../../contract/zonas/zonas.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import type { Config } from '../../kit/config.ts';
import { DomainError } from '../../kit/errors.ts';
import { inEuros } from '../../kit/money.ts';
import { decrypt } from '../../kit/secrets.ts';
import { doubtsAbout } from '../../pedidos/escritura/doubts.ts';
import { lockPedido } from '../../pedidos/lectura/row.ts';
import { readLines } from '../../pedidos/lineas/lineas.ts';
import { readSettings } from '../../settings/settings.ts';
import type { WebOrder } from '../reading/order.ts';
import { emitShops, HAS_KEYS, notifyOffice } from '../shop.ts';
import { type AgreedParts, agreedParts, changesNotice } from './changes.ts';
import { createFromShop, hasWrongNif } from './create.ts';
import { followOrder, followState } from './follow.ts';
import { settleMoney } from './money.ts';
import { type Resolved, resolveLines, stateDoubt } from './resolve.ts';

type Outcome = {
  estado: 'creado' | 'por_revisar' | 'ignorado';
  motivo?: string;
  notices?: string[];
  cambios?: ParteWeb[];
  /** True to keep the content, because a person has yet to decide. */
  keeps?: boolean;
  set?: { pedido_id?: string; acordado?: AgreedParts };
  /** True for an attempt without effect: the shop's state counts as unread, so that the next attempt starts from the same. */
  isFailure?: true;
};
type Row = NonNullable<Awaited<ReturnType<typeof lockReceived>>>;

/** Processes received orders, oldest first; several instances share the work. Throws the first unexpected error, after all orders. */
export async function readReceived(db: Db, { secretKey }: Pick<Config, 'secretKey'>): Promise<void> {
  await openSealed(db, secretKey);
  const broken = new Map<string, unknown>();
  for (;;) {
    const id = await nextReceived(db, [...broken.keys()]);
    if (!id) break;
    await readOne(db, id).catch((error: unknown) => broken.set(id, error));
  }
  for (const error of broken.values()) throw error;
}

/** Returns the oldest received order, without those about which their shop is asked first. */
async function nextReceived(db: Db, without: string[]): Promise<string | undefined> {
  const row = await db
    .selectFrom('tienda_pedidos as t')
    .innerJoin('tiendas as s', 's.id', 't.tienda_id')
    .select('t.id')
    .where('t.estado', '=', 'recibido')
    .where('t.id', '<>', sql<string>`ALL (${without}::uuid[])`)
    .where(sql<boolean>`(t.pregunta IS NULL OR NOT ${HAS_KEYS})`)
    .orderBy('t.recibido_at')
    .orderBy('t.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

const opened = new WeakSet<Db>();

/** Opens, once a process, what version 0.3.0 stored encrypted: orders that waited, and unreadable messages. */
async function openSealed(db: Db, secretKey: string): Promise<void> {
  if (opened.has(db)) return;
  const open = (value: unknown) =>
    (typeof value === 'string' ? decrypt(secretKey, value) : value && JSON.stringify(value)) as string | null;
  const sealed = sql<boolean>`jsonb_typeof(contenido) = 'string' OR jsonb_typeof(correcciones) = 'string'`;
  for (const row of await db.selectFrom('tienda_pedidos').select(['id', 'contenido', 'correcciones']).where(sealed).execute()) {
    const set = { contenido: open(row.contenido), correcciones: open(row.correcciones) };
    await db.updateTable('tienda_pedidos').set(set).where('id', '=', row.id).execute();
  }
  const messages = db.selectFrom('tienda_mensajes').select(['id', 'contenido']).where('tema', 'like', `${SEALED}%`);
  for (const { id, contenido } of await messages.execute()) {
    const tema = sql<string>`nullif(substr(tema, ${SEALED.length + 1}), '')`;
    await db
      .updateTable('tienda_mensajes')
      .set({ contenido: open(contenido), tema })
      .where('id', '=', id)
      .execute();
  }
  opened.add(db);
}

/** Mark of migration 160 on the topic of a message that is still encrypted. */
const SEALED = 'cifrado:';

/** Processes one received order. If a rule refuses, stores the reason: as a notice of an uncancelled order, else for a person to decide. */
async function readOne(db: Db, id: string): Promise<void> {
  try {
    await transact(db, async (tx) => {
      const row = await lockReceived(tx, id);
      if (row) await conclude(tx, row, await outcomeOf(tx, row));
    });
  } catch (error) {
    // equivalent (error.status >= 500): an error without a body is thrown a line below
    if (!(error instanceof DomainError) || error.status >= 500) throw error;
    const { message } = error.body;
    await transact(db, async (tx) => {
      const row = await lockReceived(tx, id);
      if (!row) return;
      const here = row.pedido_id ? await lockPedido(tx, SISTEMA, row.pedido_id) : undefined;
      const isAlive = here && here.estado !== 'cancelado' && !here.deleted_at;
      const refused = `La tienda ha enviado un cambio y no se ha podido hacer: ${message}`;
      const outcome: Outcome = isAlive ? { estado: 'creado', notices: [refused] } : { estado: 'por_revisar', motivo: message };
      await conclude(tx, row, { ...outcome, cambios: row.cambios as ParteWeb[], keeps: true, isFailure: true });
    });
  }
}

const lockReceived = (tx: Tx, id: string) =>
  tx
    .selectFrom('tienda_pedidos as t')
    .innerJoin('tiendas as s', 's.id', 't.tienda_id')
    .selectAll('t')
    .select(['s.nombre as tienda', 's.estado as fuente', 's.con_iva', 's.iva_avisado', 's.conector', 's.comun'])
    .where('t.id', '=', id)
    .where('t.estado', '=', 'recibido')
    .forUpdate('t')
    .executeTakeFirst();

async function outcomeOf(tx: Tx, row: Row): Promise<Outcome> {
  if (row.fuente === 'ignorada') return { estado: 'ignorado', motivo: 'Esa tienda no es tuya' };
  if (row.fuente === 'por_confirmar')
    return {
      estado: 'por_revisar',
      motivo: `Lo envía «${row.tienda}» a la dirección común, que es de otra tienda: di de quién es`,
      keeps: true,
    };
  const { contenido } = row;
  if (row.pregunta === 'borrado') return claimedDeleted(row);
  const isDeleted = row.situacion === 'borrado';
  if (!contenido) return isDeleted && row.pedido_id ? deleted(tx, { ...row, pedido_id: row.pedido_id }) : settled(row);
  const read = await resolveLines(tx, row);
  const order: WebOrder = isDeleted && !row.pregunta ? { ...read.order, situacion: 'borrado', pago: null } : read.order;
  if (row.pedido_id) return followed(tx, row, { ...read, order });
  return created(tx, row, { ...read, order });
}

const UNASKED = 'y sin sus claves no se le puede preguntar';

/** Outcome for an order that a message calls deleted, and whose shop cannot be asked. */
const claimedDeleted = ({ pedido_id, cambios, contenido }: Row): Outcome =>
  pedido_id
    ? {
        estado: 'creado',
        notices: [`La tienda dice que lo ha borrado, ${UNASKED}: si es así, cancélalo`],
        cambios: cambios as ParteWeb[],
        keeps: !!contenido,
        isFailure: true,
      }
    : {
        estado: 'por_revisar',
        motivo: `La tienda dice que lo ha borrado, ${UNASKED}: descártalo si no hay que entregarlo`,
        keeps: true,
        isFailure: true,
      };

/** Outcome for an order without stored content, from which nothing can be read. */
const settled = ({ pedido_id, motivo }: Row): Outcome =>
  pedido_id ? { estado: 'creado' } : { estado: 'ignorado', motivo: motivo ?? 'Borrado en la tienda' };

async function created(tx: Tx, row: Row, { order, raw, entrega, hacer }: Resolved): Promise<Outcome> {
  const { situacion } = order;
  if (row.olvidado_at) return { estado: 'ignorado', motivo: 'Sus datos se borraron: lo que la tienda ha enviado después no se guarda' };
  if (situacion === 'espera') return { estado: 'ignorado', motivo: 'La tienda todavía espera el pago' };
  if (situacion === 'cancelado' || situacion === 'reembolsado') return { estado: 'ignorado', motivo: `En la tienda está ${situacion}` };
  const claimed = row.pregunta === 'recuperado' ? `La tienda dice que lo ha recuperado, ${UNASKED}: di si hay que hacerlo` : undefined;
  const motivo = hacer ? undefined : (claimed ?? (await sameBefore(tx, row)) ?? stateDoubt(order, row.leida));
  if (motivo) return { estado: 'por_revisar', motivo, keeps: true, isFailure: true };
  const con_iva = row.con_iva || (order.cuota_cents ?? 0) > 0;
  const made = await createFromShop(tx, order, { entrega, con_iva, tienda: row.tienda });
  const elegido = order.elegido?.map(({ que, texto }) => `${que.toLowerCase()}: ${texto}`).join(' · ');
  const doubts = await doubtsAbout(tx, made, { elegido });
  const notices = doubts.map(({ frase }) => frase.replace(/\.$/, ''));
  await settleMoney(tx, made, order, { shop: row.id, notices, asked: new Set(), isEnded: false });
  // A shop that spreads VAT otherwise does so in each order: told once.
  const tax = row.iva_avisado ? undefined : (made.iva_aviso ?? (await taxSentence(tx, made.id, order)));
  if (tax) notices.push(`${tax}. De esta tienda no se vuelve a avisar`);
  if (con_iva !== row.con_iva || tax)
    await tx
      .updateTable('tiendas')
      .set({ con_iva, ...(tax && { iva_avisado: true }) })
      .where('id', '=', row.tienda_id)
      .execute();
  if (order.envio_cents === 0 && !zonaOf(order.cliente))
    notices.push(`El envío a ${order.cliente.cliente_pais ?? 'un país sin nombre'} es de 0 € en la tienda`);
  // A business without VAT needs no NIF. The sentence leaves out the number, because it is also sent by mail.
  if (hasWrongNif(order) && (await readSettings(tx)).iva) notices.push('El NIF que trae de la tienda no es válido: pídeselo al cliente');
  return { estado: 'creado', notices, set: { pedido_id: made.id, acordado: agreedParts(raw, { annulled: false }) } };
}

/** Returns why an order may be one that came in under another shop, in Spanish; undefined if it cannot be. */
async function sameBefore(tx: Tx, row: Row): Promise<string | undefined> {
  const before = await orderBefore(tx, row);
  return before && `Puede ser ${before.numero_orden}, que entró de «${before.nombre}» con este número: di si es ese, o hazlo`;
}

type Unknown = { externo_id: string; tienda_id: string; comun: boolean | null };

/**
 * Returns the order of another kind of shop with this number that may be the same: from before version 0.4.0 and not heard of since, or, at the
 * common address, from before this shop was known.
 */
export const orderBefore = (tx: Pick<Tx, 'selectFrom'>, { externo_id, tienda_id, comun }: Unknown) =>
  tx
    .selectFrom('tienda_pedidos as t')
    .innerJoin('tiendas as s', 's.id', 't.tienda_id')
    .innerJoin('tiendas as own', (on) => on.on('own.id', '=', tienda_id).onRef('own.conector', '<>', 's.conector'))
    .innerJoin('pedidos as p', 'p.id', 't.pedido_id')
    .select(['t.id', 'p.id as pedido_id', 'p.numero_orden', 's.nombre'])
    .where('t.externo_id', '=', externo_id)
    .where(sql<boolean>`(t.acordado IS NULL OR ${comun === true} AND t.recibido_at < own.created_at)`)
    .executeTakeFirst();

async function followed(tx: Tx, row: Row, read: Resolved): Promise<Outcome> {
  const { notices, cambios, ...set } = await followOrder(tx, { ...row, pedido_id: row.pedido_id as string }, read);
  return { estado: 'creado', notices, cambios, keeps: cambios.length > 0, set };
}

/** Handles a deletion without the order's content. */
async function deleted(tx: Tx, { leida, pedido_id }: Row & { pedido_id: string }): Promise<Outcome> {
  const notices: string[] = [];
  await followState(tx, leida, await lockPedido(tx, SISTEMA, pedido_id), { situacion: 'borrado', estado: 'borrado' }, notices);
  return { estado: 'creado', notices };
}

/** Returns a Spanish sentence if the order has a different VAT here than in a shop that sends no rates, or charged none abroad. */
async function taxSentence(tx: Tx, pedido_id: string, { cuota_cents, impuestos, lineas, cliente }: WebOrder): Promise<string | undefined> {
  // A shop with rates may charge no VAT at all: its zero counts only abroad.
  const isAbroad = !!cliente.cliente_pais && cliente.cliente_pais !== 'España';
  if (cuota_cents === undefined || (impuestos && (cuota_cents > 0 || !isAbroad))) return undefined;
  const [made, lines] = [await lockPedido(tx, SISTEMA, pedido_id), await readLines(tx, pedido_id)];
  // «Sin tipo de IVA» reports products without a rate.
  if (!made.con_iva || lines.some(({ pack_id, iva }) => pack_id && !iva)) return undefined;
  const ours = vatBreakdown({ ...made, lines, address: made }).reduce((sum, { cuota_cents: own }) => sum + own, 0);
  if (Math.abs(ours - cuota_cents) <= lineas.length + 2) return undefined;
  return `La tienda cobró ${inEuros(cuota_cents)} de IVA y aquí salen ${inEuros(ours)}: compruébalo antes de facturar`;
}

/** Stores the outcome of a message, and notifies the office if a person must decide. */
async function conclude(tx: Tx, row: Row, outcome: Outcome): Promise<void> {
  const { estado, motivo = null, notices = [], cambios = [], keeps = false, set: { acordado, ...set } = {}, isFailure } = outcome;
  const aviso = changesNotice(row.aviso, row.cambios, cambios, notices);
  await tx
    .updateTable('tienda_pedidos')
    .set({
      estado,
      motivo,
      aviso,
      cambios,
      ...set,
      ...(acordado && { acordado: JSON.stringify(acordado) }),
      ...(!isFailure && { leida: row.situacion, pregunta: null }),
      ...(!keeps && { contenido: null, correcciones: null }),
      updated_at: sql`now()`,
    })
    .where('id', '=', row.id)
    .execute();
  emitShops(tx);
  const says = estado === 'por_revisar' ? (motivo === row.motivo ? null : motivo) : aviso !== row.aviso ? aviso : null;
  // Of a shop that waits for a person, the office is told once, not for each order.
  if (!says || row.fuente === 'por_confirmar') return;
  await notifyOffice(tx, `Pedido ${row.numero} de «${row.tienda}»: ${says}`, set.pedido_id ?? row.pedido_id);
}
