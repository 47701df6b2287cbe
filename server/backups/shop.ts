import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { serverIdentity } from '../cambios/moved.ts';
import { type Db, transact } from '../db/open.ts';
import type { Bucket } from '../files/bucket.ts';
import type { Config } from '../kit/config.ts';
import { queueTechnical } from '../mail/queue.ts';
import { notify } from '../notifications/notify.ts';
import { readSettings } from '../settings/settings.ts';

/*
 * The bucket has a folder for each shop, `tiendas/ID/`, with its backups (`copias/`), its archive (`wal/`) and a card with its name. A
 * server writes, lists and expires only objects of its own folder, so that two servers with the same S3_… variables do no harm.
 */
const ROOT = 'tiendas/';
const FOLDER = /^tiendas\/(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//;
const CARD = 'tienda.json';
const MAX_CARD = 10_000;

type Server = Pick<Config, 'databaseUrl' | 'dataDir'>;
type Card = { nombre: string; servidor: string };
/** A shop in the bucket. `folder` ends with a slash. */
export type Shop = { id: string; folder: string; objects: { key: string; size: number }[] } & Card;

const fileOf = (dataDir: string) => join(dataDir, 'cubo.json');
export const shopBucketFolder = (id: string): string => `${ROOT}${id}/`;

/**
 * Returns the folder of this shop in the bucket. With `DATABASE_URL`, the folder belongs to that database. Otherwise the folder belongs to
 * DATA_DIR in its place: a copy of DATA_DIR begins a folder of its own, and superadmins are notified.
 */
export async function shopFolder(db: Db, { databaseUrl, dataDir }: Server): Promise<string> {
  if (databaseUrl) return shopBucketFolder(await transact(db, (tx) => serverIdentity(tx)));
  const place = placeOf(dataDir);
  const known = readIdentity(dataDir);
  if (known?.lugar === place) return shopBucketFolder(known.tienda);
  return known
    ? leaveFolder(db, dataDir, known.tienda, 'Esta carpeta de datos es una copia de otra, o se ha cambiado de sitio')
    : begin(dataDir);
}

/** Begins another folder in the bucket, and notifies superadmins and the technical addresses of the reason. Returns the folder. */
export async function leaveFolder(db: Db, dataDir: string, from: string, why: string): Promise<string> {
  const folder = begin(dataDir);
  await warn(
    db,
    `${why}: desde ahora lo de este servidor va aparte en el cubo, en ${folder}, y lo de antes sigue en ${shopBucketFolder(from)}. Si es una prueba, quítale las variables S3_…; si el otro servidor ya no existe, borra allí lo que no haga falta.`,
  );
  return folder;
}

/** Identifier of the shop whose folder in the bucket this DATA_DIR uses; undefined before its first use. */
export const shopIdentity = (dataDir: string): string | undefined => readIdentity(dataDir)?.tienda;

function begin(dataDir: string): string {
  const tienda = randomUUID();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${fileOf(dataDir)}.tmp`;
  writeFileSync(draft, JSON.stringify({ tienda, lugar: placeOf(dataDir) }), { mode: 0o600, flush: true });
  renameSync(draft, fileOf(dataDir));
  return shopBucketFolder(tienda);
}

function readIdentity(dataDir: string): { tienda: string; lugar: string } | undefined {
  if (!existsSync(fileOf(dataDir))) return undefined;
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Fingerprint of the machine and of the folder on its disk, which a copy of the folder does not have. */
function placeOf(dataDir: string): string {
  const machine = existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8').trim() : '';
  return createHash('sha256')
    .update(`${machine} ${realpathSync(dataDir)} ${statSync(dataDir).ino}`)
    .digest('hex')
    .slice(0, 32);
}

/** Writes the card of this shop. The first time, notifies superadmins of other shops in the bucket. */
export async function writeCard(db: Db, bucket: Bucket, folder: string): Promise<void> {
  const { companyName } = await readSettings(db);
  const card = JSON.stringify({ nombre: companyName, servidor: hostname() } satisfies Card);
  const before = await bucket.get(`${folder}${CARD}`, MAX_CARD);
  if (before?.toString() === card) return;
  await bucket.put(`${folder}${CARD}`, Buffer.from(card));
  if (before) return;
  const others = (await listCopiedShops(bucket)).filter((shop) => shop.folder !== folder);
  if (others.length)
    await warn(
      db,
      `En el cubo de S3_BUCKET está también lo de otra tienda o de otro servidor (${others.map(describeShop).join('; ')}). Cada uno va en su carpeta, y nadie borra lo del otro.`,
    );
}

async function warn(db: Db, texto: string): Promise<void> {
  const enlace = '/configuracion?tab=database';
  await transact(db, async (tx) => {
    await notify(tx, { tipo: 'tarea_fallida', texto, enlace, roles: ['superadmin'] });
    await queueTechnical(tx, await readSettings(tx), { asunto: 'El cubo de las copias', texto, enlace });
  });
}

/** Lists the shops of the bucket with their objects. */
export async function listCopiedShops(bucket: Bucket): Promise<Shop[]> {
  const shops = new Map<string, Shop>();
  for (const object of await bucket.list(ROOT)) {
    const id = FOLDER.exec(object.key)?.groups?.id;
    if (!id) continue;
    const shop = shops.get(id) ?? { id, folder: shopBucketFolder(id), objects: [], nombre: '', servidor: '' };
    shop.objects.push(object);
    shops.set(id, shop);
  }
  for (const shop of shops.values()) Object.assign(shop, await readCard(bucket, shop.folder));
  return [...shops.values()];
}

async function readCard(bucket: Bucket, folder: string): Promise<Card> {
  try {
    const { nombre, servidor } = JSON.parse((await bucket.get(`${folder}${CARD}`, MAX_CARD))?.toString() ?? '{}');
    // Printed on a terminal, so without control characters.
    const clean = (text: unknown) => (typeof text === 'string' ? text.replace(/\p{C}/gu, '').slice(0, 80) : '');
    return { nombre: clean(nombre), servidor: clean(servidor) };
  } catch (error) {
    if (error instanceof SyntaxError) return { nombre: '', servidor: '' };
    throw error;
  }
}

export const describeShop = ({ id, nombre, servidor }: Shop): string =>
  `${id.slice(0, 8)} ${nombre ? `«${nombre}»` : 'sin nombre'}${servidor ? `, servidor ${servidor}` : ''}`;

/** Returns the shop whose id begins with `wanted`, or the only shop. Throws a Spanish sentence that lists the shops. */
export function chooseShop<T extends Shop>(
  shops: readonly T[],
  wanted: string | undefined,
  describe: (shop: T) => string = describeShop,
): T {
  const found = wanted ? shops.filter(({ id }) => id.startsWith(wanted)) : shops;
  const [shop] = found;
  if (shop && found.length === 1) return shop;
  if (shops.length === 0) throw new Error('En el cubo de S3_BUCKET no hay ninguna tienda.');
  const listed = shops.map((each) => `  ${describe(each)}`).join('\n');
  throw new Error(
    `${wanted ? `Ninguna tienda del cubo es ${wanted}` : `En el cubo hay ${shops.length} tiendas`}: di cuál con --tienda y su número.\n${listed}`,
  );
}
