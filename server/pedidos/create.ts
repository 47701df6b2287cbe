import { randomBytes, randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { writableOf, writes } from '../../contract/pedidos.access.ts';
import { EDITABLE_FIELDS, type EditableField, FIELDS, type PedidoFieldName, pedidoField } from '../../contract/pedidos.fields.ts';
import { LINEA_FIELDS, type LineaInput } from '../../contract/pedidos.lineas.ts';
import type { CreatePedido } from '../../contract/pedidos.ts';
import { type Actor, type Caller, personIdOf } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { invalid } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { blockedBecause, refuseBlocked } from './cliente.ts';
import { tracesOf } from './history.ts';
import { moveUnits, readLines, rowsOf } from './lineas.ts';
import { NEXT_NUMBER, refuseTaken } from './numbers.ts';
import { type Prices, priceOrder, readPrices } from './price.ts';
import { instantOf, promised } from './promised.ts';
import { COLUMNS, columnOf, findPedido, type PedidoRow, type StoredPedido } from './row.ts';
import { refuseSealed } from './sealed.ts';

/** Creates an order; number, price and stock are settled here, in one transaction. */
export const createPedido = (db: Db, actor: Caller, input: CreatePedido): Promise<PedidoRow> =>
  transact(db, (tx) => insert(tx, actor, input));

/** Creates a pendiente order with the same customer and lines, packs at today's price. Throws 409 when its customer's data is out. */
export async function duplicatePedido(db: Db, actor: Actor, id: string): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const from = await findPedido(tx, actor, id);
    refuseSealed(from, 'duplicar');
    const lines = await readLines(tx, id);
    return insert(
      tx,
      actor,
      {
        ...copyOf<CreatePedido>(from, FIELDS),
        estado: 'pendiente',
        // Reckoned again, unless somebody set it.
        ...(!from.envio_fijado && { envio: null }),
        pack_id: null,
        lineas: lines.map((line) => copyOf<LineaInput>(line, LINEA_FIELDS)),
      },
      `Duplicado de ${from.numero_orden}`,
    );
  });
}

/** The fields of these that «Duplicar» copies, amounts in euros; the others are empty. */
const copyOf = <I extends CreatePedido | LineaInput>(from: object, names: readonly PedidoFieldName[]) =>
  Object.fromEntries(
    names.map((name) => {
      const { copied, kind } = pedidoField(name);
      const value = (from as Record<string, unknown>)[columnOf(name)];
      return [name, !copied ? null : kind === 'money' ? toEuros(value as number) : value];
    }),
  ) as I;

async function insert(tx: Tx, actor: Actor, input: CreatePedido, accion = 'Pedido creado'): Promise<PedidoRow> {
  const reseller = await resellerOf(tx, sellerOf(actor, input.revendedor_id));
  const { numero, ...prices } = await readPrices(tx, [input], reseller?.id ?? null, NEXT_NUMBER);
  const { id, values, lines } = buildOrder(actor, input, { reseller, prices, numero });
  const traces = tracesOf(tx, actor, { accion, action: 'create' }, null, { ...values, deleted_at: null } as StoredPedido);
  const { wanted, told, ...row } = await traces.with
    .with('lineas', (query) => query.insertInto('pedidos_lineas').values(rowsOf(id, lines)))
    .insertInto('pedidos')
    .values(values)
    .returning([...COLUMNS, blockedBecause.as('bloqueado'), ...traces.answer])
    .executeTakeFirstOrThrow()
    .catch(refuseTaken(writes(actor, 'numero_orden') && !!input.numero_orden));
  refuseBlocked(actor, row);
  await traces.send({ wanted, told }, row);
  await moveUnits(tx, actor, id, [[], lines], { motivo: 'pedido', single: !input.lineas });
  return row;
}

/** In whose name the actor orders: whom a superadmin names, anybody else in their own. */
export const sellerOf = (actor: Actor, named: string | null | undefined): string | null =>
  (writes(actor, 'revendedor_id') ? named : personIdOf(actor)) ?? null;

type Reseller = { id: string; full_name: string } | null;

type Given = { reseller: Reseller; prices: Prices; numero: string | RawBuilder<string> };

/** A new order as it is stored, with its lines; `numero` is its number unless it is given one. Throws 422 for what cannot be ordered. */
export function buildOrder(actor: Actor, given: CreatePedido, { reseller, prices, numero }: Given) {
  const input = writableOf(actor, given);
  const estado = input.estado ?? (writes(actor, 'estado') ? 'pendiente' : 'pendiente_pago');
  if (estado !== 'pendiente' && estado !== 'pendiente_pago')
    throw invalid('estado', 'Un pedido nuevo empieza pendiente o pendiente de pago');
  const { lines, summary, envio_fijado } = priceOrder(prices, actor, input);
  const id = randomUUID();
  const promise = instantOf(input.fecha_estimada);
  const values = {
    id,
    numero_orden: input.numero_orden || numero,
    revendedor_id: reseller?.id ?? null,
    revendedor_nombre: reseller?.full_name ?? null,
    transportista_id: null,
    transportista_nombre: null,
    ...editablesOf(input),
    ...summary,
    envio_fijado,
    estado,
    fecha_pedido: instantOf(input.fecha_pedido) ?? sql<string>`now()`,
    fecha_estimada: promise ?? (estado === 'pendiente' ? promised() : null),
    fecha_estimada_fijada: promise !== null,
    // 256 bits: the secret address is all that protects the page.
    pago_token: randomBytes(32).toString('base64url'),
  } as const;
  return { id, values, lines };
}

const editablesOf = (input: CreatePedido) =>
  Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, input[name]])) as Pick<CreatePedido, EditableField>;

/** The reseller in whose name an order is made; null for none. Throws 422 for who is not one. */
export async function resellerOf(tx: Tx, id: string | null): Promise<Reseller> {
  if (!id) return null;
  return (
    tx
      .selectFrom('users')
      .select(['id', 'full_name'])
      .where('id', '=', id)
      .where('role', '=', 'revendedor')
      .where('deleted_at', 'is', null)
      // Holds off a rename until this order exists and can be renamed with the others.
      .forShare()
      .executeTakeFirstOrThrow(() => invalid('revendedor_id', 'Ese revendedor no existe'))
  );
}
