import { sql } from 'kysely';
import { breakdown } from '../../contract/iva/breakdown.ts';
import { rolesOf, SISTEMA } from '../../contract/policy/policy.ts';
import type { ParteWeb } from '../../contract/tienda/fields.ts';
import { zonaOf } from '../../contract/zonas/zonas.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { inEuros } from '../kit/money.ts';
import { decrypt, encrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { lockPedido } from '../pedidos/lectura/row.ts';
import { readLines } from '../pedidos/lineas/lineas.ts';
import { readSettings } from '../settings/settings.ts';
import { connectorOf } from './connectors.ts';
import { createFromShop, hasWrongNif } from './create.ts';
import { followOrder, type Known, settleMoney } from './follow.ts';
import { type Marks, marksOf, noticeOf } from './marks.ts';
import type { WebOrder } from './order.ts';
import { doubtOf, type Resolved, resolveLines } from './resolve.ts';
import { apiOf } from './sources.ts';

type Outcome = {
  estado: 'creado' | 'por_revisar' | 'ignorado';
  motivo?: string;
  notices?: string[];
  cambios?: ParteWeb[];
  /** True to keep the content, because a person has yet to decide. */
  keeps?: boolean;
  set?: Partial<Pick<Known, 'pedido_id' | 'pagado_cents' | 'devuelto_cents'>> & { marcas?: Marks };
  /** True for an attempt without effect: the shop's state counts as unread, so that the next attempt starts from the same. */
  isFailure?: true;
};
type Row = Awaited<ReturnType<typeof lockReceived>>;

/** Processes received orders, oldest first; several instances share the work. Throws the first unexpected error, after all orders. */
export async function readReceived(db: Db, config: Config): Promise<void> {
  const broken = new Map<string, unknown>();
  for (;;) {
    const id = await nextReceived(db, [...broken.keys()]);
    if (!id) break;
    await addRefunds(db, config, id);
    await readOne(db, config.secretKey, id).catch((error: unknown) => broken.set(id, error));
  }
  for (const error of broken.values()) throw error;
}

async function nextReceived(db: Db, without: string[]): Promise<string | undefined> {
  const row = await db
    .selectFrom('tienda_pedidos')
    .select('id')
    .where('estado', '=', 'recibido')
    .where('id', '<>', sql<string>`ALL (${without}::uuid[])`)
    .orderBy('recibido_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Adds new refunds with their goods to a received order, if the shop answers; otherwise the order is processed without them. */
async function addRefunds(db: Db, config: Config, id: string): Promise<void> {
  const row = await db
    .selectFrom('tienda_pedidos as t')
    .innerJoin('tiendas as s', 's.id', 't.tienda_id')
    .select(['t.contenido', 't.devuelto_cents', 't.externo_id', 't.tienda_id', 's.conector'])
    .where('t.id', '=', id)
    .where('t.pedido_id', 'is not', null)
    .executeTakeFirst();
  const order = row?.contenido && (JSON.parse(decrypt(config.secretKey, row.contenido)) as WebOrder);
  if (!order || order.devuelto_cents <= row.devuelto_cents) return;
  const api = await apiOf(db, config, row.tienda_id);
  const devoluciones =
    api &&
    (await connectorOf(row.conector)
      ?.refunds?.(api, row.externo_id)
      .catch(() => undefined));
  if (!devoluciones) return;
  const contenido = encrypt(config.secretKey, JSON.stringify({ ...order, devoluciones }));
  await db.updateTable('tienda_pedidos').set({ contenido }).where('id', '=', id).where('contenido', '=', row.contenido).execute();
}

/** Processes one received order. If a rule refuses, stores the reason: as a notice of an uncancelled order, else for a person to decide. */
async function readOne(db: Db, secretKey: string, id: string): Promise<void> {
  try {
    await transact(db, async (tx) => {
      const row = await lockReceived(tx, id);
      if (row) await conclude(tx, row, await outcomeOf(tx, row, secretKey));
    });
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500) throw error;
    const { message } = error.body;
    await transact(db, async (tx) => {
      const row = await lockReceived(tx, id);
      if (!row) return;
      const here = row.pedido_id ? await lockPedido(tx, SISTEMA, row.pedido_id) : undefined;
      const isAlive = here && here.estado !== 'cancelado' && !here.deleted_at;
      const refused = `La tienda ha enviado un cambio y no se ha podido hacer: ${message}`;
      const cambios = row.cambios as ParteWeb[];
      await conclude(
        tx,
        row,
        isAlive
          ? { estado: 'creado', notices: [refused], cambios, keeps: true, isFailure: true }
          : { estado: 'por_revisar', motivo: message, cambios, keeps: true, isFailure: true },
      );
    });
  }
}

const lockReceived = (tx: Tx, id: string) =>
  tx
    .selectFrom('tienda_pedidos as t')
    .innerJoin('tiendas as s', 's.id', 't.tienda_id')
    .selectAll('t')
    .select(['s.nombre as tienda', 's.estado as fuente', 's.con_iva', 's.origen'])
    .where('t.id', '=', id)
    .where('t.estado', '=', 'recibido')
    .forUpdate('t')
    .executeTakeFirst();

async function outcomeOf(tx: Tx, row: NonNullable<Row>, secretKey: string): Promise<Outcome> {
  if (row.fuente === 'ignorada') return { estado: 'ignorado', motivo: 'Esa tienda no es tuya' };
  if (row.fuente === 'por_confirmar')
    return { estado: 'por_revisar', motivo: `Lo envía «${row.tienda}», que no es una tienda conocida: di si es tuya`, keeps: true };
  const { contenido } = row;
  const isDeleted = row.situacion === 'borrado';
  if (!contenido) return isDeleted && row.pedido_id ? deleted(tx, row, secretKey) : settled(row);
  const read = await resolveLines(tx, secretKey, { ...row, contenido });
  const order: WebOrder = isDeleted ? { ...read.order, situacion: 'borrado', pago: null } : read.order;
  if (row.pedido_id) return followed(tx, row, { ...read, order }, secretKey);
  return created(tx, row, { ...read, order }, secretKey);
}

/** Outcome for an order without stored content, from which nothing can be read. */
const settled = ({ pedido_id, motivo }: NonNullable<Row>): Outcome =>
  pedido_id ? { estado: 'creado' } : { estado: 'ignorado', motivo: motivo ?? 'Borrado en la tienda' };

async function created(tx: Tx, row: NonNullable<Row>, { order, raw, entrega, hacer }: Resolved, secretKey: string): Promise<Outcome> {
  const { situacion } = order;
  if (situacion === 'espera') return { estado: 'ignorado', motivo: 'La tienda todavía espera el pago' };
  if (situacion === 'cancelado' || situacion === 'reembolsado') return { estado: 'ignorado', motivo: `En la tienda está ${situacion}` };
  const motivo = hacer ? undefined : doubtOf(order, row.leida);
  if (motivo) return { estado: 'por_revisar', motivo, keeps: true, isFailure: true };
  const con_iva = row.con_iva || (order.cuota_cents ?? 0) > 0;
  if (con_iva && !row.con_iva) await tx.updateTable('tiendas').set({ con_iva }).where('id', '=', row.tienda_id).execute();
  const made = await createFromShop(tx, order, { entrega, con_iva });
  const state: Known = { id: row.id, pedido_id: made.id, marcas: null, leida: null, pagado_cents: 0, devuelto_cents: 0 };
  const notices: string[] = [];
  await settleMoney(tx, state, made, order, { notices, asked: new Set(), isEnded: false });
  const tax = made.iva_aviso ?? (await taxSentence(tx, made.id, order));
  if (tax) notices.push(tax);
  if (order.envio_cents === 0 && !zonaOf(order.cliente))
    notices.push(`El envío a ${order.cliente.cliente_pais ?? 'un país sin nombre'} es de 0 € en la tienda`);
  // A business without VAT needs no NIF. The sentence leaves out the number, because it is also sent by mail.
  if (hasWrongNif(order) && (await readSettings(tx)).iva) notices.push('El NIF que trae de la tienda no es válido: pídeselo al cliente');
  const { pedido_id, pagado_cents } = state;
  const marcas = marksOf(raw, { annulled: false }, secretKey);
  return { estado: 'creado', notices, set: { pedido_id, pagado_cents, devuelto_cents: state.devuelto_cents, marcas } };
}

async function followed(tx: Tx, row: NonNullable<Row>, read: Resolved, secretKey: string): Promise<Outcome> {
  const known = { ...row, pedido_id: row.pedido_id as string, marcas: row.marcas as Marks | null };
  const { notices, cambios, ...set } = await followOrder(tx, known, read, secretKey);
  return { estado: 'creado', notices, cambios, keeps: cambios.length > 0, set };
}

/** Handles a deletion without the order's content: the other parts of the order do not count as changed. */
async function deleted(tx: Tx, row: NonNullable<Row>, secretKey: string): Promise<Outcome> {
  const { set: { marcas: _, ...set } = {}, ...outcome } = await followed(tx, row, deletedOf(row), secretKey);
  return { ...outcome, set };
}

/** Returns an empty order in the place of an unknown one that the shop has deleted. */
function deletedOf({ externo_id, numero }: NonNullable<Row>): Resolved {
  const order: WebOrder = {
    externo_id,
    numero,
    situacion: 'borrado',
    estado: 'borrado',
    moneda: 'EUR',
    cliente: {
      cliente_nombre: '',
      cliente_telefono: null,
      cliente_direccion: '',
      cliente_direccion2: null,
      cliente_codigo_postal: null,
      cliente_ciudad: null,
      cliente_provincia: null,
      cliente_pais: null,
    },
    instrucciones: null,
    lineas: [],
    envio_cents: 0,
    descuento_cents: 0,
    total_cents: 0,
    contra_reembolso: false,
    pago: null,
    devuelto_cents: 0,
  };
  return { order, raw: order };
}

/** Returns a Spanish sentence if the order has a different VAT here than in a shop that sends no rates, or charged none abroad. */
async function taxSentence(tx: Tx, pedido_id: string, { cuota_cents, impuestos, lineas, cliente }: WebOrder): Promise<string | undefined> {
  // A shop with rates may charge no VAT at all: its zero counts only abroad.
  const isAbroad = !!cliente.cliente_pais && cliente.cliente_pais !== 'España';
  if (cuota_cents === undefined || (impuestos && (cuota_cents > 0 || !isAbroad))) return undefined;
  const [made, lines] = [await lockPedido(tx, SISTEMA, pedido_id), await readLines(tx, pedido_id)];
  // «Sin tipo de IVA» reports products without a rate.
  if (!made.con_iva || lines.some(({ pack_id, iva }) => pack_id && !iva)) return undefined;
  const ours = breakdown({ ...made, lines, address: made }).reduce((sum, { cuota_cents: own }) => sum + own, 0);
  if (Math.abs(ours - cuota_cents) <= lineas.length + 2) return undefined;
  return `La tienda cobró ${inEuros(cuota_cents)} de IVA y aquí salen ${inEuros(ours)}: compruébalo antes de facturar`;
}

/** Stores the outcome of a message, and notifies the office if a person must decide. */
async function conclude(tx: Tx, row: NonNullable<Row>, outcome: Outcome): Promise<void> {
  const { estado, motivo = null, notices = [], cambios = [], keeps = false, set: { marcas, ...set } = {}, isFailure } = outcome;
  const aviso = noticeOf(row.aviso, row.cambios, cambios, notices);
  await tx
    .updateTable('tienda_pedidos')
    .set({
      estado,
      motivo,
      aviso,
      cambios,
      ...set,
      ...(marcas && { marcas: JSON.stringify(marcas) }),
      ...(!isFailure && { leida: row.situacion }),
      ...(!keeps && { contenido: null, correcciones: null }),
      updated_at: sql`now()`,
    })
    .where('id', '=', row.id)
    .execute();
  emit(tx, { topic: 'tienda', roles: rolesOf('tienda:manage') });
  const says = estado === 'por_revisar' ? (motivo === row.motivo ? null : motivo) : aviso !== row.aviso ? aviso : null;
  if (!says) return;
  const pedido_id = set.pedido_id ?? row.pedido_id;
  await notify(tx, {
    tipo: 'tienda_por_revisar',
    texto: `Pedido ${row.numero} de la tienda: ${says}`,
    roles: ['superadmin'],
    enlace: '/tienda',
    mail: true,
    ...(pedido_id && { pedido_id }),
  });
}
