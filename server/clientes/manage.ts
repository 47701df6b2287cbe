import { type Selectable, sql, type Updateable } from 'kysely';
import type { bloquearCliente, ClienteEntero, unirCliente, updateCliente } from '../../contract/clientes/clientes.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import { type Actor, type ClienteAction, mayEver } from '../../contract/policy/policy.ts';
import type { CambioCliente } from '../../contract/webhooks/fields.ts';
import { audit } from '../audit/audit.ts';
import { type Db, isRetryable, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { invalid, notFound, refuseStale } from '../kit/errors.ts';
import { isSameMetadata, mergeMetadata } from '../kit/metadata.ts';
import { emit } from '../live/emit.ts';
import { inLockOrder, lockJoining } from '../pedidos/lectura/cliente.ts';
import { queueWebhooks } from '../webhooks/queue.ts';
import { allowedClientes, readCliente } from './clientes.ts';

type Row = Selectable<Tables['clientes']>;

/** Saves a customer's note, the «call first» flag and the given metadata keys. Throws 404 outside the actor's scope, 409 for a stale version. */
export async function editCliente(db: Db, actor: Actor, id: string, input: BodyOut<typeof updateCliente>): Promise<ClienteEntero> {
  const { version, metadata: changes, ...fields } = input;
  return transact(db, async (tx) => {
    const row = await lock(tx, actor, 'cliente:manage', id);
    refuseStale(row, version, 'este cliente');
    if (row.nota !== fields.nota || row.avisar_antes !== fields.avisar_antes) {
      await write(tx, [id], fields);
      await record(tx, actor, row, 'nota', 'Nota de un cliente cambiada', {
        antes: { avisar_antes: row.avisar_antes },
        despues: { avisar_antes: fields.avisar_antes },
      });
    }
    const metadata = mayEver(actor, 'cliente:metadata') ? mergeMetadata(row.metadata, changes) : row.metadata;
    if (!isSameMetadata(row.metadata, metadata)) {
      await write(tx, [id], { metadata });
      await record(tx, actor, row, 'metadata', 'Datos de programas de un cliente cambiados', {});
    }
    return readCliente(tx, actor, id);
  });
}

/** Blocks a customer and all joined records; null unblocks. Throws 404. */
export const blockCliente = async (db: Db, actor: Actor, id: string, { motivo }: BodyOut<typeof bloquearCliente>): Promise<ClienteEntero> =>
  transact(db, async (tx) => {
    const row = await lock(tx, actor, 'cliente:block', id);
    const members = await lockGroups(tx, [row.principal]);
    await write(
      tx,
      members.map((member) => member.id),
      { bloqueado_motivo: motivo },
    );
    await record(tx, actor, row, 'bloqueo', motivo === null ? 'Cliente desbloqueado' : 'Cliente bloqueado', {});
    return readCliente(tx, actor, id);
  });

/** Joins a customer to `id`; each record keeps its orders, note and block. Throws 404, 422 for a customer of another seller or already joined. */
export const joinCliente = async (db: Db, actor: Actor, id: string, { cliente_id }: BodyOut<typeof unirCliente>): Promise<ClienteEntero> =>
  transact(db, async (tx) => {
    const { revendedor_id } = await find(tx, actor, 'cliente:manage', id);
    await lockJoining(tx, revendedor_id);
    const [main, other] = await findBoth(tx, actor, id, cliente_id);
    if (other.revendedor_id !== main.revendedor_id) throw invalid('cliente_id', 'Solo se unen clientes del mismo vendedor');
    const members = await lockGroups(tx, [main.principal, other.principal]);
    const groupOf = (customer: string) => members.find((member) => member.id === customer)?.principal;
    const [principal, joining] = [groupOf(id), groupOf(cliente_id)];
    // A concurrent change moved one of the customers to another group.
    if (!principal || !joining) throw isRetryable(new Error('a customer has moved'));
    if (principal === joining) throw invalid('cliente_id', 'Ya es el mismo cliente');
    const joined = await tx
      .updateTable('clientes')
      .set({ unido_a: principal, updated_at: sql`now()` })
      .where('principal', '=', joining)
      .returning('id')
      .execute();
    const ids = joined.map((member) => member.id);
    await countAgain(tx, [principal, ...ids]);
    await record(tx, actor, { ...main, principal }, 'union', 'Clientes unidos', { despues: { unidos: ids } });
    return readCliente(tx, actor, id);
  });

async function findBoth(tx: Tx, actor: Actor, id: string, other: string): Promise<[Found, Found]> {
  const rows = await allowedClientes(tx, actor, 'cliente:manage')
    .select(['c.id', 'c.principal', 'c.revendedor_id'])
    .where('c.id', 'in', [id, other])
    .execute();
  const [main, joining] = [id, other].map((wanted) => rows.find((row) => row.id === wanted));
  if (!main) throw notFound();
  if (!joining) throw invalid('cliente_id', 'Ese cliente no existe');
  return [main, joining];
}
type Found = Pick<Row, 'id' | 'principal' | 'revendedor_id'>;

/** Separates a joined record and returns its former main customer. Throws 404 outside the actor's scope, 422 for a record that is not joined. */
export const separateCliente = async (db: Db, actor: Actor, id: string): Promise<ClienteEntero> =>
  transact(db, async (tx) => {
    const row = await lock(tx, actor, 'cliente:manage', id);
    if (!row.unido_a) throw invalid('id', 'Este cliente no está unido a otro');
    await tx.updateTable('clientes').set({ unido_a: null, updated_at: sql`now()` }).where('id', '=', id).execute();
    await countAgain(tx, [row.unido_a, id]);
    await record(tx, actor, row, 'separacion', 'Cliente separado', { antes: { unido_a: row.unido_a } });
    return readCliente(tx, actor, row.unido_a);
  });

async function lock(tx: Tx, actor: Actor, action: ClienteAction, id: string): Promise<Row> {
  const { revendedor_id } = await find(tx, actor, action, id);
  await lockJoining(tx, revendedor_id);
  const { principal } = await find(tx, actor, action, id);
  const locked = (await lockGroups(tx, [principal])).find((member) => member.id === id);
  if (!locked) throw isRetryable(new Error('a customer has moved'));
  return locked;
}

async function find(tx: Tx, actor: Actor, action: ClienteAction, id: string): Promise<Found> {
  const found = await allowedClientes(tx, actor, action)
    .select(['c.id', 'c.principal', 'c.revendedor_id'])
    .where('c.id', '=', id)
    .executeTakeFirst();
  if (!found) throw notFound();
  return found;
}

const lockGroups = (tx: Tx, principals: readonly string[]): Promise<Row[]> =>
  inLockOrder(tx).selectAll().where('principal', 'in', principals).execute();

const write = (
  tx: Tx,
  ids: string[],
  set: Updateable<Pick<Tables['clientes'], 'nota' | 'avisar_antes' | 'bloqueado_motivo' | 'metadata'>>,
) =>
  tx
    .updateTable('clientes')
    .set({ ...set, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', 'in', ids)
    .execute();

export const countAgain = (tx: Tx, ids: string[]) => sql`SELECT contar_clientes(${ids}::uuid[])`.execute(tx);

/** Audits a change without name or note, because the log is append-only, and queues webhooks with the customer's id. */
async function record(
  tx: Tx,
  actor: Actor,
  { id, principal, revendedor_id }: Found,
  cambio: CambioCliente,
  description: string,
  sides: { antes?: object; despues?: object },
) {
  await audit(tx, actor, { type: 'pedido', action: 'update', entity_type: 'cliente', entity_id: id, description, ...sides } as Parameters<
    typeof audit
  >[2]);
  const carriers = await tx
    .selectFrom('pedidos')
    .select('transportista_id')
    .distinct()
    .where('cliente_id', 'in', tx.selectFrom('clientes').select('id').where('principal', '=', principal))
    .where('estado', 'in', EN_MANOS)
    .execute();
  // equivalent nothing: nobody has the id null
  const users = [revendedor_id, ...carriers.map(({ transportista_id }) => transportista_id)].filter((user) => user !== null);
  emit(tx, { topic: 'pedidos', roles: ['superadmin'], users });
  const ids = cambio === 'separacion' ? [principal, id] : [principal];
  await queueWebhooks(tx, ['cliente.modificado'], () => ids.map((clienteId) => ({ cliente: { id: clienteId, cambio } })));
}
