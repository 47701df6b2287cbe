import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isFromHere } from './compress.ts';

/** Maximum milliseconds that a page waits for its first answers, less than a telephone waits for the page; without them its head only names the calls. */
const PATIENCE_MS = 80;

/** JSON texts of answers by their address, and the cookies that came with them. */
type FirstAnswers = { answers: ReadonlyMap<string, string>; cookies: readonly string[] };
const NONE: FirstAnswers = { answers: new Map(), cookies: [] };

/**
 * Calls the API for a page as its browser would: same session, same permissions, same address of the client. Returns only the
 * answers with status 200, and none for a page that another site may have caused or that no person opens (decision 175).
 */
export async function firstAnswers(
  app: FastifyInstance,
  request: FastifyRequest,
  asks: readonly string[],
  patience = PATIENCE_MS,
): Promise<FirstAnswers> {
  if (!asks.length || request.headers['sec-fetch-mode'] !== 'navigate' || !isFromHere(request)) return NONE;
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patience).unref());
  const replies = await Promise.race([Promise.all(asks.map((url) => askOwn(app, request, url))).catch(() => undefined), late]);
  if (!replies) return NONE;
  const good = replies.filter(({ statusCode }) => statusCode === 200);
  return {
    answers: new Map(good.map(({ url, payload }) => [url, payload])),
    cookies: good.flatMap(({ headers }) => headers['set-cookie'] ?? []),
  };
}

async function askOwn(app: FastifyInstance, { headers, raw }: FastifyRequest, url: string) {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(accept|if-|sec-)/.test(name)));
  const remoteAddress = raw.socket.remoteAddress ?? '127.0.0.1';
  const { statusCode, payload, headers: got } = await app.inject({ url, remoteAddress, headers: { ...kept, accept: 'application/json' } });
  return { url, statusCode, payload, headers: got };
}

/** The answers as a data block at the end of a page; `<` is escaped, so that no text can end the block. */
export const dataBlock = (answers: FirstAnswers['answers']): string =>
  answers.size
    ? `<script type="application/json" id="respuestas">{${[...answers]
        .map(([url, json]) => `${JSON.stringify(url)}:${json}`)
        .join(',')
        .replaceAll('<', '\\u003c')}}</script>`
    : '';
