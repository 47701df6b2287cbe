import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Tx } from '../server/db/open.ts';
import type { Files } from '../server/files/store.ts';
import { PHOTO } from './photo.ts';

/* Proof of delivery in the demo: a few signed deliveries, one with a photo, and one that still lacks its photo. */

const DELIVERIES = [
  { forma_entrega: 'lugar_seguro', receptor_nombre: null, receptor_relacion: null, tipo: 'foto', sent: false },
  { forma_entrega: 'en_mano', receptor_nombre: null, receptor_relacion: null, tipo: 'firma', sent: true },
  { forma_entrega: 'lugar_seguro', receptor_nombre: null, receptor_relacion: null, tipo: 'foto', sent: true },
  { forma_entrega: 'otra_persona', receptor_nombre: 'Manuel Ortiz', receptor_relacion: 'portero', tipo: 'firma', sent: true },
  { forma_entrega: 'otra_persona', receptor_nombre: 'Carmen Vega', receptor_relacion: 'familiar', tipo: 'firma', sent: true },
] as const;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export async function addProofs(tx: Tx, files: Files): Promise<void> {
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('estado', '=', 'completado')
    .where('transportista_id', 'is not', null)
    .orderBy('fecha_completado', 'desc')
    .limit(DELIVERIES.length)
    .execute();
  for (const [i, { id: pedido_id }] of orders.entries()) {
    const { sent, tipo, ...delivery } = DELIVERIES[i] as (typeof DELIVERIES)[number];
    const picture = tipo === 'firma' ? signature(i) : PHOTO;
    const hash = sha256(sent ? picture : Buffer.from('una foto'));
    await tx
      .insertInto('entregas')
      .values({
        pedido_id,
        ...delivery,
        anunciadas: JSON.stringify([{ tipo, sha256: hash }]),
        entregada_at: new Date().toISOString(),
      })
      .execute();
    if (!sent) continue;
    const fichero = `${pedido_id}/${hash}.${tipo === 'firma' ? 'png' : 'jpg'}`;
    await files.put(fichero, picture);
    await tx.insertInto('pruebas').values({ pedido_id, tipo, sha256: hash, bytes: picture.length, fichero }).execute();
  }
}

const WIDTH = 600;
const HEIGHT = 300;

/** Returns a PNG of a curve that resembles a signature; `n` varies the curve. */
function signature(n: number): Buffer {
  // One byte per pixel; each row begins with the byte of its PNG filter.
  const points = Buffer.alloc((WIDTH + 1) * HEIGHT, 255);
  for (let y = 0; y < HEIGHT; y += 1) points[y * (WIDTH + 1)] = 0;
  for (let t = 0; t < 1; t += 0.0004) {
    const x = 60 + t * 460 + 40 * Math.sin(t * (30 + n * 4));
    const y = 150 + 70 * Math.sin(t * (22 + n * 7)) * (1 - t * 0.7);
    for (let dy = 0; dy < 4; dy += 1) points.fill(20, at(x, y + dy), at(x, y + dy) + 4);
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([mark, chunk('IHDR', header), chunk('IDAT', deflateSync(points)), chunk('IEND', Buffer.alloc(0))]);
}

const at = (x: number, y: number) => Math.round(y) * (WIDTH + 1) + 1 + Math.round(x);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
