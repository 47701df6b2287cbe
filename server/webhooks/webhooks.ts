import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, can, mayEver, ofEverybody, programIdOf, rolesOf } from '../../contract/policy/policy.ts';
import { eventAction, TEST_EVENT, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/webhooks/fields.ts';
import type * as api from '../../contract/webhooks/webhooks.ts';
import { MAX_WEBHOOKS, MAX_WEBHOOKS_OF_KEY, type Webhook } from '../../contract/webhooks/webhooks.ts';
import { findProgramById } from '../api-keys/api-keys.ts';
import { audit, changedValues } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import type { Config } from '../kit/config.ts';
import { conflict, invalid, nextVersion, notFound, refuseStale } from '../kit/errors.ts';
import { urlRefusal } from '../kit/post.ts';
import { encrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notifySuperadmins } from '../notifications/notify.ts';
import { abandonMessages } from '../outbox/outbox.ts';

type Options = Pick<Config, 'secretKey' | 'webhooksPrivate'>;
type Row = Selectable<Tables['webhooks']>;
/** `secreto` is shown only once. */
type WithSecret = { webhook: Webhook; secreto: string };

const selectWebhooks = (db: Db | Tx) =>
  db
    .selectFrom('webhooks as w')
    .leftJoin('api_keys as k', 'k.id', 'w.api_key_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('outbox as o')
          .select([
            sql<number>`count(*) FILTER (WHERE sent_at IS NULL AND failed_at IS NULL)`.as('esperando'),
            sql<number>`count(*) FILTER (WHERE sent_at IS NULL AND failed_at IS NOT NULL AND payload->>'tipo' <> ${TEST_EVENT})`.as(
              'fallidas',
            ),
          ])
          .where('o.channel', '=', 'webhook')
          .where('o.recipient', '=', sql<string>`w.id::text`)
          .as('d'),
      (join) => join.onTrue(),
    )
    .select(['w.id', 'w.url', 'w.descripcion', 'w.eventos', 'w.con_precios', 'w.is_active', 'w.created_at', 'w.version'])
    .select(
      sql<Webhook['clave']>`CASE WHEN k.id IS NOT NULL THEN json_build_object('nombre', k.nombre, 'activa',
        k.revocada_at IS NULL AND (k.caduca_at IS NULL OR k.caduca_at > now())) END`.as('clave'),
    )
    .select((eb) => [eb.ref('d.esperando').$notNull().as('esperando'), eb.ref('d.fallidas').$notNull().as('fallidas')]);

/** Returns the webhooks that `actor` may manage, oldest first. */
export const listWebhooks = (db: Db, actor: Actor): Promise<Webhook[]> =>
  selectWebhooks(db)
    .$if(!ofEverybody(actor, 'webhook:manage'), (query) => query.where('w.api_key_id', '=', actor.id))
    .orderBy('w.created_at')
    .orderBy('w.id')
    .execute();

const readWebhook = (tx: Tx, id: string): Promise<Webhook> => selectWebhooks(tx).where('w.id', '=', id).executeTakeFirstOrThrow();

/** Creates a webhook, owned by `actor` if a program. Throws 422 for a refused address or data that the program may not see, 409 beyond the limit. */
export async function createWebhook(db: Db, actor: Actor, input: BodyOut<typeof api.createWebhook>, options: Options): Promise<WithSecret> {
  refuseAddress(input.url, options);
  refuseBeyond(actor, input);
  return transact(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('webhooks', 0))`.execute(tx);
    const api_key_id = programIdOf(actor);
    const { count, own } = await tx
      .selectFrom('webhooks')
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        sql<number>`count(*) FILTER (WHERE api_key_id = ${api_key_id}::uuid)`.as('own'),
      ])
      .executeTakeFirstOrThrow();
    if (count >= MAX_WEBHOOKS) throw conflict(`Como máximo ${MAX_WEBHOOKS} webhooks`, 'limit_reached');
    if (own >= MAX_WEBHOOKS_OF_KEY) throw conflict(`Como máximo ${MAX_WEBHOOKS_OF_KEY} webhooks de una clave`, 'limit_reached');
    const [secreto, sealed] = newSecret(options);
    const values = { ...input, eventos: inOrder(input.eventos) };
    const { id } = await tx
      .insertInto('webhooks')
      .values({ ...values, secreto: sealed, api_key_id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await note(tx, actor, 'create', { id, url: input.url }, 'Webhook creado', { despues: logged(values) });
    await notifyAddress(tx, actor, input.url, 'ha creado un webhook hacia');
    return { webhook: await readWebhook(tx, id), secreto };
  });
}

/** Edits a webhook; deactivating it gives up pending deliveries. Throws 404, 409 for a stale version, 422 like `createWebhook`. */
export async function updateWebhook(
  db: Db,
  actor: Actor,
  { id, version, ...fields }: BodyOut<typeof api.updateWebhook> & { id: string },
  options: Options,
): Promise<Webhook> {
  if (fields.url !== undefined) refuseAddress(fields.url, options);
  return transact(db, async (tx) => {
    const before = await lock(tx, actor, id);
    if (before.api_key_id) refuseBeyond(await ownerOf(tx, before.api_key_id), fields);
    refuseStale(before, version, 'este webhook');
    if (fields.is_active && !before.secreto) throw invalid('is_active', 'Pulsa antes «Cambiar el secreto»: el que tenía se ha perdido');
    const values = { ...fields, ...(fields.eventos && { eventos: inOrder(fields.eventos) }) };
    const changed = changedValues(logged(before), logged(values));
    await tx
      .updateTable('webhooks')
      .set({ ...values, ...nextVersion(before, changed.despues) })
      .where('id', '=', id)
      .execute();
    if (fields.is_active === false) await abandonMessages(tx, OFF, 'webhook', id);
    await note(tx, actor, 'update', { id, url: fields.url ?? before.url }, 'Webhook actualizado', changed);
    if (fields.url !== undefined && 'url' in changed.despues)
      await notifyAddress(tx, actor, fields.url, 'ha cambiado la dirección de un webhook a');
    return readWebhook(tx, id);
  });
}

const OFF = 'El webhook se ha desactivado';

/** Deactivates a locked webhook and gives up its pending deliveries. */
export async function deactivateWebhook(tx: Tx, actor: Actor, row: Row): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ is_active: false, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  await abandonMessages(tx, OFF, 'webhook', row.id);
  const changed = changedValues({ is_active: true }, { is_active: false });
  await note(tx, actor, 'update', row, 'Webhook desactivado porque su dirección ha respondido 410', changed);
}

/** Deletes a webhook; the job drops its pending deliveries. Throws 404. */
export async function deleteWebhook(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lock(tx, actor, id);
    await tx.deleteFrom('webhooks').where('id', '=', id).execute();
    await note(tx, actor, 'delete', row, 'Webhook eliminado', { antes: logged(row) });
  });
}

/** Replaces the secret with which a webhook's messages are signed. Throws 404. */
export const changeSecret = async (db: Db, actor: Actor, id: string, options: Options): Promise<WithSecret> =>
  transact(db, async (tx) => {
    const row = await lock(tx, actor, id);
    const [secreto, sealed] = newSecret(options);
    await tx
      .updateTable('webhooks')
      .set({ secreto: sealed, version: row.version + 1 })
      .where('id', '=', id)
      .execute();
    await note(tx, actor, 'update', row, 'Secreto de webhook cambiado', { despues: { secreto: '(secreto)' } });
    return { webhook: await readWebhook(tx, id), secreto };
  });

async function lock(tx: Tx, actor: Actor, id: string): Promise<Row> {
  const row = await tx.selectFrom('webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row || !can(actor, 'webhook:manage', row)) throw notFound();
  return row;
}

async function ownerOf(tx: Tx, keyId: string): Promise<Actor> {
  const owner = await findProgramById(tx, keyId);
  if (!owner) throw conflict('La clave que lo creó ya no vale: elimínalo');
  return owner;
}

/** Throws 422 for events or prices that the webhook's owner may not see. */
function refuseBeyond(owner: Actor, { eventos = [], con_precios }: { eventos?: readonly WebhookEvent[]; con_precios?: boolean }): void {
  const hidden = eventos.filter((name) => !mayEver(owner, eventAction(name))).map((name) => `«${WEBHOOK_EVENTS[name]}»`);
  if (hidden.length) throw invalid('eventos', `La clave no puede leer ${new Intl.ListFormat('es').format(hidden)}`);
  if (con_precios && !mayEver(owner, 'pedido:prices')) throw invalid('con_precios', 'La clave no puede ver importes');
}

function refuseAddress(url: string, { webhooksPrivate }: Options): void {
  const refusal = webhooksPrivate ? undefined : urlRefusal(url);
  if (refusal) throw invalid('url', refusal);
}

function newSecret({ secretKey }: Options): [string, string] {
  const secreto = `whsec_${randomBytes(32).toString('base64')}`;
  return [secreto, encrypt(secretKey, secreto)];
}

const inOrder = (events: readonly WebhookEvent[]) => WEBHOOK_EVENT_NAMES.filter((name) => events.includes(name));

const logged = ({ url, descripcion, eventos, con_precios, is_active }: Partial<Row>) => ({
  url,
  descripcion,
  eventos: eventos?.join(', '),
  con_precios,
  is_active,
});

const notifyAddress = (tx: Tx, actor: Actor, url: string, what: string) =>
  notifySuperadmins(tx, actor, 'webhook_creado', `${actor.full_name} ${what} ${new URL(url).host}`, '/configuracion?tab=integrations');

async function note(
  tx: Tx,
  actor: Actor,
  action: 'create' | 'update' | 'delete',
  { id, url }: Pick<Row, 'id' | 'url'>,
  what: string,
  sides: { antes?: Record<string, unknown>; despues?: Record<string, unknown> },
) {
  const description = `${what}: ${new URL(url).host}`;
  await audit(tx, actor, { action, entity_type: 'webhook', entity_id: id, description, ...sides });
  emit(tx, { topic: 'webhooks', roles: rolesOf('webhook:manage') });
}
