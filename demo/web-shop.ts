import type { Tx } from '../server/db/open.ts';
import { encrypt } from '../server/kit/secrets.ts';
import type { WebOrder } from '../server/tienda/order.ts';

/** Adds a waiting order of the web shop, whose product has no pack yet. */
export async function addWebShop(tx: Tx, secretKey: string): Promise<void> {
  const modificado = new Date().toISOString();
  const { id: tienda_id } = await tx
    .insertInto('tiendas')
    .values({ conector: 'woo', nombre: 'Tu tienda' })
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
      contenido: encrypt(secretKey, JSON.stringify(order)),
      estado: 'por_revisar',
      motivo: 'Falta decir qué pack es «Lote de Navidad»',
    })
    .execute();
}
