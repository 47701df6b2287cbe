import { hasMessage } from './unanswered.ts';

export type Answered = { response: Response; body: object };

/** An answer of Enruta; undefined for anything else: a proxy's page, a captive portal's, a body that was cut off. */
export async function read(response: Response): Promise<Answered | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const isOurs = typeof body === 'object' && body !== null && (response.ok || hasMessage(body));
  return isOurs ? { response, body } : undefined;
}
