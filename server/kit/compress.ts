import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Minimum length to compress: shorter responses fit one packet. */
const LEAST_CHARACTERS = 1024;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } };
const ENCODERS = { br: (text: string) => promisify(brotliCompress)(text, BROTLI), gzip: promisify<string, Buffer>(gzip) };

/** True for requests of our own pages and of programs with a key, which no other site can make a browser send. */
const isOwn = ({ headers }: FastifyRequest) => headers['sec-fetch-site'] === 'same-origin' || headers.authorization !== undefined;

/** True for a page that one of our own pages or the person opened, by an address or a bookmark: no other site can cause it. */
export const isFromHere = ({ headers }: FastifyRequest): boolean => /^(same-origin|none)$/.test(String(headers['sec-fetch-site']));

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Compresses the page for every caller: its address is its only secret, so its length reveals nothing (decision 108). */
    compressed?: boolean;
  }
}

/** Compresses JSON responses and pages of the program to GET requests, but not to requests that another site may have caused (decision 045). */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < LEAST_CHARACTERS) return payload;
    const type = String(reply.getHeader('content-type'));
    const isOpen = request.routeOptions.config.compressed || (type.startsWith('text/html') && isFromHere(request));
    if (!isOpen && !(type.startsWith('application/json') && isOwn(request))) return payload;
    const accepted = String(request.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
    const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name));
    if (!encoding) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return ENCODERS[encoding](payload);
  });
}
