import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../server/db/open.ts';
import { openFiles } from '../server/files/open-files.ts';
import type { Config } from '../server/kit/config.ts';
import { addCash } from './cash.ts';
import { addSettings, fillDemo, type Size } from './fill.ts';
import { ANSWER_FILE, addReturns, addShipments, addWebShop, blockSome } from './office.ts';
import { addAttempts, addLabels, addOnTheRoad, addParts, addRoute, addToday } from './on-the-road.ts';
import { ACCOUNTS, type Account } from './people.ts';
import { addProofs } from './proofs.ts';

/** Parts of the program that a new shop has switched off. */
const SWITCHED_ON = {
  cashOnDelivery: true,
  dayRoute: true,
  labelsAndLoading: true,
  partialDeliveries: true,
  proofOfDelivery: true,
  prueba_en_mano_firma: 'ofrecida',
  prueba_en_mano_pin: 'ofrecida',
  prueba_otra_persona_receptor: 'obligatoria',
  prueba_otra_persona_firma: 'ofrecida',
  prueba_lugar_seguro_foto: 'obligatoria',
  shipmentFiles: true,
  storeActive: true,
  // What a demonstration's visitors wait tells of no shop.
  measureSpeed: false,
};

type Where = Pick<Config, 'secretKey' | 'dataDir' | 'filesDir' | 's3'>;

/** Fills an empty database, or keeps an existing demo. Returns one account per role. Throws for other data (design, section 4.17). */
export const ensureDemo = async (
  db: Db,
  { secretKey, dataDir, ...store }: Where,
  size: Size = { orders: 650, months: 5, now: new Date() },
): Promise<Account[]> =>
  transact(db, async (tx) => {
    // Locks out a second instance that starts on the same empty database.
    const { data } = await tx.selectFrom('settings').select('data').forUpdate().executeTakeFirstOrThrow();
    const somebody = await tx.selectFrom('users').select('id').limit(1).executeTakeFirst();
    if (somebody && data.demo !== true) {
      throw new Error('Esta base de datos no es de la demostración: ya tiene usuarios. Usa otra DATA_DIR o arranca sin --demo.');
    }
    if (somebody) await keepFresh(tx);
    else {
      await fillDemo(tx, size);
      await addSettings(tx, SWITCHED_ON);
      await addReturns(tx);
      await addProofs(tx, openFiles(store));
      await addAttempts(tx);
      await addCash(tx);
      await addToday(tx);
      await addLabels(tx);
      // The folder does not exist yet if the database is elsewhere.
      await mkdir(dataDir, { recursive: true });
      await writeFile(join(dataDir, ANSWER_FILE), await addShipments(tx));
      await addRoute(tx);
      await addParts(tx);
      await addOnTheRoad(tx);
      await addWebShop(tx, secretKey);
      await blockSome(tx, secretKey);
    }
    return ACCOUNTS;
  });

/** Like `ensureDemo`; returns the lines to print, with accounts and the file to try. */
export async function openDemo(db: Db, config: Where): Promise<string[]> {
  const accounts = await ensureDemo(db, config);
  const answer = join(config.dataDir, ANSWER_FILE);
  return [
    ...accounts.map(({ role, email, password }) => `  ${role.padEnd(13)} ${email.padEnd(28)} ${password}`),
    ...(existsSync(answer) ? [`  En «Envíos» espera la respuesta de Correos: ${answer}`] : []),
  ];
}

// Printed passwords must not expire.
async function keepFresh(tx: Tx): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_changed_at: sql`now()` })
    .where(
      'email',
      'in',
      ACCOUNTS.map(({ email }) => email),
    )
    .where('password_changed_at', '<', sql<string>`now() - interval '30 days'`)
    .execute();
}
