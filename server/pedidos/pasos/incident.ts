import type { z } from 'zod';
import { RESPUESTA_LABEL } from '../../../contract/pedidos/attempts.ts';
import { PROGRESO } from '../../../contract/pedidos/estados.ts';
import { CLIENTE_FIELDS } from '../../../contract/pedidos/fields.ts';
import type { responderIncidencia } from '../../../contract/pedidos/schemas.ts';
import { type Actor, can, SISTEMA } from '../../../contract/policy/policy.ts';
import { storedPlace } from '../../../contract/text/postcode.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, forbidden, invalid } from '../../kit/errors.ts';
import { refuseStale } from '../../kit/version.ts';
import { notify } from '../../notifications/notify.ts';
import { noteAttempt } from '../historia/attempts.ts';
import { change } from '../historia/change.ts';
import { refuseBlockedData } from '../lectura/blocked.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { postpone } from './postpone.ts';
import { reship } from './reship.ts';
import { applyTransition } from './transition.ts';

/**
 * Records a failed delivery that a company reports: the order waits for an answer at once, because nobody here tries again. The bell rings as
 * after a carrier's attempt. Throws 409, 403.
 */
export async function openIncident(tx: Tx, actor: Actor, row: PedidoRow, empresa: string, motivo: string): Promise<PedidoRow> {
  const back = PROGRESO.camino.includes(row.estado) ? await applyTransition(tx, actor, row, { name: 'fallar', motivo }) : row;
  if (back === row) await noteAttempt(tx, row, empresa, motivo);
  const set = { motivo, incidencia_at: back.incidencia_at ?? new Date().toISOString() };
  return change(tx, actor, back, set, { accion: 'Sin entregar', action: 'update', nota: motivo });
}

type Answer = z.output<typeof responderIncidencia.body>;
/** `means` explains the shipping price of a new address. */
type Answered = { row: PedidoRow; means?: string | undefined };

/** Records the answer after too many failed attempts (decision 059). Throws 404, 403, 409 if stale or not waiting, 422 if incomplete. */
export const answerIncident = async (db: Db, actor: Actor, id: string, { version, ...answer }: Answer): Promise<Answered> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, version, 'este pedido');
    refuseBlockedData(row, 'modificar');
    if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
    if (!row.incidencia_at) throw conflict('Este pedido no espera respuesta', 'estado');
    if (can(SISTEMA, 'pedido:postpone', row) && !can(actor, 'pedido:postpone', row)) throw forbidden('pedido:postpone');
    return ANSWERS[answer.respuesta](tx, actor, row, answer);
  });

const ANSWERS: Record<Answer['respuesta'], (tx: Tx, actor: Actor, row: PedidoRow, answer: Omit<Answer, 'version'>) => Promise<Answered>> = {
  otro_dia: async (tx, actor, row, { dia, nota }) => {
    if (!dia) throw invalid('dia', 'Elige un día');
    return { row: await postpone(tx, actor, row, { dia, nota }) };
  },
  otra_direccion: async (tx, actor, row, answer) => {
    if (!answer.cliente_direccion) throw invalid('cliente_direccion', 'Escribe la dirección');
    const given = CLIENTE_FIELDS.flatMap((name) => (name in answer ? [[name, answer[name as keyof typeof answer] ?? null]] : []));
    const address = placeOf(row, Object.fromEntries(given));
    const { set, means } = await reship(tx, row, address);
    const updated = await answered(tx, actor, row, { ...set, ...address, aviso_cliente: wordsOf(answer), recoge_at: null }, answer, means);
    if (set.precio_total_cents !== undefined) await refuseCashSale(tx, [row.id], () => 'cliente_codigo_postal');
    return { row: updated, means };
  },
  recogida: async (tx, actor, row, answer) => ({
    row: await answered(tx, actor, row, { aviso_cliente: wordsOf(answer), recoge_at: new Date().toISOString() }, answer),
  }),
  devolucion: async (tx, actor, row, { nota }) => {
    if (!can(actor, 'paso:cancelar', row)) throw forbidden('paso:cancelar');
    return { row: await applyTransition(tx, actor, row, { name: 'cancelar', motivo: nota ?? 'No se pudo entregar' }) };
  },
};

/** Returns the new address as stored, in the order's country. */
function placeOf({ cliente_pais }: PedidoRow, given: Record<string, string | null>) {
  const { cliente_pais: _, ...place } = storedPlace({ ...given, cliente_pais });
  return place;
}

const wordsOf = ({ respuesta, nota }: Pick<Answer, 'respuesta' | 'nota'>) => [RESPUESTA_LABEL[respuesta], nota].filter(Boolean).join('. ');

type Said = Pick<Answer, 'respuesta' | 'nota'>;

async function answered(tx: Tx, actor: Actor, row: PedidoRow, set: object, answer: Said, means?: string): Promise<PedidoRow> {
  const written = { ...set, incidencia_at: null };
  const step = { accion: `Respuesta: ${RESPUESTA_LABEL[answer.respuesta]}`, action: 'update', nota: means } as const;
  const updated = await change(tx, actor, row, written, step);
  await notify(tx, {
    tipo: 'incidencia_respondida',
    texto: `${row.numero_orden}: ${wordsOf(answer)}`,
    users: [row.transportista_id],
    enlace: `/pedidos-asignados?search=${encodeURIComponent(row.numero_orden)}`,
    except: actor.id,
    pedido_id: row.id,
  });
  return updated;
}
