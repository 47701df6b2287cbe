import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { TipoPrueba } from '../contract/pruebas/fields.ts';
import type { Db } from '../server/db/open.ts';

/* Files of a proof of delivery, and orders that announce them. */

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns a PNG of one pixel; `salt` changes its hash. */
export function png(salt = ''): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    mark,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.concat([deflateSync(Buffer.from([0, 255])), Buffer.from(salt)])),
  ]);
}

/** Returns the beginning of a JPEG; with `gps`, its EXIF data holds a place. */
export function jpeg({ gps = false, width = 8 } = {}): Buffer {
  const place = Buffer.from('Exif\0\0GPS 40.4168 -3.7038');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(place.length + 2);
  const exif = gps ? [Buffer.from([0xff, 0xe1]), length, place] : [];
  const jfif = Buffer.from([0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 8, 0, width, 1, 1, 17, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0xff, 0xd9]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), jfif, ...exif, frame]);
}

export const SIGNATURE = png();
export const PHOTO = jpeg();

/** Records a delivery that announces these files. */
export const announce = (db: Db, pedido_id: string, files: readonly { tipo: TipoPrueba; bytes: Buffer }[]): Promise<unknown> =>
  db
    .insertInto('entregas')
    .values({
      pedido_id,
      forma_entrega: 'en_mano',
      entregada_at: new Date().toISOString(),
      anunciadas: JSON.stringify(files.map(({ tipo, bytes }) => ({ tipo, sha256: sha256(bytes) }))),
    })
    .execute();
