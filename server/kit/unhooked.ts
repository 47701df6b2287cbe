import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { defaultErrorCode } from '../../contract/kit/errors.ts';
import { statusSentence } from './errors.ts';

/** Returns the security headers of responses that bypass the hooks. */
export const bareHeaders = (https: boolean, id: string = randomUUID()): Record<string, string> => ({
  'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-request-id': id,
  ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
});

const STATUS: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Responds to malformed, oversized or late requests. Closes the connection, because the end of the request is unknown. */
export const answerUnreadable =
  (https: boolean): ((error: Error & { code?: string }, socket: Socket) => void) =>
  (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = STATUS[error.code ?? ''] ?? 400;
    const body = JSON.stringify({ message: statusSentence(status), code: defaultErrorCode(status) });
    const headers = {
      ...bareHeaders(https),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'), () => socket.destroy());
  };
