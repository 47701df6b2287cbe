import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Envio, FilaLeida, FilaRespuesta, Plantilla } from '../../contract/envios/envios.ts';
import { bareReferencia, LECTURAS, type Lectura, MAX_ENVIO } from '../../contract/envios/fields.ts';
import { envioReferences } from '../../contract/envios/plantilla.ts';
import { POR_EMPRESA } from '../../contract/payments/fields.ts';
import { POR_ENTREGAR } from '../../contract/pedidos/estados.ts';
import type { MetodoEntrega } from '../../contract/pedidos/metodos.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { knownMeaning } from '../../contract/sheets/words.ts';
import { isBrokenCell } from '../../contract/text/broken-cell.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { commentOn } from '../comentarios/comentarios.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { AnswerEffect, Unmatched } from '../db/schema.ts';
import { asRefusal, notFound } from '../kit/errors.ts';
import { inEuros, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { COLUMNS, lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { openIncident } from '../pedidos/pasos/incident.ts';
import { refuseStep } from '../pedidos/pasos/step.ts';
import { applyTransition } from '../pedidos/pasos/transition.ts';
import { readEnvio } from './envios.ts';
import { withoutRedacted } from './redact.ts';
import { beginAnswer, effectOn, lockAnswer, type Made } from './undo-answer.ts';

/* Answers: the files that companies send back for a batch (decision 068). */

type Read = Omit<FilaLeida, 'fila' | 'referencia' | 'seguimiento'>;
type Line = { id: string; huella: string | null; sacado_at: string | null };

const huellaOf = (words: string | null) =>
  createHash('sha256')
    .update(bareReferencia(words ?? ''))
    .digest('hex')
    .slice(0, 16);

const none = (message: string, pedido_id: string | null = null): Read => ({ pedido_id, resultado: 'no_encaja', message });

/** Returns the message of the refusal that `ask` throws; undefined if it throws none. */
function refusalOf(ask: () => void): string | undefined {
  try {
    ask();
    return undefined;
  } catch (error) {
    const refusal = asRefusal(error);
    if (!refusal) throw error;
    return refusal.message;
  }
}

/** Reading that a person has given to the state of a row, or that of an exact known word. No other word says anything. */
const lecturaOf = ({ estado, lectura }: FilaRespuesta): Lectura =>
  lectura ?? LECTURAS.find((each) => each === knownMeaning('estado', estado ?? '')) ?? 'no_se_sabe';

/** Decides what a row does to its order, given the order's current state. */
export function decideAnswerRow(actor: Actor, row: PedidoRow, { huella, sacado_at }: Omit<Line, 'id'>, fila: FilaRespuesta): Read {
  const { id: pedido_id } = row;
  const { estado, seguimiento } = fila;
  const situacion = lecturaOf(fila);
  if (row.deleted_at) return none('El pedido está eliminado', pedido_id);
  // A spreadsheet has damaged the number. The refused row is stored with the batch, where the office sees the reason.
  if (seguimiento && isBrokenCell(seguimiento))
    return none(`«${seguimiento}» no es un número de seguimiento: la hoja lo ha estropeado. Escríbelo como texto`, pedido_id);
  // Another carrier or company may have the order by now.
  if (sacado_at && row.estado !== 'completado') return none('El pedido se sacó de este envío', pedido_id);
  if (situacion === 'no_se_sabe')
    return none(estado ? `No se sabe qué significa «${estado}»: compruébalo con la empresa` : 'No dice si está entregado', pedido_id);
  if (situacion === 'en_camino') return { pedido_id, resultado: 'en_camino', message: `No se da por entregado: ${estado ?? 'en camino'}` };
  if (situacion === 'incidencia') {
    if (huella === huellaOf(estado)) return { pedido_id, resultado: 'igual', message: 'La incidencia ya estaba anotada' };
    const refused = refusalOf(() => refuseBlockedData(row, 'comentar'));
    if (refused) return none(refused, pedido_id);
    return {
      pedido_id,
      resultado: 'incidencia',
      message: POR_ENTREGAR.includes(row.estado) ? `No entregado${estado ? `: ${estado}` : ''}` : `Comentario: ${estado ?? 'no entregado'}`,
    };
  }
  if (row.estado === 'completado') {
    const same = seguimiento === null || row.numero_seguimiento === seguimiento;
    if (same) return { pedido_id, resultado: 'igual', message: 'Ya estaba completado' };
    // Leaves out the tracking number, because the message is stored with the batch, where anonymising would miss it.
    return none(`Ya está completado con ${row.numero_seguimiento ? 'otro número' : 'otra entrega, sin número'}`, pedido_id);
  }
  const refused = refusalOf(() => refuseStep(actor, row, 'completar', 'completado'));
  if (refused) return none(refused, pedido_id);
  const collects = row.por_cobrar_cents > 0 && `la empresa ha cobrado ${inEuros(row.por_cobrar_cents)}`;
  const message = [seguimiento ? `Completado con ${seguimiento}` : 'Completado', collects].filter(Boolean).join('; ');
  return { pedido_id, resultado: 'completar', message };
}

type Batch = { id: string; empresa: string; metodo_entrega: MetodoEntrega; columnas: Plantilla['columnas'] };

async function batchOf(db: Db, id: string): Promise<Batch> {
  return db
    .selectFrom('envios as e')
    .innerJoin('plantillas_envio as p', 'p.id', 'e.plantilla_id')
    .select(['e.id', 'e.empresa', 'p.metodo_entrega', 'p.columnas'])
    .where('e.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

/**
 * Matches rows to orders of the batch by our reference. Of several rows of one order the worst one counts: an order of two parcels is not
 * delivered with one of them. The others, and rows that match no order, get their result at once.
 */
async function matched(db: Db, { id, columnas }: Batch, filas: readonly FilaRespuesta[]) {
  const lines = await db
    .selectFrom('envios_pedidos as l')
    .innerJoin('pedidos as p', 'p.id', 'l.pedido_id')
    .select(['p.id', 'p.numero_orden', 'l.huella', 'l.sacado_at'])
    .where('l.envio_id', '=', id)
    .execute();
  const byReference = new Map(
    lines.flatMap((line) =>
      [...envioReferences(columnas, line.numero_orden), line.numero_orden].map((reference) => [bareReferencia(reference), line]),
    ),
  );
  const worst = new Map<string, number>();
  const badness = (fila: FilaRespuesta) => LECTURAS.indexOf(lecturaOf(fila));
  for (const [i, fila] of filas.entries()) {
    const reference = bareReferencia(fila.referencia);
    const before = filas[worst.get(reference) ?? -1];
    if (!before || badness(fila) < badness(before)) worst.set(reference, i);
  }
  return filas.map((fila, i): { fila: FilaRespuesta; line?: Line; read?: Read } => {
    const reference = bareReferencia(fila.referencia);
    const line = byReference.get(reference);
    if (!line) return { fila, read: none('Ningún pedido de este envío tiene esa referencia') };
    const counts = worst.get(reference) ?? i;
    if (counts === i) return { fila, line };
    const same = JSON.stringify(filas[counts]) === JSON.stringify(fila);
    const other = `Del mismo pedido vale la fila ${counts + 1}${fila.seguimiento ? `; su número ${fila.seguimiento} no se guarda` : ''}`;
    return { fila, read: { pedido_id: line.id, resultado: 'igual', message: same ? 'Repetida en el fichero' : other } };
  });
}

const shown = (reads: readonly { fila: FilaRespuesta; read: Read }[]): FilaLeida[] =>
  reads.map(({ fila: { referencia, seguimiento }, read }, fila) => ({ fila, referencia, seguimiento, ...read }));

/** Returns the results that reading an answer would have, without changing anything. Throws 404. */
export async function checkRespuesta(db: Db, actor: Actor, id: string, filas: readonly FilaRespuesta[]): Promise<FilaLeida[]> {
  const found = await matched(db, await batchOf(db, id), filas);
  const ids = found.flatMap(({ line }) => line?.id ?? []);
  const orders = ids.length ? await db.selectFrom('pedidos').select(COLUMNS).where('id', 'in', ids).execute() : [];
  const byId = new Map(orders.map((order) => [order.id, order]));
  return shown(
    found.map(({ fila, line, read }) => {
      const order = line && byId.get(line.id);
      return { fila, read: read ?? (line && order ? decideAnswerRow(actor, order, line, fila) : none('El pedido ya no existe')) };
    }),
  );
}

/**
 * Reads an answer and applies each row in its own transaction, with the same code as a manual step. Refusals do not stop the rest, and are
 * stored with the batch. Throws 404.
 */
export async function readRespuesta(
  db: Db,
  actor: Actor,
  id: string,
  filas: readonly FilaRespuesta[],
): Promise<{ message: string; data: FilaLeida[]; envio: Envio }> {
  const batch = await batchOf(db, id);
  const answer = { batch, id: await beginAnswer(db, actor, id) };
  const reads: { fila: FilaRespuesta; read: Read }[] = [];
  for (const { fila, line, read } of await matched(db, batch, filas)) {
    reads.push({ fila, read: read ?? (line ? await applyFila(db, actor, answer, line.id, fila) : none('El pedido ya no existe')) });
  }
  const data = shown(reads);
  const envio = await transact(db, (tx) => store(tx, actor, answer, data));
  const done = data.filter(({ resultado }) => resultado === 'completar').length;
  return { message: plural(done, 'pedido completado', 'pedidos completados'), data, envio };
}

type Reading = { id: string; batch: Batch };

async function applyFila(db: Db, actor: Actor, answer: Reading, pedido_id: string, fila: FilaRespuesta): Promise<Read> {
  const { batch } = answer;
  try {
    return await transact(db, async (tx) => {
      await lockAnswer(tx, answer.id);
      const row = await lockPedido(tx, actor, pedido_id);
      const line = tx
        .selectFrom('envios_pedidos')
        .select(['huella', 'sacado_at', 'resultado', 'seguimiento'])
        .where('envio_id', '=', batch.id)
        .where('pedido_id', '=', pedido_id);
      const { sacado_at, ...before } = await line.executeTakeFirstOrThrow();
      const read = decideAnswerRow(actor, row, { ...before, sacado_at }, fila);
      const { resultado } = read;
      if (resultado !== 'completar' && resultado !== 'incidencia') return read;
      const made = await (resultado === 'completar' ? complete : noteIncident)(tx, actor, batch, row, fila);
      const hecho = JSON.stringify({ ...(await effectOn(tx, row, made)), linea: before } satisfies AnswerEffect);
      await tx.insertInto('respuestas_pedidos').values({ respuesta_id: answer.id, pedido_id, resultado, hecho }).execute();
      return read;
    });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!refusal || refusal.status >= 500) throw error;
    return none(refusal.message, pedido_id);
  }
}

const mark = (
  tx: Tx,
  batch: Batch,
  pedido_id: string,
  set: { resultado: 'completar' | 'incidencia'; seguimiento: string | null; huella?: string },
) => tx.updateTable('envios_pedidos').set(set).where('envio_id', '=', batch.id).where('pedido_id', '=', pedido_id).execute();

async function complete(tx: Tx, actor: Actor, batch: Batch, row: PedidoRow, { seguimiento }: FilaRespuesta): Promise<Made> {
  // The file asked the company to collect what is due.
  const collected = row.por_cobrar_cents > 0 && ({ cobrado: toEuros(row.por_cobrar_cents), cobrado_metodo: POR_EMPRESA } as const);
  const input = {
    name: 'completar',
    metodo_entrega: batch.metodo_entrega,
    ...(seguimiento && { numero_seguimiento: seguimiento }),
    ...collected,
  } as const;
  const completed = await applyTransition(tx, actor, row, input);
  await mark(tx, batch, row.id, { resultado: 'completar', seguimiento });
  return { row: completed };
}

async function noteIncident(tx: Tx, actor: Actor, batch: Batch, row: PedidoRow, { estado, seguimiento }: FilaRespuesta): Promise<Made> {
  const words = `${batch.empresa}: ${estado ?? 'no entregado'}`.slice(0, 300);
  await mark(tx, batch, row.id, { resultado: 'incidencia', seguimiento, huella: huellaOf(estado) });
  if (POR_ENTREGAR.includes(row.estado)) return { row: await openIncident(tx, actor, row, batch.empresa, words) };
  return { comentario: (await commentOn(tx, actor, row.id, words)).id };
}

/**
 * Stores the unmatched rows, which replace earlier rows with the same reference. An answer that has changed nothing leaves nothing to be
 * taken back.
 */
async function store(tx: Tx, actor: Actor, { id, batch }: Reading, data: readonly FilaLeida[]): Promise<Envio> {
  await lockAnswer(tx, id);
  const unmatched = await withoutRedacted(
    tx,
    data
      .filter(({ resultado }) => resultado === 'no_encaja')
      .map(({ referencia, seguimiento, message, pedido_id }) => ({ referencia, seguimiento, motivo: message, pedido_id })),
  );
  const { sin_pareja: before } = await tx
    .selectFrom('envios')
    .select('sin_pareja')
    .where('id', '=', batch.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const keyOf = ({ referencia, seguimiento, motivo }: Unmatched) => JSON.stringify([referencia, seguimiento, motivo]);
  const rows = unmatched.map(({ referencia, seguimiento, motivo }): Unmatched => ({ referencia, seguimiento, motivo, de: id }));
  const referencias = new Set(data.map(({ referencia }) => bareReferencia(referencia)));
  const again = new Set(rows.map(keyOf));
  const known = new Set(before.filter(({ tapada }) => !tapada).map(keyOf));
  const replaced = (row: Unmatched) => !row.tapada && referencias.has(bareReferencia(row.referencia)) && !again.has(keyOf(row));
  const added = rows.filter((row) => !known.has(keyOf(row)));
  const sin_pareja = [...before.map((row) => (replaced(row) ? { ...row, tapada: id } : row)), ...added].slice(0, MAX_ENVIO);
  if (added.length === 0 && !before.some(replaced))
    await sql`DELETE FROM respuestas r WHERE id = ${id} AND NOT EXISTS (SELECT FROM respuestas_pedidos WHERE respuesta_id = r.id)`.execute(
      tx,
    );
  await tx
    .updateTable('envios')
    .set({ sin_pareja: JSON.stringify(sin_pareja), respondido_at: new Date().toISOString() })
    .where('id', '=', batch.id)
    .execute();
  const done = data.filter(({ resultado }) => resultado === 'completar' || resultado === 'incidencia').length;
  const description = `Respuesta de ${batch.empresa} leída: ${done} de ${data.length} filas`;
  await audit(tx, actor, { type: 'pedido', action: 'update', entity_type: 'envio', entity_id: batch.id, description });
  emit(tx, { topic: 'envios', roles: ['superadmin'] });
  return readEnvio(tx, batch.id);
}
