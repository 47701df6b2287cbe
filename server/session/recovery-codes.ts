import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { RECOVERY_CODES } from '../../contract/account/account.ts';
import type { Tx } from '../db/open.ts';
import { decrypt } from '../kit/secrets.ts';
import { totpStep } from './totp.ts';

// 32 characters, without l, o, 0 and 1, which are easily confused.
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

function newCode(): string {
  const letters = [...randomBytes(10)].map((byte) => ALPHABET[byte & 31]);
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`;
}

// Keyed with SECRET_KEY, so that a stolen database alone does not allow guessing.
const hashOf = (secretKey: string, userId: string, code: string) =>
  createHmac('sha256', secretKey)
    .update(`recovery|${userId}|${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest('base64url');

/** Replaces a person's recovery codes and returns them; only hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, secretKey: string, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await deleteRecoveryCodes(tx, userId);
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(secretKey, userId, code), used_at: null })))
    .execute();
  return codes;
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Spends a code; true only the first time. Ignores case, spaces and hyphens. */
export async function spendRecoveryCode(tx: Tx, secretKey: string, userId: string, code: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(secretKey, userId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Spends a code; true if valid. Authenticator codes work once per step (RFC 6238, section 5.2), recovery codes once ever. */
export async function spendCode(tx: Tx, secretKey: string, user: { id: string; totp_secret: string }, code: string): Promise<boolean> {
  const step = totpStep(decrypt(secretKey, user.totp_secret), code);
  if (step === undefined) return spendRecoveryCode(tx, secretKey, user.id, code);
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', user.id)
    .where((eb) => eb.or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
