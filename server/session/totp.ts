import { Secret, TOTP } from 'otpauth';
import { CODE_DIGITS } from '../../contract/account/account.ts';

/** Accepted time steps before and after the current one, because clocks differ. */
const WINDOW = 1;

/** 160 random bits in base 32, the length RFC 4226 recommends. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

const totp = (secret: string, label = '') => new TOTP({ issuer: 'Enruta', label, secret, digits: CODE_DIGITS });

export const totpUri = (secret: string, email: string): string => totp(secret, email).toString();

/** Returns the time step of `code` (RFC 6238); undefined outside the accepted window. */
export function totpStep(secret: string, code: string): number | undefined {
  const token = code.replace(/\s/g, '');
  // Multi-byte characters would make the library throw.
  if (!/^\d+$/.test(token)) return undefined;
  const generator = totp(secret);
  const delta = generator.validate({ token, window: WINDOW });
  return delta === null ? undefined : generator.counter() + delta;
}
