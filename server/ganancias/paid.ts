import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import type {
  crearAjuste,
  despagarLiquidacion,
  Ganancia,
  Liquidacion,
  pagarLiquidacion,
  pagarLiquidaciones,
} from '../../contract/liquidaciones/liquidaciones.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, DomainError, invalid, notFound } from '../kit/errors.ts';
import { toCents, toEuros } from '../kit/money.ts';
import { refuseStale } from '../kit/version.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { isFuture } from '../settings/zone.ts';
import { earnerOf } from './rules.ts';
import { selectStatements, toLiquidacion } from './statements.ts';

type Pay = BodyOut<typeof pagarLiquidacion> & { id: string };
type Unpay = BodyOut<typeof despagarLiquidacion> & { id: string };

/** Marks a statement as paid and notifies its person. Throws 404; 409 if already paid or stale; 422 for a future day. */
export const markPaid = async (db: Db | Tx, actor: Actor, { id, referencia, fecha, version }: Pay): Promise<Liquidacion> =>
  transact(db, async (tx) => {
    const row = await lock(tx, id, version);
    if (row.pagada_el) throw conflict(`La liquidación ${row.numero} ya está pagada`, 'already_paid');
    if (await isFuture(tx, fecha)) throw invalid('fecha', 'El pago no puede ser de un día por venir');
    await write(tx, actor, row, { pagada_el: fecha, pago_referencia: referencia }, `Liquidación pagada: ${row.numero}`);
    const texto = `Tu liquidación ${row.numero}, de ${mesEnPalabras(row.mes)}, está pagada`;
    await notify(tx, { tipo: 'liquidacion_pagada', texto, users: [row.user_id], enlace: `/liquidaciones/${id}`, mail: true });
    return read(tx, id);
  });

/** Marks statements as paid with one reference, all or none. Throws like `markPaid`. */
export async function markAllPaid(db: Db, actor: Actor, { liquidaciones, referencia, fecha }: BodyOut<typeof pagarLiquidaciones>) {
  // Locks in the order of the ids, so that concurrent requests cannot deadlock.
  const inOrder = liquidaciones.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return transact(db, async (tx) => {
    let cents = 0;
    for (const one of inOrder) cents += toCents((await markPaid(tx, actor, { ...one, referencia, fecha })).total);
    return { liquidaciones: inOrder.length, total: toEuros(cents) };
  });
}

/** Marks a statement as unpaid and audits the reason. Throws 404; 409 if unpaid or stale. */
export const markUnpaid = async (db: Db, actor: Actor, { id, motivo, version }: Unpay): Promise<Liquidacion> =>
  transact(db, async (tx) => {
    const row = await lock(tx, id, version);
    if (!row.pagada_el) throw conflict('Esta liquidación no está pagada');
    const description = `Liquidación ${row.numero} vuelta a poner por pagar: ${motivo}`;
    await write(tx, actor, row, { pagada_el: null, pago_referencia: null }, description);
    return read(tx, id);
  });

const read = async (tx: Tx, id: string) => toLiquidacion(await selectStatements(tx).where('l.id', '=', id).executeTakeFirstOrThrow());

async function lock(tx: Tx, id: string, version: number | undefined) {
  const row = await selectStatements(tx).where('l.id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  refuseStale(row, version, 'esta liquidación');
  return row;
}

type Row = Awaited<ReturnType<typeof lock>>;
type Payment = { pagada_el: string | null; pago_referencia: string | null };

async function write(tx: Tx, actor: Actor, row: Row, despues: Payment, description: string): Promise<void> {
  await tx
    .updateTable('liquidaciones')
    .set({ ...despues, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  const { pagada_el, pago_referencia } = row;
  await audit(tx, actor, {
    type: row.role,
    action: 'update',
    entity_type: 'liquidacion',
    entity_id: row.id,
    description,
    antes: { pagada_el, pago_referencia },
    despues,
  });
  emit(tx, { topic: 'liquidaciones', roles: rolesOf('liquidacion:manage'), users: [row.user_id] });
}

/** Adds a manual line (euros) to the person's next statement. Throws 422 unless the person is a reseller or a carrier. */
export const adjust = async (db: Db, actor: Actor, { user_id, importe, nota }: BodyOut<typeof crearAjuste>): Promise<Ganancia> =>
  transact(db, async (tx) => {
    const person = await earnerOf(tx, user_id).catch((error: unknown) => {
      throw error instanceof DomainError ? invalid('user_id', 'Elige un revendedor o un transportista') : error;
    });
    const cents = toCents(importe);
    const { id, dia } = await tx
      .insertInto('ganancias')
      .values({ user_id, concepto: 'ajuste', cents, nota })
      .returning(['id', 'dia'])
      .executeTakeFirstOrThrow();
    await audit(tx, actor, {
      type: person.role,
      action: 'create',
      entity_type: 'liquidacion',
      description: `Ajuste de ${person.full_name}: ${nota}`,
      despues: { importe_cents: cents },
    });
    emit(tx, { topic: 'liquidaciones', roles: rolesOf('liquidacion:manage'), users: [user_id] });
    const line = { numero_orden: null, pedido_id: null, ciudad: null, zona: null, detalle: null };
    return { id, dia, concepto: 'ajuste', ...line, nota, importe: toEuros(cents) };
  });
