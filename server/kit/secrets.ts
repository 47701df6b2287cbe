import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { DomainError } from './errors.ts';

/** Encrypts a secret with AES-256-GCM under a key derived from `SECRET_KEY`. */
export function encrypt(secretKey: string, plain: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), iv);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** Decrypts a stored secret. Throws 500 if the secret was altered or `SECRET_KEY` has changed. */
export function decrypt(secretKey: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    throw new DomainError(500, OTHER_KEY);
  }
}

const OTHER_KEY = 'El servidor no puede leer un dato cifrado porque su SECRET_KEY ya no es la de entonces. Avisa a quien lo administra.';

/** Returns a fingerprint that identifies a `SECRET_KEY` without revealing it. */
export const fingerprint = (secretKey: string): string =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'enruta fingerprint', 12)).toString('base64url');

const keyOf = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, '', 'enruta secrets', 32));
