import type { Tx } from '../db/open.ts';
import { decrypt } from '../kit/secrets.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { stepOf } from './totp.ts';

/** Spends a code; true if valid. Authenticator codes work once per step (RFC 6238, section 5.2), recovery codes once ever. */
export async function spendCode(tx: Tx, secretKey: string, user: { id: string; totp_secret: string }, code: string): Promise<boolean> {
  const step = stepOf(decrypt(secretKey, user.totp_secret), code);
  if (step === undefined) return spendRecoveryCode(tx, secretKey, user.id, code);
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', user.id)
    .where((eb) => eb.or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
