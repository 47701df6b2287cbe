import { sql } from 'kysely';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import type { Devolucion, PorRecibir, recibirDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { CAMINO, DESTINO_LABEL } from '../../contract/devoluciones/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { notify } from '../notifications/notify.ts';
import { change } from '../pedidos/historia/change.ts';
import { lockPedido } from '../pedidos/lectura/row.ts';
import { moveReceived, orderOfReturn, type Returned, returnedLines, returnsOf } from '../pedidos/lineas/devuelto.ts';
import { adjustStock, readLines, unitsFor } from '../pedidos/lineas/lineas.ts';
import { presentReturn } from './devoluciones.ts';

/* Undelivered goods on their way back, which do not count as stock until the office receives them (decision 092). */

/** Lists the returns whose goods are on their way back, oldest first. */
export async function listToReceive(db: Db): Promise<PorRecibir[]> {
  const { rows } = await sql<PorRecibir>`
    SELECT d.id, p.id AS pedido_id, p.numero_orden, p.transportista_nombre, d.created_at AS desde, l.lineas
    FROM devoluciones d JOIN pedidos p ON p.id = d.pedido_id
    JOIN LATERAL (
      SELECT json_agg(json_build_object('producto', x.producto, 'cantidad', x.cantidad) ORDER BY x.numero, x.motivo) AS lineas
      FROM devoluciones_lineas x WHERE x.devolucion_id = d.id AND x.destino = ${CAMINO}) l ON l.lineas IS NOT NULL
    WHERE d.anulada_at IS NULL AND d.id IN (SELECT devolucion_id FROM devoluciones_lineas WHERE destino = ${CAMINO})
    ORDER BY d.created_at, d.id LIMIT ${MAX_OFICINA}`.execute(db);
  return rows;
}

/**
 * Receives the goods of a return that are on their way back: adds them to the stock, or writes them off with a reason and notifies the
 * carrier. Throws 404; 409 if none are on their way; 422 for a write-off without a reason.
 */
export async function receiveGoods(db: Db, actor: Actor, id: string, input: BodyOut<typeof recibirDevolucion>): Promise<Devolucion> {
  const { destino, motivo } = input;
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, await orderOfReturn(tx, id));
    const devolucion = (await returnsOf(tx, row.id)).find((one) => one.id === id);
    const coming = ((await returnedLines(tx, [id])).get(id) ?? []).filter((line) => line.destino === CAMINO);
    if (!devolucion || devolucion.anulada_at || coming.length === 0) throw conflict('De esta devolución no hay nada por recibir');
    if (destino === 'baja' && !motivo) throw invalid('motivo', 'Indica por qué no vuelve al stock');
    const ordered = await readLines(tx, row.id);
    const received = coming.map((line): Returned => {
      const own = ordered.find(({ numero }) => numero === line.numero);
      return { ...line, destino, unidades: destino === 'stock' && own ? unitsFor(own, line.cantidad) : 0 };
    });
    await moveReceived(tx, id, received);
    const units = received.reduce((sum, { unidades }) => sum + unidades, 0);
    const words = received.map(({ cantidad, producto }) => `${cantidad} × ${producto}`).join('; ');
    const nota = [`${words} (${DESTINO_LABEL[destino].toLowerCase()})`, motivo].filter(Boolean).join('. ').slice(0, 1000);
    const step = { accion: destino === 'stock' ? 'Mercancía recibida' : 'Mercancía dada de baja', action: 'update', nota } as const;
    await change(tx, actor, row, { unidades_retenidas: row.unidades_retenidas - units }, step);
    if (destino === 'baja')
      await notify(tx, {
        tipo: 'diferencia_entrega',
        texto: `${actor.full_name} no ha recibido ${words} de ${row.numero_orden}: ${motivo}`.slice(0, 300),
        users: [row.transportista_id],
        enlace: `/pedidos-asignados?estado=completado&search=${encodeURIComponent(row.numero_orden)}`,
        except: actor.id,
        mail: true,
      });
    await adjustStock(tx, actor, row.id, [received, []], { motivo: 'retorno' });
    return presentReturn(tx, actor, row.id, id);
  });
}
