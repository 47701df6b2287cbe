/*
 * Receives webhooks: checks the signature, answers at once, and appends each event once to a file of JSON lines.
 *
 *     ENRUTA_SECRET=whsec_… node answer-a-webhook.mjs 8080 events.jsonl
 *
 * Run this program behind a proxy with https. Register the proxy's address in «Configuración › Integraciones», or by
 * `POST /api/webhooks-salientes` with a key for «Tienda en línea». The key also reads missed events at `/api/events`
 * (docs/api.md, docs/webhooks.md).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { ENRUTA_SECRET = '' } = process.env;
const [port, file] = process.argv.slice(2);
if (!ENRUTA_SECRET.startsWith('whsec_') || !port || !file) throw new Error('ENRUTA_SECRET, a port and the name of a file are needed');
const key = Buffer.from(ENRUTA_SECRET.slice('whsec_'.length), 'base64');

/** True if Enruta signed these bytes within the last five minutes (Standard Webhooks). */
function isSigned(headers, bytes) {
  const { 'webhook-id': id = '', 'webhook-timestamp': at = '', 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${at}.`).update(bytes).digest();
  // While a secret is being replaced, there can be several signatures.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// A message can arrive twice, with the same id.
const seen = new Set(
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).id)
    : [],
);

const server = createServer(async (request, response) => {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    // The sender is not verified yet.
    if ((size += chunk.length) > 1_000_000) return response.writeHead(413).end();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (request.method !== 'POST' || !isSigned(request.headers, bytes)) return response.writeHead(401).end();
  const id = request.headers['webhook-id'];
  if (!seen.has(id)) {
    // Stored before the answer, because an event answered with 2xx is not sent again.
    appendFileSync(file, `${JSON.stringify({ id, ...JSON.parse(bytes) })}\n`);
    seen.add(id);
  }
  response.writeHead(204).end();
});
server.listen(Number(port), () => console.log(`Listening on port ${server.address().port}`));
