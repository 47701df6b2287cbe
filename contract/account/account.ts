import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export const RECOVERY_CODES = 10;

export const CODE_DIGITS = 6;

export type Account = z.infer<typeof schemas.account>;

export type OwnSession = z.infer<typeof schemas.ownSession>;

const OWN = { action: 'session', whilePending: true } as const;

/** Confirms password and code; endpoints with `stepUp` then need neither for five minutes. */
export const proveIdentity = endpoint<typeof schemas.proveIdentity>()('POST', '/api/cuenta/confirmar', { ...OWN });

/** Checks for a recent proof before a download, because the browser fetches the file itself and cannot prompt. */
export const requireProof = endpoint<typeof schemas.requireProof>()('GET', '/api/cuenta/confirmar', { ...OWN, stepUp: true });

export const getAccount = endpoint<typeof schemas.getAccount>()('GET', '/api/cuenta', { ...OWN });

export const changePassword = endpoint<typeof schemas.changePassword>()('PUT', '/api/cuenta/password', { ...OWN });

export const listSessions = endpoint<typeof schemas.listSessions>()('GET', '/api/cuenta/sesiones', { ...OWN });

export const closeOtherSessions = endpoint<typeof schemas.closeOtherSessions>()('DELETE', '/api/cuenta/sesiones', { ...OWN });

/** Restarts any unfinished setup; the current secret stays valid until the new one is confirmed. */
export const startSecondFactor = endpoint<typeof schemas.startSecondFactor>()('POST', '/api/cuenta/segundo-factor', {
  ...OWN,
  stepUp: true,
});

export const confirmSecondFactor = endpoint<typeof schemas.confirmSecondFactor>()('POST', '/api/cuenta/segundo-factor/confirmar', {
  ...OWN,
});

export const renewRecoveryCodes = endpoint<typeof schemas.renewRecoveryCodes>()('POST', '/api/cuenta/segundo-factor/codigos', {
  ...OWN,
  stepUp: true,
});

export const removeSecondFactor = endpoint<typeof schemas.removeSecondFactor>()('POST', '/api/cuenta/segundo-factor/quitar', {
  ...OWN,
  stepUp: true,
});
