import { hasMessage } from './unanswered.ts';

export type Answered = { response: Response; body: object };

/** Returns the response with its body if Enruta sent it; undefined for a proxy's page, a captive portal or a truncated body. */
export async function read(response: Response): Promise<Answered | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const isOurs = typeof body === 'object' && body !== null && (response.ok || hasMessage(body));
  return isOurs ? { response, body } : undefined;
}
