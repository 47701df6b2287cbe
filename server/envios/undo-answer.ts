import { type RawBuilder, sql } from 'kysely';
import type { deshacerRespuesta, Envio, verRespuesta } from '../../contract/envios/envios.ts';
import { DESHACER_HORAS } from '../../contract/envios/fields.ts';
import type { Answer, BodyOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { deleteComment } from '../comentarios/comentarios.ts';
import { type Db, onSnapshot, type Tx, transact } from '../db/open.ts';
import type { AnswerEffect } from '../db/schema.ts';
import { reversalRefusal, reverseIn } from '../deshacer/deshacer.ts';
import { reverseAttempt } from '../ganancias/ledger.ts';
import { conflict, DomainError, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { deleteAttempt } from '../pedidos/historia/attempts.ts';
import { changePedido } from '../pedidos/historia/change.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { COLUMNS, lockPedidos, type PedidoRow } from '../pedidos/lectura/row.ts';
import { moveBack } from '../pedidos/pasos/transition.ts';
import { RECENT_ANSWER, readEnvio } from './envios.ts';

/* What an answer writes, and how it is taken back: whole, except for the orders of which a person has seen that they stay (decision 138). */

type Stored = { id: string; envio_id: string; empresa: string; respondido_antes_at: string | null };
/** What an answer did to an order, unless that is taken back already. `hecho` is null once the order's personal data is blocked. */
type Effect = { pedido_id: string; resultado: 'completar' | 'incidencia'; hecho: AnswerEffect | null };
type Stays = Answer<typeof verRespuesta>['data']['se_quedan'];

/** Stores that an answer of a batch is being read; returns its id. */
export async function beginAnswer(db: Db, actor: Actor, envio: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`INSERT INTO respuestas (envio_id, leida_por_nombre, respondido_antes_at)
    SELECT id, ${actor.full_name}, respondido_at FROM envios WHERE id = ${envio} RETURNING id`.execute(db);
  return rows[0]?.id ?? '';
}

/** Locks an answer against being taken back meanwhile. Throws 409 if it is taken back already. */
export async function lockAnswer(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql`SELECT FROM respuestas WHERE id = ${id} AND deshecha_at IS NULL FOR SHARE`.execute(tx);
  if (rows.length === 0) throw conflict('Mientras se leía, alguien ha deshecho esta respuesta', 'estado');
}

/** The order after a row was applied, or the comment that the row has left. */
export type Made = { row: PedidoRow } | { comentario: string };

/** Returns what a row has just written about an order, to be taken back. */
export async function effectOn(tx: Tx, before: PedidoRow, made: Made): Promise<Omit<AnswerEffect, 'linea'>> {
  const { estado, motivo, incidencia_at, cargado_at, salio_at, intento_at, intentos } = before;
  const after = 'row' in made ? made.row : before;
  const effect = {
    antes: { estado, motivo, incidencia_at, cargado_at, salio_at, intento_at, intentos },
    despues: { estado: after.estado, incidencia_at: after.incidencia_at },
  };
  if ('comentario' in made) return { ...effect, comentario: made.comentario, paso: null, intento: null, tarifa: null };
  // Rows of this transaction: an attempt takes its start as its time, history and ledger the clock.
  const { rows } = await sql<Pick<AnswerEffect, 'paso' | 'intento' | 'tarifa'>>`SELECT
    (SELECT id FROM pedidos_historial WHERE pedido_id = ${before.id} ORDER BY created_at DESC, id DESC LIMIT 1) AS paso,
    (SELECT id FROM intentos WHERE pedido_id = ${before.id} AND created_at = now()) AS intento,
    (SELECT id FROM ganancias WHERE pedido_id = ${before.id} AND concepto = 'intento' AND created_at > now()) AS tarifa`.execute(tx);
  const [written] = rows;
  return { ...effect, comentario: null, paso: written?.paso ?? null, intento: written?.intento ?? null, tarifa: written?.tarifa ?? null };
}

/** Says what taking an answer back would do, and which orders would stay and why, without writing. Throws 404, 409 if it is too late. */
export const previewUndo = (db: Db, actor: Actor, id: string): Promise<Answer<typeof verRespuesta>['data']> =>
  onSnapshot(db, async (tx) => {
    await findAnswer(tx, id, sql``);
    const effects = await effectsOf(tx, id);
    const ids = effects.map(({ pedido_id }) => pedido_id);
    const orders = ids.length ? await tx.selectFrom('pedidos').select(COLUMNS).where('id', 'in', ids).execute() : [];
    const se_quedan = await staysOf(tx, actor, effects, new Map(orders.map((order) => [order.id, order])));
    const staying = new Set(se_quedan.map((order) => order.id));
    const count = (wanted: Effect['resultado']) =>
      effects.filter(({ resultado, pedido_id }) => resultado === wanted && !staying.has(pedido_id)).length;
    return { entregas: count('completar'), incidencias: count('incidencia'), se_quedan };
  });

/**
 * Takes an answer back: deliveries by counter-entries, incidents, comments and unmatched rows. Throws 404; 409 naming orders that have moved on
 * and are not in `se_quedan`, if a later answer of the batch was read, or if the answer is undone or too old.
 */
export const undoAnswer = (db: Db, actor: Actor, id: string, { se_quedan }: BodyOut<typeof deshacerRespuesta>): Promise<Envio> =>
  transact(db, async (tx) => {
    // Waits for a row of the answer that is just being applied; the next row finds the answer undone.
    const answer = await findAnswer(tx, id, sql`FOR NO KEY UPDATE OF r`);
    const named = await tx.selectFrom('respuestas_pedidos').select('pedido_id').where('respuesta_id', '=', id).execute();
    const locked = await lockPedidos(
      tx,
      actor,
      named.map(({ pedido_id }) => pedido_id),
    );
    // Only under the locks: somebody may just have taken an order's step back.
    const effects = await effectsOf(tx, id);
    const orders = new Map([...locked].flatMap(([key, row]) => (row instanceof DomainError ? [] : [[key, row] as const])));
    const staying = await staysOf(tx, actor, effects, orders);
    const unseen = staying.filter((order) => !se_quedan.includes(order.id));
    if (unseen.length > 0) throw conflict(stayingSentence(unseen), 'estado');
    const motivo = `Respuesta de ${answer.empresa} deshecha`;
    const stays = new Set(staying.map((order) => order.id));
    const undone = effects.filter(({ pedido_id }) => !stays.has(pedido_id));
    for (const effect of undone) {
      const row = orders.get(effect.pedido_id);
      if (row && effect.hecho) await takeBack(tx, actor, answer, { ...effect, row, hecho: effect.hecho, motivo });
    }
    await tx.updateTable('respuestas').set({ deshecha_at: sql<string>`now()` }).where('id', '=', id).execute();
    await restoreUnmatched(tx, answer);
    const description = `${motivo}: ${plural(undone.length, 'pedido')}`;
    await audit(tx, actor, { type: 'pedido', action: 'update', entity_type: 'envio', entity_id: answer.envio_id, description });
    emit(tx, { topic: 'envios', roles: ['superadmin'] });
    return readEnvio(tx, answer.envio_id);
  });

async function findAnswer(tx: Tx, id: string, lock: RawBuilder<unknown>): Promise<Stored> {
  const { rows } = await sql<Stored & { recent: boolean; undone: boolean; later: boolean }>`
    SELECT r.id, r.envio_id, r.respondido_antes_at, e.empresa, ${RECENT_ANSWER} AS recent, r.deshecha_at IS NOT NULL AS undone,
      EXISTS (SELECT FROM respuestas l WHERE l.envio_id = r.envio_id AND l.deshecha_at IS NULL AND l.created_at > r.created_at) AS later
    FROM respuestas r JOIN envios e ON e.id = r.envio_id WHERE r.id = ${id} ${lock}`.execute(tx);
  const [answer] = rows;
  if (!answer) throw notFound();
  if (answer.undone) throw conflict('Esa respuesta ya se ha deshecho', 'estado');
  if (!answer.recent) throw conflict('Ha pasado más de un día: deshaz la entrega en cada pedido', 'estado');
  if (answer.later) throw conflict('Después se leyó otra respuesta de este envío: deshaz antes esa', 'estado');
  return answer;
}

// Leaves out what somebody has taken back by hand.
async function effectsOf(tx: Tx, id: string): Promise<Effect[]> {
  const { rows } = await sql<Effect>`
    SELECT pedido_id, resultado, hecho FROM respuestas_pedidos l WHERE respuesta_id = ${id}
      AND NOT EXISTS (SELECT FROM pedidos_historial h WHERE h.deshace_id = (l.hecho->>'paso')::uuid) ORDER BY pedido_id`.execute(tx);
  return rows;
}

/** Returns the orders that have moved on since the answer, each with the reason. */
async function staysOf(tx: Tx, actor: Actor, effects: readonly Effect[], orders: ReadonlyMap<string, PedidoRow>): Promise<Stays> {
  const stays: Stays = [];
  for (const effect of effects) {
    const row = orders.get(effect.pedido_id);
    const motivo = row && (await whyItStays(tx, actor, row, effect));
    if (row && motivo) stays.push({ id: row.id, numero_orden: row.numero_orden, motivo });
  }
  return stays;
}

async function whyItStays(tx: Tx, actor: Actor, row: PedidoRow, { resultado, hecho }: Effect): Promise<string | undefined> {
  try {
    if (resultado === 'completar') return await reversalRefusal(tx, actor, row, 'deshacer_entrega');
    refuseBlockedData(row, 'cambiar');
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
  if (!hecho || hecho.comentario) return undefined;
  if (row.deleted_at) return 'El pedido está eliminado: restáuralo antes';
  if (row.estado !== hecho.despues.estado || row.incidencia_at !== hecho.despues.incidencia_at)
    return 'Ya se ha respondido a su incidencia, o el pedido ha seguido su camino';
  const last = tx.selectFrom('intentos').select('id').where('pedido_id', '=', row.id).orderBy('created_at', 'desc').limit(1);
  return (await last.executeTakeFirst())?.id === hecho.intento ? undefined : 'Después hubo otro intento de entrega';
}

type Undone = { row: PedidoRow; resultado: Effect['resultado']; hecho: AnswerEffect; motivo: string };

async function takeBack(tx: Tx, actor: Actor, { envio_id }: Stored, { row, resultado, hecho, motivo }: Undone): Promise<void> {
  const { antes, comentario, intento, tarifa, linea, paso } = hecho;
  if (resultado === 'completar') await reverseIn(tx, actor, row, { paso: 'deshacer_entrega', motivo });
  else if (comentario) await deleteComment(tx, comentario);
  else if (paso) {
    if (tarifa) await reverseAttempt(tx, tarifa);
    if (intento) await deleteAttempt(tx, intento);
    const { estado, ...set } = antes;
    const step = { accion: motivo, deshace: paso, nota: null };
    if (estado === row.estado) await changePedido(tx, actor, row, set, { ...step, action: 'update' });
    else await moveBack(tx, actor, row, { ...step, to: estado, set });
  }
  await tx.updateTable('envios_pedidos').set(linea).where('envio_id', '=', envio_id).where('pedido_id', '=', row.id).execute();
}

/** Removes the unmatched rows of an answer from its batch, and shows those again that it had replaced. */
async function restoreUnmatched(tx: Tx, { id, envio_id, respondido_antes_at }: Stored): Promise<void> {
  const envio = tx.selectFrom('envios').select('sin_pareja').where('id', '=', envio_id).forUpdate();
  const { sin_pareja } = await envio.executeTakeFirstOrThrow();
  const left = sin_pareja
    .filter(({ de }) => de !== id)
    .map(({ tapada, ...row }) => ({ ...row, ...(tapada && tapada !== id && { tapada }) }));
  const set = { sin_pareja: JSON.stringify(left), respondido_at: respondido_antes_at };
  await tx.updateTable('envios').set(set).where('id', '=', envio_id).execute();
}

const NAMED = 5;
export const stayingSentence = (orders: Stays): string => {
  const more = orders.length > NAMED ? ` Y ${orders.length - NAMED} más.` : '';
  const reasons = orders.slice(0, NAMED).map(({ numero_orden, motivo }) => `${numero_orden}: ${motivo}.`);
  return `No se ha deshecho nada. ${reasons.join(' ')}${more}`;
};

/** Deletes answers that can no longer be taken back. */
export async function deleteOldAnswers(db: Db): Promise<void> {
  await sql`DELETE FROM respuestas WHERE created_at < now() - make_interval(hours => ${DESHACER_HORAS})`.execute(db);
}
