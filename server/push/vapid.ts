import { createECDH, hkdfSync } from 'node:crypto';

// Order of the P-256 curve.
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export type Vapid = { publicKey: string; privateKey: string };

/** Key pair of this installation (RFC 8292), in base64url; derived from `SECRET_KEY`, so that all instances share it. */
export function vapidKeys(secretKey: string): Vapid {
  // 16 bytes more than the order needs, so that the remainder is unbiased (FIPS 186-5, A.2.1).
  const seed = BigInt(`0x${Buffer.from(hkdfSync('sha256', secretKey, '', 'enruta vapid', 48)).toString('hex')}`);
  const privateKey = Buffer.from(((seed % (ORDER - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}
