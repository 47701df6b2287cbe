import { createHmac, timingSafeEqual } from 'node:crypto';

type Owner = { id: string; password_hash: string };

/** Days that a browser remembers; more is cut by browsers themselves. */
export const DEVICE_DAYS = 400;

/** Name of the cookie by which a browser shows that this person has signed in there before; several people share some. */
export const deviceCookie = (userId: string): string => `enruta-equipo-${userId}`;

/** Value of the cookie: the browser's id, signed together with the password, so that a new password ends it. */
export function markOf(secretKey: string, { id, password_hash }: Owner, device: string): string {
  const signature = createHmac('sha256', secretKey).update(`equipo|${id}|${device}|${password_hash}`).digest('base64url');
  return `${device}.${signature}`;
}

/** The browser's id, if its cookie is genuine and of this person's present password. */
export function readMark(secretKey: string, owner: Owner, mark: string | undefined): string | undefined {
  const [device] = mark?.split('.') ?? [];
  if (!mark || !device) return undefined;
  const [expected, actual] = [Buffer.from(markOf(secretKey, owner, device)), Buffer.from(mark)];
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? device : undefined;
}
