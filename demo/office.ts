import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { createDevolucion } from '../contract/devoluciones/devoluciones.ts';
import type { BodyOut } from '../contract/kit/endpoint.ts';
import { SISTEMA } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import { registerReturn } from '../server/devoluciones/devoluciones.ts';
import { handToCompany } from '../server/envios/hands.ts';
import { encrypt } from '../server/kit/secrets.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import { anonymiseLocked, blockOrders } from '../server/privacidad/block.ts';
import { CLAVE } from '../server/privacidad/persona.ts';
import type { WebOrder } from '../server/tienda/reading/order.ts';
import { printedPerson } from './people.ts';

/* What the office of the demo has done, and what waits for it. */

type Devuelta = Omit<BodyOut<typeof createDevolucion>, 'lineas' | 'version'> & { destino: 'stock' | 'baja' };
const RETURNS: readonly Devuelta[] = [
  { destino: 'stock', motivo: 'desistimiento', nota: 'Sin abrir', reembolso: 9.5, referencia: 'Transferencia 118420' },
  { destino: 'baja', motivo: 'danado', nota: 'Una botella rota en el transporte', reembolso: null, referencia: null },
  { destino: 'stock', motivo: 'equivocado', nota: null, reembolso: null, referencia: null },
];

export async function addReturns(tx: Tx): Promise<void> {
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('estado', '=', 'completado')
    .where('pack_id', 'is not', null)
    .where('pagado_cents', '>', 1000)
    .orderBy('fecha_completado', 'desc')
    .limit(RETURNS.length)
    .execute();
  const office = await printedPerson(tx, 'superadmin');
  for (const [i, { id }] of orders.entries()) {
    const { destino, ...rest } = RETURNS[i] as Devuelta;
    await registerReturn(tx, office, id, { ...rest, lineas: [{ numero: 1, cantidad: 1, destino }] });
  }
}

const SITUATIONS = ['Entregado', 'Destinatario ausente', 'En reparto'];
/** Fewer than the pending orders, so that carriers still find orders to take. */
const SHIPPED = SITUATIONS.length;

/** Name of the file with the answer of Correos, in the demonstration's data folder. */
export const ANSWER_FILE = 'respuesta-correos.csv';

/** Adds a batch of shipments that waits for its answer; returns that answer of Correos as CSV. */
export async function addShipments(tx: Tx): Promise<string> {
  const office = await printedPerson(tx, 'superadmin');
  const { id: envio_id } = await tx
    .insertInto('envios')
    .values({ plantilla_id: 'correos', empresa: 'Correos', creado_por: office.id, creado_por_nombre: office.full_name })
    .returning('id')
    .executeTakeFirstOrThrow();
  const shipped = await tx
    .insertInto('envios_pedidos')
    .columns(['envio_id', 'pedido_id'])
    .expression((query) =>
      query
        .selectFrom('pedidos')
        .select([sql<string>`${envio_id}::uuid`.as('envio_id'), 'id'])
        .where('estado', '=', 'pendiente')
        .where('deleted_at', 'is', null)
        .where('contra_reembolso', '=', false)
        .orderBy('fecha_pedido', 'desc')
        .limit(SHIPPED),
    )
    .returning('pedido_id')
    .execute();
  for (const { pedido_id } of shipped) await handToCompany(tx, office, 'Correos', [await lockPedido(tx, office, pedido_id)]);
  const batch = await tx
    .selectFrom('envios_pedidos')
    .innerJoin('pedidos', 'pedidos.id', 'pedido_id')
    .where('envio_id', '=', envio_id)
    .select('numero_orden')
    .orderBy('numero_orden')
    .execute();
  const rows = batch.map(({ numero_orden }, n) => `${numero_orden};PQ4F8A04000${10_127 + n}28013Q;${SITUATIONS[n] ?? 'Entregado'}`);
  return ['Referencia cliente;Código de envío;Situación', ...rows, 'WEB-20931;PQ4F8A0400010131;Entregado', ''].join('\r\n');
}

const ANONYMISED = 6;

export async function blockSome(tx: Tx, secretKey: string): Promise<void> {
  const oldest = await tx
    .selectFrom('pedidos')
    .select(['id', 'numero_orden'])
    .where('estado', '=', 'completado')
    .orderBy('fecha_pedido')
    .limit(ANONYMISED)
    .execute();
  if (oldest.length) await anonymiseLocked(tx, SISTEMA, oldest, 'Pedidos de una prueba del año pasado');

  const { rows } = await sql<{ ids: string[] }>`
    SELECT array_agg(id::text) AS ids FROM pedidos WHERE anonimizado_at IS NULL GROUP BY ${CLAVE}
    HAVING count(*) > 1 AND bool_and(estado IN ('completado', 'cancelado')) ORDER BY max(fecha_pedido) DESC, 1 LIMIT 1`.execute(tx);
  const [customer] = rows;
  if (!customer) return;
  const motivo = 'Pide que no se usen sus datos mientras se resuelve su reclamación';
  await blockOrders(tx, await printedPerson(tx, 'superadmin'), { pedidos: customer.ids, motivo }, { secretKey });
}

/** Adds a waiting order of the web shop, whose product has no pack yet. */
export async function addWebShop(tx: Tx, secretKey: string): Promise<void> {
  const modificado = new Date().toISOString();
  const { id: tienda_id } = await tx
    .insertInto('tiendas')
    .values({ conector: 'woo', nombre: 'Tu tienda', secreto: encrypt(secretKey, randomUUID()) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const order: WebOrder = {
    externo_id: '1042',
    numero: '1042',
    modificado,
    situacion: 'pagado',
    estado: 'processing',
    moneda: 'EUR',
    cliente: {
      cliente_nombre: 'Elvira Montes',
      cliente_telefono: '600 55 44 33',
      cliente_direccion: 'Calle del Pozo 8',
      cliente_direccion2: '3º A',
      cliente_codigo_postal: '10003',
      cliente_ciudad: 'Cáceres',
      cliente_provincia: 'Cáceres',
      cliente_pais: 'España',
    },
    instrucciones: null,
    lineas: [{ clave: 'LOTE-NAVIDAD', nombre: 'Lote de Navidad', cantidad: 2, total_cents: 5980 }],
    envio_cents: 495,
    descuento_cents: 0,
    total_cents: 6475,
    contra_reembolso: false,
    pago: { metodo: 'tarjeta', referencia: 'ch_demo_1042' },
    devuelto_cents: 0,
  };
  await tx
    .insertInto('tienda_pedidos')
    .values({
      externo_id: order.externo_id,
      numero: order.numero,
      tienda_id,
      modificado_at: modificado,
      situacion: 'pagado',
      contenido: JSON.stringify(order),
      estado: 'por_revisar',
      motivo: 'Falta decir qué pack es «Lote de Navidad»',
    })
    .execute();
}
