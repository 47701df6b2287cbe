import { request } from 'node:http';
import { live } from '../contract/live/live.ts';
import type { Client } from '../test/client.ts';

export type Answered = { status: number; text: string };

/** Headers for a write by `client`: its cookies and its CSRF token. */
export const headersOf = ({ cookies }: Pick<Client, 'cookies'>): Record<string, string> => ({
  'content-type': 'application/json',
  'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});

/** Sends a request without its last byte. `finish` sends that byte and resolves to the answer, or to status 0 if the connection is cut. */
export function hold(url: string, client: Client, method: string, path: string, body: unknown): { finish: () => Promise<Answered> } {
  const bytes = Buffer.from(JSON.stringify(body));
  const sent = request(url + path, { method, headers: { ...headersOf(client), 'content-length': bytes.length } });
  const answered = new Promise<Answered>((resolve) => {
    sent.on('error', () => resolve({ status: 0, text: '' }));
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', () => resolve({ status: 0, text }));
    });
  });
  sent.write(bytes.subarray(0, -1));
  return {
    finish: () => {
      sent.end(bytes.subarray(-1));
      return answered;
    },
  };
}

/** Opens the live stream and collects its text until `stop`. */
export async function listenTo(url: string, who: Client): Promise<{ text: () => string; forget: () => void; stop: () => void }> {
  const controller = new AbortController();
  const response = await fetch(url + live.path, { headers: { ...headersOf(who), accept: 'text/event-stream' }, signal: controller.signal });
  let text = '';
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  };
  // Ignores the error: every live stream ends with an aborted connection.
  read().catch(() => {});
  return { text: () => text, forget: () => void (text = ''), stop: () => controller.abort() };
}
