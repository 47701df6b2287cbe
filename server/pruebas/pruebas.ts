import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import { sql } from 'kysely';
import { sees } from '../../contract/pedidos/access.ts';
import { type Actor, can } from '../../contract/policy/policy.ts';
import type { TipoPrueba } from '../../contract/pruebas/fields.ts';
import { hasMetadata } from '../../contract/pruebas/jpeg.ts';
import type { Entrega, Prueba } from '../../contract/pruebas/pruebas.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Anunciada } from '../db/schema.ts';
import { FileChanged, type Files } from '../files/store.ts';
import { conflict, DomainError, invalid, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { COLUMNS as COLUMNS_OF_PEDIDO, findPedido, lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { readEntrega } from '../pedidos/pruebas/entrega.ts';
import { FILES, limitRate } from '../repeats/bounds.ts';

const TYPES = {
  firma: { kind: 'png', extension: 'png', mime: 'image/png' },
  foto: { kind: 'jpg', extension: 'jpg', mime: 'image/jpeg' },
} as const;
const MAX_PIXELS = 4096;
const COLUMNS = ['id', 'tipo', 'sha256', 'bytes', 'created_at', 'fichero', 'retirada_at'] as const;

type Stored = {
  id: string;
  tipo: TipoPrueba;
  sha256: string;
  bytes: number;
  created_at: string;
  fichero: string | null;
  retirada_at: string | null;
};

/** Name of a proof's file in the store; contains the checksum, so that a retry overwrites its own file. */
export const proofFileName = (pedido_id: string, { tipo, sha256 }: Anunciada): string => `${pedido_id}/${sha256}.${TYPES[tipo].extension}`;

/** Stores a file that a step announced. Throws 404, 409 unless announced, 422 unless the bytes are of the announced kind, 429, 503. */
export async function addPrueba(db: Db, files: Files, actor: Actor, id: string, bytes: Buffer): Promise<Prueba> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const pedido = provable((await announcedByOwn(db, actor, id, sha256)) ?? (await ofCarrier(actor, findPedido(db, actor, id))));
  const announced = await announcedBy(db, id, sha256);
  check(bytes, announced.tipo);
  const fichero = proofFileName(id, announced);
  // Stores the file before its row, so that no row names a missing file. A retry overwrites a leftover of the same name.
  await files.put(fichero, bytes).catch((cause: unknown) => {
    throw new DomainError(503, 'No se puede guardar la prueba ahora: se volverá a intentar', { cause, headers: { 'retry-after': '60' } });
  });
  return transact(db, async (tx) => {
    const row = provable((await announcedByOwn(tx, actor, id, sha256)) ?? (await ofCarrier(actor, lockPedido(tx, actor, id))));
    const { tipo, refused } = await announcedBy(tx, id, sha256);
    if (refused && !(await isNamed(tx, fichero))) await limitRate(tx, FILES, actor.id ?? id, TOO_MANY_BYTES, bytes.length);
    await tx
      .insertInto('pruebas')
      .values({ pedido_id: id, tipo, sha256, bytes: bytes.length, fichero })
      .onConflict((at) => at.columns(['pedido_id', 'sha256']).doNothing())
      .execute();
    const users = [row.revendedor_id, row.transportista_id].filter((user) => user !== null);
    emit(tx, { topic: 'pedidos', roles: ['superadmin'], users });
    const stored = await tx
      .selectFrom('pruebas')
      .select(COLUMNS)
      .where('pedido_id', '=', id)
      .where('sha256', '=', sha256)
      .executeTakeFirstOrThrow();
    return shown(actor, pedido, stored);
  }).catch(async (error: unknown) => {
    // Deletes the file now: no row names it, so `deleteWithdrawn` would never find it.
    if (error instanceof DomainError && !(await isNamed(db, fichero))) await files.remove(fichero);
    throw error;
  });
}

const TOO_MANY_BYTES = 'Hoy ya han llegado muchos ficheros de pasos sin registrar: se volverá a intentar';

const isNamed = (db: Db | Tx, fichero: string) => db.selectFrom('pruebas').select('id').where('fichero', '=', fichero).executeTakeFirst();

function provable(pedido: PedidoRow): PedidoRow {
  refuseBlockedData(pedido, 'completar con pruebas');
  return pedido;
}

async function ofCarrier(actor: Actor, found: Promise<PedidoRow>): Promise<PedidoRow> {
  const pedido = await found;
  if (!can(actor, 'pedido:prove', pedido)) throw notFound();
  return pedido;
}

/** Locks and returns the order if a step of `actor`, registered or refused, announced the file; even a reassigned or deleted order. */
const announcedByOwn = (db: Db | Tx, actor: Actor, id: string, sha256: string): Promise<PedidoRow | undefined> =>
  db
    .selectFrom('pedidos')
    .select(COLUMNS_OF_PEDIDO)
    .where('id', '=', id)
    .where(({ and, eb, exists, or, selectFrom }) => {
      const isIt = sql<boolean>`anunciadas @> ${JSON.stringify([{ sha256 }])}::jsonb`;
      const attempt = selectFrom('intentos').select('id').where('pedido_id', '=', id).where('transportista_id', '=', actor.id);
      const refused = selectFrom('pedidos_historial').select('id').where('pedido_id', '=', id).where('actor_user_id', '=', actor.id);
      const delivery = selectFrom('entregas').select('pedido_id').where('pedido_id', '=', id).where(isIt);
      const delivered = and([eb('transportista_id', '=', actor.id), exists(delivery)]);
      return or([exists(attempt.where(isIt)), exists(refused.where(isIt)), delivered]);
    })
    .forUpdate()
    .executeTakeFirst();

/** Returns the announcement of a file, with `refused` if only a refused step announced the file. Throws 409 unless announced. */
async function announcedBy(db: Db | Tx, pedido_id: string, sha256: string): Promise<Anunciada & { refused: boolean }> {
  // Those of a delivery that was taken back too: the telephone may still be sending them.
  const deliveries = await db.selectFrom('entregas').select('anunciadas').where('pedido_id', '=', pedido_id).execute();
  const attempts = await db.selectFrom('intentos').select('anunciadas').where('pedido_id', '=', pedido_id).execute();
  const refused = await db
    .selectFrom('pedidos_historial')
    .select('anunciadas')
    .where('pedido_id', '=', pedido_id)
    .where('anunciadas', 'is not', null)
    .execute();
  const isIt = (file: Anunciada) => file.sha256 === sha256;
  const registered = [...deliveries, ...attempts].flatMap(({ anunciadas }) => anunciadas).find(isIt);
  const found = registered ?? refused.flatMap((refusal) => refusal.anunciadas ?? []).find(isIt);
  if (!found) throw conflict('La entrega de este pedido no ha anunciado este fichero');
  return { ...found, refused: registered === undefined };
}

// Checks the content, because a client can declare any type.
function check(bytes: Buffer, tipo: TipoPrueba): void {
  const size = sizeOf(bytes);
  if (size?.type !== TYPES[tipo].kind)
    throw invalid('fichero', tipo === 'firma' ? 'La firma no es una imagen PNG' : 'La foto no es una imagen JPEG', 'validation_failed');
  if (Math.max(size.width, size.height) > MAX_PIXELS)
    throw invalid('fichero', `La imagen no puede medir más de ${MAX_PIXELS} píxeles de lado`);
  if (hasMetadata(bytes))
    throw invalid(
      'fichero',
      `${tipo === 'foto' ? 'La foto' : 'La firma'} lleva datos del lugar o del teléfono: quítalos antes de enviarla`,
    );
}

function sizeOf(bytes: Buffer) {
  try {
    return imageSize(bytes);
  } catch {
    return undefined;
  }
}

const isShown = (pedido: PedidoRow, { fichero, retirada_at }: Stored) =>
  fichero !== null && retirada_at === null && !pedido.bloqueado_at && !pedido.anonimizado_at;

function shown(actor: Actor, pedido: PedidoRow, { id, tipo, sha256, bytes, created_at, ...rest }: Stored): Prueba {
  const may = can(actor, 'pedido:proofs', pedido) && isShown(pedido, { id, tipo, sha256, bytes, created_at, ...rest });
  return { id, tipo, sha256, bytes, created_at, url: may ? `/api/pruebas/${id}/fichero` : null };
}

const listOf = (db: Db | Tx, pedido_id: string): Promise<Stored[]> =>
  db.selectFrom('pruebas').select(COLUMNS).where('pedido_id', '=', pedido_id).orderBy('n').execute();

/** Returns the files of the delivery itself, without the photos of failed attempts. */
async function ofDelivery(db: Db, pedido_id: string): Promise<Stored[]> {
  const announced = (await readEntrega(db, pedido_id))?.anunciadas ?? [];
  return (await listOf(db, pedido_id)).filter((prueba) => announced.some(({ sha256 }) => sha256 === prueba.sha256));
}

/** Returns how an order was delivered, as far as `actor` may see; null without a delivery. Throws 404. */
export async function readDelivery(db: Db, actor: Actor, id: string): Promise<Entrega | null> {
  const pedido = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:contact', pedido)) throw notFound();
  const entrega = await readEntrega(db, id);
  if (!entrega) return null;
  const { forma_entrega, receptor_nombre, receptor_relacion, pin_correcto, pin_fallos, sin_comprobar, anunciadas } = entrega;
  const pruebas = await ofDelivery(db, id);
  return {
    forma_entrega,
    // The receiver is hidden together with the contact, some days after the delivery.
    receptor_nombre: sees(actor, 'contact', pedido) ? receptor_nombre : null,
    receptor_relacion,
    pin_correcto,
    pin_fallos,
    sin_comprobar,
    pruebas: pruebas.map((prueba) => shown(actor, pedido, prueba)),
    faltan: anunciadas.filter(({ sha256 }) => !pruebas.some((prueba) => prueba.sha256 === sha256)).map(({ tipo }) => tipo),
  };
}

type Fichero = { content: Buffer; name: string; type: string };

/** Returns the file of a proof. Throws 404 unless `actor` may see the order's proofs, and for a hidden or deleted file; 409 for a changed file. */
export async function readFichero(db: Db, files: Files, actor: Actor, id: string): Promise<Fichero> {
  const found = await db
    .selectFrom('pruebas')
    .select([...COLUMNS, 'pedido_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw notFound();
  const pedido = await findPedido(db, actor, found.pedido_id).catch(() => {
    throw notFound();
  });
  if (!can(actor, 'pedido:proofs', pedido)) throw notFound();
  return fetchFichero(files, pedido, found);
}

/** Returns the proofs of delivery that the customer of an order may see. */
export const publicPruebas = async (db: Db, pedido: PedidoRow) =>
  (await ofDelivery(db, pedido.id)).filter((prueba) => isShown(pedido, prueba));

/** Returns a file to the customer of `pedido`. Throws 404. */
export async function readPublicFichero(db: Db, files: Files, pedido: PedidoRow, id: string): Promise<Fichero> {
  const found = (await ofDelivery(db, pedido.id)).find((prueba) => prueba.id === id);
  if (!found) throw notFound();
  return fetchFichero(files, pedido, found);
}

async function fetchFichero(files: Files, pedido: PedidoRow, prueba: Stored): Promise<Fichero> {
  const content = prueba.fichero && isShown(pedido, prueba) ? await files.get(prueba.fichero).catch(refuseChanged) : undefined;
  if (!content) throw notFound();
  const { extension, mime } = TYPES[prueba.tipo];
  return { content, name: `${prueba.tipo}-${pedido.numero_orden.replace(/[^\w-]/g, '_')}.${extension}`, type: mime };
}

function refuseChanged(error: unknown): never {
  if (error instanceof FileChanged) throw conflict('El fichero guardado ya no es el que se entregó: avisa a un administrador');
  throw error;
}
