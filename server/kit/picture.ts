import type { FastifyReply } from 'fastify';
import { imageSize } from 'image-size';
import { MAX_PICTURE_PIXELS } from '../../contract/kit/picture.ts';
import { invalid } from './errors.ts';

const KINDS = { jpg: 'un JPEG', png: 'un PNG' } as const;
export type PictureKind = keyof typeof KINDS;

/** Returns the bytes of a base64 picture. Throws 422 for `field` unless the content is of an accepted kind and not too large. */
export function checkedPicture(field: string, base64: string, kinds: readonly PictureKind[]): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  const size = sizeOf(bytes);
  if (!kinds.some((kind) => kind === size?.type)) throw invalid(field, `La imagen no es ${kinds.map((kind) => KINDS[kind]).join(' ni ')}`);
  if (Math.max(size?.width ?? 0, size?.height ?? 0) > MAX_PICTURE_PIXELS)
    throw invalid(field, `La imagen no puede medir más de ${MAX_PICTURE_PIXELS} píxeles de lado`);
  return bytes;
}

/** True for a PNG or JPEG with at least one pixel that is not cut off: its last chunk (IEND) or marker (EOI) is there. */
export function isWholePicture(bytes: Buffer): boolean {
  const size = sizeOf(bytes);
  if (!size || size.width < 1 || size.height < 1) return false;
  if (size.type !== 'png')
    return (
      bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > bytes.indexOf(Buffer.from([0xff, 0xda])) && bytes.includes(Buffer.from([0xff, 0xda]))
    );
  // Length, type, data and checksum of each chunk (ISO/IEC 15948, 5.3).
  for (let at = 8, image = false; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') image = true;
    if (type === 'IEND') return image;
  }
  return false;
}

function sizeOf(bytes: Buffer) {
  try {
    return imageSize(bytes);
  } catch {
    return undefined;
  }
}

/** Sends a picture; `name` is the file name if saved. `lasting` lets browsers cache a picture whose URL changes with its content. */
export function sendPicture(
  reply: FastifyReply,
  { content, type, name, lasting = false }: { content: Uint8Array; type: string; name?: string; lasting?: boolean },
): undefined {
  if (name) reply.header('content-disposition', `inline; filename="${name}"`);
  reply
    .header('content-type', type)
    // Prevents scripts hidden in a picture from running, even if the URL is opened directly.
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', lasting ? 'private, max-age=31536000, immutable' : 'no-store');
  reply.send(Buffer.from(content));
  return undefined;
}
