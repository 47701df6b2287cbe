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
