import { sql } from 'kysely';
import { rolesOf } from '../../contract/policy/policy.ts';
import { zonaOf } from '../../contract/zonas/zonas.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { inEuros } from '../kit/money.ts';
import { decrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { readSettings } from '../settings/settings.ts';
import { createFromShop, hasWrongNif } from './create.ts';
import { follow, type Marks, marksOf } from './follow.ts';
import type { WebOrder } from './order.ts';

type Outcome = { estado: 'creado' | 'por_revisar' | 'ignorado'; motivo?: string; pedido_id?: string; aviso?: string | null; keeps?: true };
type Row = { id: string; contenido: string | null; pedido_id: string | null; marcas: Record<string, string> | null; aviso: string | null };

/** Processes received orders, oldest first; several instances share the work. Throws the first unexpected error, after all orders. */
export async function readReceived(db: Db, secretKey: string): Promise<void> {
  const broken = new Map<string, unknown>();
  for (;;) {
    const id = await nextReceived(db, [...broken.keys()]);
    if (!id) break;
    await readOne(db, secretKey, id).catch((error: unknown) => broken.set(id, error));
  }
  for (const error of broken.values()) throw error;
}

async function nextReceived(db: Db, without: string[]): Promise<string | undefined> {
  const row = await db
    .selectFrom('tienda_pedidos')
    .select('id')
    .where('estado', '=', 'recibido')
    .where('id', '<>', sql<string>`ALL (${without}::uuid[])`)
    .orderBy('recibido_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Creates or updates one order. If the rules refuse the order, stores the refusal, about which a person decides. */
async function readOne(db: Db, secretKey: string, id: string): Promise<void> {
  try {
    await transact(db, async (tx) => {
      const row = await lockReceived(tx, id);
      if (!row?.contenido) return;
      const order = JSON.parse(decrypt(secretKey, row.contenido)) as WebOrder;
      const marks = marksOf(order, secretKey);
      await conclude(tx, row, order, row.pedido_id ? await followed(tx, row, order, marks) : await outcomeOf(tx, order), marks);
    });
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500) throw error;
    await transact(db, async (tx) => {
      const row = await lockReceived(tx, id);
      if (!row?.contenido) return;
      const order = JSON.parse(decrypt(secretKey, row.contenido)) as WebOrder;
      const told: Outcome = row.pedido_id
        ? {
            estado: 'creado',
            pedido_id: row.pedido_id,
            aviso: `La tienda ha enviado un cambio y no se ha podido hacer: ${error.body.message}`,
          }
        : { estado: 'por_revisar', motivo: error.body.message, keeps: true };
      await conclude(tx, row, order, told, marksOf(order, secretKey));
    });
  }
}

const lockReceived = (tx: Tx, id: string): Promise<Row | undefined> =>
  tx
    .selectFrom('tienda_pedidos')
    .select(['id', 'contenido', 'pedido_id', 'marcas', 'aviso'])
    .where('id', '=', id)
    .where('estado', '=', 'recibido')
    .forUpdate()
    .executeTakeFirst();

async function outcomeOf(tx: Tx, order: WebOrder): Promise<Outcome> {
  const { situacion } = order;
  if (situacion === undefined)
    return { estado: 'por_revisar', motivo: `No se conoce el estado «${order.estado}» de la tienda`, keeps: true };
  if (situacion === 'espera') return { estado: 'ignorado', motivo: 'La tienda todavía espera el pago' };
  if (situacion === 'cancelado') return { estado: 'ignorado', motivo: 'Cancelado en la tienda' };
  if (situacion === 'terminado')
    return { estado: 'por_revisar', motivo: 'La tienda ya lo da por terminado: descártalo si ya se ha entregado', keeps: true };
  const { id } = await createFromShop(tx, order);
  // The shop's own gateway made the refund, so no payment here shows the refund.
  const told = [
    order.devuelto_cents > 0 && `La tienda ya había reembolsado ${inEuros(order.devuelto_cents)} de este pedido`,
    order.envio_cents === 0 && !zonaOf(order.cliente) && `El envío a ${order.cliente.cliente_pais} es de 0 € en la tienda`,
    // A business without VAT needs no NIF.
    hasWrongNif(order) && (await readSettings(tx)).iva && `El NIF de la tienda no es válido: ${order.cliente.cliente_nif}`,
  ].filter(Boolean);
  return { estado: 'creado', pedido_id: id, aviso: told.join('. ') || null };
}

async function followed(tx: Tx, row: Row, order: WebOrder, marks: Marks): Promise<Outcome> {
  const told = await follow(tx, row.pedido_id as string, order, (row.marcas ?? marks) as Marks, marks);
  return { estado: 'creado', pedido_id: row.pedido_id as string, aviso: told ?? row.aviso };
}

/** Stores the outcome of a message, and notifies the office if a person must decide. */
async function conclude(tx: Tx, row: Row, order: WebOrder, outcome: Outcome, marks: Marks): Promise<void> {
  const { estado, motivo = null, pedido_id = null, aviso = null, keeps } = outcome;
  await tx
    .updateTable('tienda_pedidos')
    .set({
      estado,
      motivo,
      pedido_id,
      aviso,
      marcas: JSON.stringify(marks),
      ...(!keeps && { contenido: null }),
      updated_at: sql`now()`,
    })
    .where('id', '=', row.id)
    .execute();
  emit(tx, { topic: 'tienda', roles: rolesOf('tienda:manage') });
  const says = estado === 'por_revisar' ? motivo : aviso !== row.aviso ? aviso : null;
  if (!says) return;
  await notify(tx, {
    tipo: 'tienda_por_revisar',
    texto: `Pedido ${order.numero} de la tienda: ${says}`,
    roles: ['superadmin'],
    enlace: '/tienda',
    mail: true,
    ...(pedido_id && { pedido_id }),
  });
}
