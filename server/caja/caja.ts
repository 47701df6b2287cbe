import { type RawBuilder, sql } from 'kysely';
import type { Caja, Cobro, confirmarCaja, entregarCaja, recibirCaja } from '../../contract/caja/caja.ts';
import { MAX_CAJAS, MAX_OFICINA } from '../../contract/caja/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { METODO_PAGO_LABEL } from '../../contract/payments/fields.ts';
import { type Actor, accessCondition, personIdOf, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, forbidden, invalid, notFound } from '../kit/errors.ts';
import { inEuros, toCents, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { conditionSql } from '../pedidos/lectura/scope.ts';
import { lockCash, markCompared, toCompare } from '../pedidos/pagos/cash.ts';
import { annulIn } from '../pedidos/pagos/pagos.ts';

/** Returns the cash of each carrier and day that `actor` can see, unconfirmed cash first. */
export const listCash = (db: Db, actor: Actor, transportista_id?: string): Promise<Caja[]> =>
  read(
    db,
    sql`${conditionSql(accessCondition(actor, 'caja:read'), actor, 'd')} AND ${transportista_id ? sql`d.transportista_id = ${transportista_id}::uuid` : sql`true`}`,
  );

/** Returns the cash of all carriers between two business days, both included, for an export. */
export const cashBetween = (db: Db, { desde = '-infinity', hasta = 'infinity' }: { desde?: string; hasta?: string }): Promise<Caja[]> =>
  read(db, sql`d.dia BETWEEN ${desde}::date AND ${hasta}::date`, null);

type Row = Omit<Caja, 'esperado' | 'contado' | 'recibido'> & { esperado: string; contado: string | null; recibido: string | null };

async function read(db: Db | Tx, condition: RawBuilder<unknown>, limit: number | null = MAX_CAJAS): Promise<Caja[]> {
  const { rows } = await sql<Row>`
    SELECT c.id AS caja_id, d.transportista_id, coalesce(c.transportista_nombre, u.full_name) AS transportista_nombre, d.dia::text AS dia, d.ronda,
      CASE WHEN c.id IS NULL THEN 'abierta' WHEN c.confirmada_at IS NULL THEN 'entregada' ELSE 'confirmada' END AS estado,
      d.cobros, d.esperado, c.contado_cents AS contado, c.motivo, c.entregada_at, c.recibido_cents AS recibido, c.confirmada_motivo, c.confirmada_at,
      c.confirmada_por_nombre AS confirmada_por
    FROM (
      SELECT transportista_id, caja_dia AS dia, caja_ronda AS ronda, count(*)::int AS cobros, sum(importe_cents) AS esperado FROM pagos
      WHERE caja_dia IS NOT NULL AND estado <> 'anulado' GROUP BY 1, 2, 3) d
    JOIN users u ON u.id = d.transportista_id
    LEFT JOIN cajas c ON c.transportista_id = d.transportista_id AND c.dia = d.dia AND c.ronda = d.ronda
    WHERE ${condition}
    ORDER BY c.confirmada_at IS NOT NULL, CASE WHEN c.confirmada_at IS NULL THEN d.dia END, d.dia DESC, transportista_nombre, d.ronda
    LIMIT ${limit}`.execute(db);
  const euros = (cents: string | null) => (cents === null ? null : toEuros(Number(cents)));
  return rows.map((row) => ({
    ...row,
    esperado: toEuros(Number(row.esperado)),
    contado: euros(row.contado),
    recibido: euros(row.recibido),
  }));
}

/** Hands over the actor's cash of a day, since its last hand-over. Throws 403 for programs, 409 without cash, 422 if `contado` differs without a reason. */
export async function handOverCash(db: Db, actor: Actor, { dia, contado, motivo }: BodyOut<typeof entregarCaja>): Promise<Caja> {
  const carrier = personIdOf(actor);
  if (!carrier) throw forbidden('caja:deliver');
  return transact(db, async (tx) => {
    await lockCash(tx, carrier);
    const open = await openRound(tx, carrier, dia, () => 'Ya has entregado la caja de ese día');
    const differs = contado !== open.esperado;
    if (differs && !motivo) throw invalid('motivo', 'Lo contado no es lo cobrado: indica el motivo');
    const values = {
      transportista_id: carrier,
      transportista_nombre: actor.full_name,
      dia,
      ronda: open.ronda,
      esperado_cents: toCents(open.esperado),
      contado_cents: toCents(contado),
      motivo: differs ? motivo : null,
    };
    const { id } = await tx.insertInto('cajas').values(values).returning('id').executeTakeFirstOrThrow();
    await record(tx, actor, { id, ...values }, `Caja entregada: ${actor.full_name}, ${dia}`);
    await notify(tx, {
      tipo: 'caja_entregada',
      texto: `${actor.full_name} ha entregado la caja del ${dia.split('-').reverse().join('/')}: ${inEuros(values.contado_cents)}${differs ? `, y se cobraron ${inEuros(values.esperado_cents)}: ${motivo ?? 'sin motivo'}` : ''}`,
      roles: [...rolesOf('caja:confirm')],
      enlace: '/caja',
      mail: true,
    });
    return findCaja(tx, sql`c.id = ${id}::uuid`);
  });
}

/** Hands over and confirms a carrier's cash at once, for the office, and notifies the carrier. Throws like `handOverCash`. */
export async function receiveCash(db: Db, actor: Actor, input: BodyOut<typeof recibirCaja>): Promise<Caja> {
  const by = personIdOf(actor);
  if (!by) throw forbidden('caja:confirm');
  const { transportista_id, dia, recibido, motivo } = input;
  return transact(db, async (tx) => {
    await lockCash(tx, transportista_id);
    const open = await openRound(tx, transportista_id, dia, (name) => `${name} ya ha entregado esa caja: confírmala`);
    const differs = recibido !== open.esperado;
    if (differs && !motivo) throw invalid('motivo', `Se cobraron ${inEuros(toCents(open.esperado))}: indica el motivo`);
    const recibido_cents = toCents(recibido);
    const values = {
      transportista_id,
      transportista_nombre: open.transportista_nombre,
      dia,
      ronda: open.ronda,
      esperado_cents: toCents(open.esperado),
      contado_cents: recibido_cents,
      motivo: differs ? motivo : null,
      recibido_cents,
      confirmada_por: by,
      confirmada_por_nombre: actor.full_name,
      confirmada_at: sql<string>`now()`,
    };
    const { id } = await tx.insertInto('cajas').values(values).returning('id').executeTakeFirstOrThrow();
    const { confirmada_at: _, ...recorded } = values;
    await record(tx, actor, { id, ...recorded }, `Caja recibida: ${open.transportista_nombre}, ${dia}`);
    await notify(tx, {
      tipo: 'caja_entregada',
      texto: `${actor.full_name} ha recibido tu caja del ${dia.split('-').reverse().join('/')}: ${inEuros(recibido_cents)}`,
      users: [transportista_id],
      enlace: '/caja',
      mail: true,
    });
    return findCaja(tx, sql`c.id = ${id}::uuid`);
  });
}

// Returns the day's cash not yet handed over. Throws 409 if there was none, and with the sentence of `already` if all is handed over.
async function openRound(tx: Tx, carrier: string, dia: string, already: (name: string) => string): Promise<Caja> {
  const rounds = await read(tx, sql`d.transportista_id = ${carrier}::uuid AND d.dia = ${dia}::date`);
  if (!rounds[0]) throw conflict('No hay nada cobrado en efectivo ese día');
  const open = rounds.find(({ estado }) => estado === 'abierta');
  if (!open) throw conflict(already(rounds[0].transportista_nombre), 'estado');
  return open;
}

/** Confirms a handed-over day. Throws 404, 403 for programs, 409 if already confirmed, 422 for a difference without a reason. */
export async function confirmCash(db: Db, actor: Actor, id: string, { recibido, motivo }: BodyOut<typeof confirmarCaja>): Promise<Caja> {
  return transact(db, (tx) => confirmIn(tx, actor, id, { recibido, motivo }));
}

async function confirmIn(tx: Tx, actor: Actor, id: string, { recibido, motivo }: BodyOut<typeof confirmarCaja>): Promise<Caja> {
  const by = personIdOf(actor);
  if (!by) throw forbidden('caja:confirm');
  const cajas = tx.selectFrom('cajas').selectAll().where('id', '=', id);
  await lockCash(tx, (await cajas.executeTakeFirstOrThrow(() => notFound())).transportista_id);
  const caja = await cajas.executeTakeFirstOrThrow();
  if (caja.confirmada_at) throw conflict(`${caja.confirmada_por_nombre ?? 'Alguien'} ya ha confirmado esta caja`, 'estado');
  const recibido_cents = toCents(recibido);
  const differs = recibido_cents !== caja.contado_cents;
  if (differs && !motivo) throw invalid('motivo', `Se entregaron ${inEuros(caja.contado_cents)}: indica el motivo`);
  const set = { recibido_cents, confirmada_motivo: differs ? motivo : null, confirmada_por: by, confirmada_por_nombre: actor.full_name };
  await tx
    .updateTable('cajas')
    .set({ ...set, confirmada_at: sql<string>`now()`, version: caja.version + 1 })
    .where('id', '=', id)
    .execute();
  await record(tx, actor, { ...caja, ...set }, `Caja confirmada: ${caja.transportista_nombre}, ${caja.dia}`);
  if (differs)
    await notify(tx, {
      tipo: 'diferencia_entrega',
      texto: `${actor.full_name} ha recibido ${inEuros(recibido_cents)} de tu caja del ${caja.dia.split('-').reverse().join('/')}, y entregaste ${inEuros(caja.contado_cents)}: ${motivo ?? 'sin motivo'}`,
      users: [caja.transportista_id],
      enlace: '/caja',
      mail: true,
    });
  return findCaja(tx, sql`c.id = ${id}::uuid`);
}

/** Confirms a hand-over that a movement of the bank brought whole, or says of a confirmed one where it went. Throws 409 if another movement did. */
export async function linkCaja(tx: Tx, actor: Actor, id: string, movimiento_id: string): Promise<void> {
  const found = tx.selectFrom('cajas').select(['confirmada_at', 'contado_cents', 'movimiento_id', 'transportista_id']).where('id', '=', id);
  const { transportista_id } = await found.executeTakeFirstOrThrow(() => notFound());
  await lockCash(tx, transportista_id);
  const { confirmada_at, contado_cents, ...caja } = await found.executeTakeFirstOrThrow();
  if (caja.movimiento_id) throw conflict('Esa caja ya está en otro movimiento del banco', 'estado');
  if (!confirmada_at) await confirmIn(tx, actor, id, { recibido: toEuros(contado_cents), motivo: null });
  await tx.updateTable('cajas').set({ movimiento_id, del_banco: !confirmada_at }).where('id', '=', id).execute();
}

/** Takes hand-overs back from a movement: those that it confirmed wait for the office again. */
export async function unlinkCajas(tx: Tx, movimiento_id: string): Promise<void> {
  const of = () => tx.updateTable('cajas').where('movimiento_id', '=', movimiento_id);
  const open = { recibido_cents: null, confirmada_at: null, confirmada_por: null, confirmada_por_nombre: null };
  await of()
    .set({ ...open, del_banco: false })
    .where('del_banco', '=', true)
    .execute();
  await of().set({ movimiento_id: null }).execute();
}

async function findCaja(tx: Tx, condition: RawBuilder<unknown>): Promise<Caja> {
  const [caja] = await read(tx, condition);
  if (!caja) throw notFound();
  return caja;
}

type Recorded = { id: string; transportista_id: string; esperado_cents: number; contado_cents: number; recibido_cents?: number | null };

async function record(tx: Tx, actor: Actor, { id, transportista_id, ...cents }: Recorded, description: string): Promise<void> {
  const { esperado_cents, contado_cents, recibido_cents = null } = cents;
  await audit(tx, actor, {
    type: 'transportista',
    action: recibido_cents === null ? 'create' : 'update',
    entity_type: 'caja',
    entity_id: id,
    description,
    despues: { esperado_cents, contado_cents, recibido_cents },
  });
  emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [transportista_id] });
}

/* Card and Bizum payments at the door: the carrier notes them, and the office confirms them at terminal or bank (decision 092). */

/** Returns the payments that the office has yet to confirm, oldest first. */
export async function listToCompare(db: Db | Tx): Promise<Cobro[]> {
  const { rows } = await sql<Omit<Cobro, 'importe'> & { cents: number }>`
    SELECT g.id, g.pedido_id, p.numero_orden, g.transportista_id, u.full_name AS transportista_nombre, g.proveedor AS metodo,
      g.importe_cents AS cents, g.fecha::text AS dia
    FROM (SELECT * FROM pagos WHERE ${toCompare} ORDER BY fecha, id LIMIT ${MAX_OFICINA}) g
    JOIN pedidos p ON p.id = g.pedido_id JOIN users u ON u.id = g.transportista_id ORDER BY g.fecha, g.created_at, g.id`.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, importe: toEuros(cents) }));
}

/** Confirms that payments arrived; returns how many. Throws 409 if any is already confirmed or annulled, 403 for programs. */
export async function confirmFound(db: Db, actor: Actor, ids: readonly string[]): Promise<number> {
  const comprobado_por = personIdOf(actor);
  if (!comprobado_por) throw forbidden('caja:confirm');
  const wanted = [...new Set(ids)];
  return transact(db, async (tx) => {
    const found = await markCompared(tx, wanted, comprobado_por);
    if (found.length < wanted.length) throw conflict('Alguno ya está comprobado o anulado: vuelve a mirar la lista', 'lista');
    const cents = found.reduce((sum, part) => sum + part, 0);
    await audit(tx, actor, {
      type: 'transportista',
      action: 'update',
      entity_type: 'pago',
      entity_id: wanted[0] ?? '',
      description: `Cobros comprobados: ${found.length}`,
      despues: { cobros: wanted, importe_cents: cents },
    });
    emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [] });
    return found.length;
  });
}

/** Annuls a payment that never arrived, and notifies its carrier. Throws 404; 409 if already confirmed, annulled or partly refunded. */
export async function neverArrived(db: Db, actor: Actor, id: string, motivo: string): Promise<void> {
  await transact(db, async (tx) => {
    const pago = await tx
      .selectFrom('pagos')
      .select(['transportista_id', 'proveedor', 'importe_cents', 'caja_dia'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!pago?.transportista_id || pago.caja_dia) throw notFound();
    const pedido = await annulIn(tx, actor, id, motivo);
    const label = METODO_PAGO_LABEL[pago.proveedor as Cobro['metodo']];
    await notify(tx, {
      tipo: 'diferencia_entrega',
      texto: `No ha llegado el cobro por ${label} de ${inEuros(pago.importe_cents)} de ${pedido.numero_orden}: ${motivo}`,
      users: [pago.transportista_id],
      enlace: `/pedidos-asignados?estado=completado&search=${encodeURIComponent(pedido.numero_orden)}`,
      except: actor.id,
      mail: true,
    });
    emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [] });
  });
}
