import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Redsys signatures: an HMAC over the base64 parameters, with a key per order derived from the shop's secret.
 * https://pagosonline.redsys.es/desarrolladores-inicio/documentacion-operativa/firmar-una-operacion
 */

/** Key for HMAC_SHA512_V2: the order number encrypted by AES-128-CBC with the first 16 characters of the secret, as base64. */
export function orderKey(secret: string, order: string): string {
  const cipher = createCipheriv('aes-128-cbc', secret.slice(0, 16), Buffer.alloc(16));
  return Buffer.concat([cipher.update(order, 'utf8'), cipher.final()]).toString('base64');
}

export const signRedsys = (secret: string, order: string, parameters: string): string =>
  createHmac('sha512', orderKey(secret, order)).update(parameters).digest('base64url');

/** HMAC_SHA256_V1, still sent by older terminals; derives the key by 3DES-CBC with zero padding. */
function signV1(secret: string, order: string, parameters: string): string {
  const text = Buffer.from(order);
  const cipher = createCipheriv('des-ede3-cbc', Buffer.from(secret, 'base64'), Buffer.alloc(8)).setAutoPadding(false);
  const key = Buffer.concat([cipher.update(Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8)])), cipher.final()]);
  return createHmac('sha256', key).update(parameters).digest('base64url');
}

/** True if `signature`, in either base64 alphabet, is valid for `parameters`. */
export function isGenuine(secret: string, version: string, order: string, parameters: string, signature: string): boolean {
  const isV1 = version === 'HMAC_SHA256_V1' && Buffer.from(secret, 'base64').length === 24;
  if (!isV1 && version !== 'HMAC_SHA512_V2') return false;
  const expected = Buffer.from(isV1 ? signV1(secret, order, parameters) : signRedsys(secret, order, parameters), 'base64url');
  const received = Buffer.from(signature, 'base64url');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
