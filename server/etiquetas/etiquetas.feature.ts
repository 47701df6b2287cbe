import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/etiquetas/etiquetas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import type { PedidoDisponible, PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import type { Db } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { presentCarried, presentOrder } from '../pedidos/lectura/present.ts';
import { cargarPedido } from '../pedidos/pasos/cargar.ts';
import { readSettings } from '../settings/settings.ts';
import { drawLabels, findScanned } from './labels.ts';

/** Labels for orders, and scanning and loading orders by carriers. */
export const etiquetasFeature: Feature = { name: 'etiquetas', routes };

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.imprimirEtiquetas, async ({ actor, query, reply }) => {
    await refuseUnused(db);
    const file = await drawLabels(db, actor, query);
    reply.header('content-type', 'application/pdf').header('content-disposition', 'inline; filename="etiquetas.pdf"');
    reply.send(Buffer.from(file));
    return undefined;
  });
  route(app, api.escanearPedido, async ({ actor, query }) => {
    await refuseUnused(db);
    const rows = await findScanned(db, actor, query.codigo);
    return { pedidos: rows.map((row) => presentOrder(actor, row, '') as PedidoTransportista | PedidoDisponible) };
  });
  route(app, api.cargarPedido, async ({ actor, params, body }) => {
    await refuseUnused(db);
    const row = await cargarPedido(db, actor, params.id, body);
    return asDone(body.cargado ? 'Pedido cargado' : 'Pedido descargado', presentCarried(actor, row));
  });
}

async function refuseUnused(db: Db): Promise<void> {
  const { labelsAndLoading } = await readSettings(db);
  if (!labelsAndLoading) throw conflict('Esta tienda no usa etiquetas: se activan en Configuración, «Etiquetas y carga»');
}
