import type { Db, Tx } from '../db/open.ts';
import { CALL } from '../kit/release.ts';
import { fingerprint } from '../kit/secrets.ts';
import { settingError } from '../kit/start.ts';

const OTHER_KEY =
  'SECRET_KEY no es la de esta base de datos, y con otra no se puede leer lo que está cifrado (las contraseñas del correo ' +
  'y de las copias, los secretos de los webhooks y los segundos factores). Pon la de antes, en todas las instancias; sin DATABASE_URL está en DATA_DIR/secret.key. ' +
  `Si se ha perdido, para Enruta y ejecuta ${CALL} rescue --clave-nueva: borra lo cifrado y acepta la nueva.`;

/** Binds the database to its first `SECRET_KEY`. Throws an error with a Spanish sentence for any other key. */
export async function claimSecretKey(db: Db, secretKey: string): Promise<void> {
  const mine = fingerprint(secretKey);
  await db
    .insertInto('secret_keys')
    .values({ fingerprint: mine })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const kept = await db.selectFrom('secret_keys').select('fingerprint').executeTakeFirst();
  if (kept?.fingerprint !== mine) throw settingError(OTHER_KEY);
}

/** Binds the database to another `SECRET_KEY`; the caller deletes the data that the old key encrypted. */
export async function replaceSecretKey(tx: Tx, secretKey: string): Promise<void> {
  await tx.deleteFrom('secret_keys').execute();
  await tx
    .insertInto('secret_keys')
    .values({ fingerprint: fingerprint(secretKey) })
    .execute();
}
