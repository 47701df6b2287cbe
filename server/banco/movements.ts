import { sql } from 'kysely';
import type { Abono, apuntarMovimiento, cerrarMovimiento, listAbonos } from '../../contract/banco/banco.ts';
import { asPage, type BodyOut, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { type Db, onPage, type Tx, transact } from '../db/open.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { inEuros, toCents, toEuros } from '../kit/money.ts';
import { bookMovements, unbookMovement } from './book.ts';
import { readExpected } from './expected.ts';
import type { Expected, Match } from './expected-index.ts';
import { matchMovements } from './match.ts';
import { lockBank, recordAct, waitsForOffice } from './statements.ts';

const dayWords = (day: string) => day.split('-').reverse().join('/');

/** Returns the movements that wait, with a proposal for each where there is one, or those that are settled. */
export async function listMovements(db: Db, query: QueryOut<typeof listAbonos>): Promise<Paged<Abono>> {
  const { hechos, ids } = query;
  const all = db
    .selectFrom('movimientos')
    .where(hechos ? sql<boolean>`NOT ${waitsForOffice}` : waitsForOffice)
    .$if(ids !== undefined, (q) => q.where('id', 'in', ids ?? []));
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await all
    .select(['id', sql<string>`fecha::text`.as('fecha'), 'importe_cents', 'resto_cents', 'texto', 'cuenta', 'resolucion', 'motivo'])
    .orderBy('fecha', hechos ? 'desc' : 'asc')
    .orderBy('id')
    .$call(onPage(query))
    .execute();
  const expected = hechos ? undefined : await readExpected(db);
  const open = rows.map(({ resto_cents, ...row }) => ({ ...row, importe_cents: row.resolucion ? -1 : resto_cents }));
  const matches = expected ? matchMovements(open, expected) : [];
  const data = rows.map(({ importe_cents, resto_cents, resolucion, ...row }, i) => ({
    ...row,
    importe: toEuros(importe_cents),
    resto: toEuros(resto_cents),
    resolucion: resolucion as Abono['resolucion'],
    propuesta: expected && matches[i] ? shown(matches[i], expected) : null,
  }));
  return asPage(data, Number(total), query);
}

/** A proposal in words. */
function shown({ destino, partes, comision_cents }: Match, { orders, payments, remittances, cards, cash }: Expected) {
  const words = new Map([
    ...orders.map(({ numero, nombre }) => [numero, `${numero} (${nombre})`] as const),
    ...payments.map(({ id, numero, nombre }) => [id, `ya anotado en ${numero} (${nombre})`] as const),
    ...remittances.map(({ id, numero, empresa }) => [id, `liquidación ${numero} de ${empresa}`] as const),
    ...cards.map(({ id, fecha }) => [id, `tarjeta del ${dayWords(fecha)}`] as const),
    ...cash.map(({ id, nombre, dia }) => [id, `caja de ${nombre} del ${dayWords(dia)}`] as const),
  ]);
  return {
    destino,
    partes: partes.map(({ clave, cents }) => ({ clave, importe: toEuros(cents), texto: words.get(clave) ?? clave })),
    comision: toEuros(comision_cents),
  };
}

async function lockWaiting(tx: Tx, id: string) {
  await lockBank(tx);
  const found = await tx
    .selectFrom('movimientos')
    .select(['id', sql<string>`fecha::text`.as('fecha'), 'importe_cents', 'resto_cents', 'texto', 'resolucion', waitsForOffice.as('waits')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  return found;
}

/** Books a movement, or a part of it. Throws 404; 409 if it is settled or its order or remittance is; 422 for more than it brought. */
export const bookMovement = (db: Db, actor: Actor, id: string, input: BodyOut<typeof apuntarMovimiento>): Promise<void> =>
  transact(db, async (tx) => {
    const movement = await lockWaiting(tx, id);
    if (!movement.waits) throw conflict('Este movimiento ya está apuntado', 'estado');
    const comision_cents = toCents(input.comision);
    if (comision_cents > 0) {
      if (input.destino !== 'pasarela') throw invalid('comision', 'Solo una pasarela se queda comisión');
      // The trigger counts the fee with the payments.
      await tx.updateTable('movimientos').set({ comision_cents }).where('id', '=', id).execute();
    }
    const partes = input.partes.map(({ clave, importe }) => ({
      clave: input.destino === 'pedidos' ? clave.toUpperCase() : clave,
      cents: toCents(importe),
    }));
    if (input.destino !== 'pedidos' && partes.some(({ clave }) => !UUID.test(clave))) throw invalid('partes', 'Identificador no válido');
    const refused = await bookMovements(tx, actor, [{ ...movement, destino: input.destino, partes }]);
    for (const refusal of refused.values()) throw refusal;
    const { resto_cents } = await lockWaiting(tx, id);
    if (resto_cents < 0) throw invalid('partes', `Solo han llegado ${inEuros(movement.resto_cents)}`);
    await recordAct(tx, actor, id, `Abono del banco apuntado: ${inEuros(movement.resto_cents - resto_cents)}`);
  });
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

const WORDS = { devolver: 'hay que devolverlo', devuelto: 'devuelto', visto: 'no hay que hacer nada' };

/** Settles what is left of a movement without an order. Throws 404, 409 if nothing is left. */
export const closeMovement = (db: Db, actor: Actor, id: string, { resolucion, motivo }: BodyOut<typeof cerrarMovimiento>): Promise<void> =>
  transact(db, async (tx) => {
    const movement = await lockWaiting(tx, id);
    if (!movement.waits) throw conflict('Este movimiento ya está apuntado', 'estado');
    await tx.updateTable('movimientos').set({ resolucion, motivo }).where('id', '=', id).execute();
    await recordAct(tx, actor, id, `Abono del banco revisado: ${WORDS[resolucion]}`);
  });

/** Takes back what was booked or decided of a movement, which waits again. Throws 404, 409 if it waits whole. */
export const releaseMovement = (db: Db, actor: Actor, id: string): Promise<void> =>
  transact(db, async (tx) => {
    const { importe_cents, resto_cents, resolucion } = await lockWaiting(tx, id);
    if (importe_cents === resto_cents && !resolucion) throw conflict('Este movimiento ya está por revisar', 'estado');
    await unbookMovement(tx, actor, id, 'Abono del banco soltado');
    await tx
      .updateTable('movimientos')
      .set({ comision_cents: 0, resto_cents: importe_cents, resolucion: null, motivo: null })
      .where('id', '=', id)
      .execute();
    await recordAct(tx, actor, id, 'Abono del banco soltado: vuelve a estar por revisar');
  });
