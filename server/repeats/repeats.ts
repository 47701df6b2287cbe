import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type EndpointDef, honoursKey } from '../../contract/kit/endpoint.ts';
import { type Db, type Tx, whileFirstTransaction } from '../db/open.ts';
import { DomainError, invalid } from '../kit/errors.ts';
import { decrypt, encrypt } from '../kit/secrets.ts';

/** Milliseconds a repeat waits for the first response. */
export const PATIENCE = 8000;
const LOOK_MS = 100;

/** Thrown to roll back a request whose key is taken. */
class Taken extends Error {}

type Call = { who: string; key: string; hash: string };

/** Makes the endpoints registered afterwards honour `Idempotency-Key`, or refuse it. */
export function installRepeats(app: FastifyInstance, db: Db, secretKey: string): void {
  app.decorate('checkKey', checkKey);
  app.decorate('withIdempotencyKey', (request, work, caller) => {
    const { method, headers, actor } = request;
    const key = caller?.key ?? headers['idempotency-key'];
    const who = caller?.who ?? actor?.id;
    return method !== 'GET' && typeof key === 'string' && who ? withIdempotencyKey(db, secretKey, request, { who, key }, work) : work();
  });
}

function checkKey({ headers }: FastifyRequest, endpoint: EndpointDef): void {
  const key = headers['idempotency-key'];
  // Reads ignore the header, and so do signed requests: payment providers and web shops can send a key for their own use.
  if (key === undefined || endpoint.method === 'GET' || endpoint.action === 'signed') return;
  if (!honoursKey(endpoint)) throw new DomainError(400, 'Esta operación no admite Idempotency-Key', { code: 'idempotency_unsupported' });
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,200}$/.test(key))
    throw invalid('Idempotency-Key', 'Idempotency-Key debe tener entre 8 y 200 caracteres visibles');
}

/** A refusal that has counted towards a limit, stored like a response. */
type Refusal = { refusal$: { status: number; body: DomainError['body'] } };

/** Returns the stored answer, or throws the stored refusal. */
function replay(secretKey: string, sealed: string) {
  const answer = JSON.parse(decrypt(secretKey, sealed));
  if (!answer?.refusal$) return answer;
  const { status, body } = (answer as Refusal).refusal$;
  throw new DomainError(status, body.message, { ...body, counted: true });
}

/** Runs `work` once per caller and key; repeats get its response. Throws 422 for another request, 409 while the response is unknown. */
async function withIdempotencyKey<A>(
  db: Db,
  secretKey: string,
  request: FastifyRequest,
  { who, key }: Pick<Call, 'who' | 'key'>,
  work: () => Promise<A>,
): Promise<A> {
  const { method, url, body } = request;
  const hash = createHash('sha256')
    .update(JSON.stringify([method, url, Buffer.isBuffer(body) ? body.toString('base64') : (body ?? null)]))
    .digest('base64url');
  const call: Call = { who, key, hash };
  // Also inserts the key, because work without a transaction has stored none.
  // The work is done, so failing to store the response must not fail the request.
  const store = (answer: unknown) =>
    storeAnswer(db, call, encrypt(secretKey, JSON.stringify(answer))).catch((error: unknown) => request.log.error(error));
  if (await find(db, call)) return replay(secretKey, await answerOf(db, call));
  try {
    const answer = await whileFirstTransaction((tx) => take(tx, call), work);
    await store(answer);
    return answer;
  } catch (error) {
    if (error instanceof Taken) return replay(secretKey, await answerOf(db, call));
    if (error instanceof DomainError && error.counted) {
      await store({ refusal$: { status: error.status, body: error.body } } satisfies Refusal);
      throw error;
    }
    const refused = error instanceof DomainError && error.status < 500;
    if (!refused) throw error;
    // A repeat can be refused because the first request succeeded: a cancelled order cannot be cancelled again.
    const sealed = await find(db, call);
    if (sealed?.respuesta && sealed.body_hash === hash) return replay(secretKey, sealed.respuesta);
    if (sealed?.body_hash === hash)
      await db.deleteFrom('idempotency_keys').where('actor_id', '=', call.who).where('key', '=', key).execute();
    throw error;
  }
}

async function take(tx: Tx, { who, key, hash }: Call): Promise<void> {
  // Waits for the transaction of another request with the key.
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values({ actor_id: who, key, body_hash: hash })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirstOrThrow()
    .catch((error: { code?: string }) => {
      // Statement timeout: the other request is still running.
      throw error.code === '57014' ? goesOn() : error;
    });
  if (!numInsertedOrUpdatedRows) throw new Taken();
}

// Commits asynchronously: after a crash the key can remain without its response.
async function storeAnswer(db: Db, { who, key, hash }: Call, sealed: string): Promise<void> {
  await sql`
    INSERT INTO idempotency_keys AS k (actor_id, key, body_hash, respuesta)
    SELECT ${who}::uuid, ${key}, ${hash}, ${sealed} WHERE set_config('synchronous_commit', 'off', true) = 'off'
    ON CONFLICT (actor_id, key) DO UPDATE SET respuesta = excluded.respuesta WHERE k.body_hash = excluded.body_hash`.execute(db);
}

const find = (db: Db, { who, key }: Call) =>
  db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'respuesta'])
    .where('actor_id', '=', who)
    .where('key', '=', key)
    .executeTakeFirst();

async function answerOf(db: Db, call: Call): Promise<string> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const known = await find(db, call);
    if (known && known.body_hash !== call.hash)
      throw new DomainError(422, 'Esta Idempotency-Key ya se usó para otra petición', { code: 'idempotency' });
    if (known?.respuesta) return known.respuesta;
    if (known?.respuesta === WITHDRAWN || Date.now() > until) throw goesOn();
    await wait(LOOK_MS);
  }
}

const goesOn = () =>
  new DomainError(
    409,
    'Esta petición ya se hizo o se está haciendo, y no se sabe su respuesta. Comprueba el resultado antes de repetirla.',
    { code: 'idempotency_unknown', headers: { 'retry-after': '5' } },
  );

/** Stored in place of a withdrawn response. A null response can still come. */
const WITHDRAWN = '';

/** Deletes stored responses, which may hold personal data; keys stay, to prevent repeats. */
export async function withdrawAnswers(tx: Tx): Promise<void> {
  await tx.updateTable('idempotency_keys').set({ respuesta: WITHDRAWN }).where('respuesta', 'is not', null).execute();
}

/** Deletes keys after eight days, the term set for retries of a carrier's steps (decisions 042 and 063). */
export async function deleteOldKeys(db: Db): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE created_at < now() - interval '8 days'`.execute(db);
}
