import { createHmac, timingSafeEqual } from 'node:crypto';

type Owner = { id: string; password_hash: string };

/** Maximum cookie lifetime in browsers, in days. */
export const DEVICE_DAYS = 400;

/** Cookie that proves an earlier sign-in of this person in this browser; one per person. */
export const deviceCookie = (userId: string): string => `enruta-equipo-${userId}`;

/** Cookie value: the browser's id, signed with the password hash, so that a new password invalidates it. */
export function deviceMark(secretKey: string, { id, password_hash }: Owner, device: string): string {
  const signature = createHmac('sha256', secretKey).update(`equipo|${id}|${device}|${password_hash}`).digest('base64url');
  return `${device}.${signature}`;
}

/** Returns the browser's id if the cookie is genuine and matches the current password. */
export function readMark(secretKey: string, owner: Owner, mark: string | undefined): string | undefined {
  const [device] = mark?.split('.') ?? [];
  if (!mark || !device) return undefined;
  const [expected, actual] = [Buffer.from(deviceMark(secretKey, owner, device)), Buffer.from(mark)];
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? device : undefined;
}
