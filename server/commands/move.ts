import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { restoreBackup } from '../backups/restore.ts';
import { writeBackup } from '../backups/write.ts';
import { openPostgres } from '../db/open.ts';
import { waitForDatabase } from '../db/wait-for-database.ts';
import { countFiles } from '../pruebas/verify.ts';
import { claimSecretKey } from '../settings/secret-key.ts';
import { type Command, UsageError, withDatabase } from './command.ts';

/** Copies the embedded database into an empty PostgreSQL; commits only if row counts and checksums match. */
export const moveCommand: Command = {
  usage: 'move postgres://…',
  what: 'lleva la base de datos propia a un PostgreSQL vacío, y compara cada tabla',
  run: async ([url = '', ...more], context) => {
    if (!/^postgres(ql)?:\/\//.test(url) || more.length) throw new UsageError();
    const { config } = context;
    const holding = await context.holding();
    if (config.databaseUrl) throw new Error('«move» parte de la base de datos propia de DATA_DIR: quita DATABASE_URL.');
    let files = 0;
    const folder = await mkdtemp(join(config.dataDir, 'traslado-'));
    try {
      const path = join(folder, 'todo.jsonl.gz.enc');
      const key = { secret: config.secretKey, clave: 'SECRET_KEY' } as const;
      await withDatabase(context, async (db) => {
        ({ files } = await countFiles(db));
        await claimSecretKey(db, config.secretKey);
        await writeBackup(db, path, { secretKey: config.secretKey, key, holding });
      });
      const { db, close } = openPostgres(url, (error) => console.error(error.message), 2);
      try {
        await waitForDatabase(db, () => console.log('PostgreSQL aún no responde: espero hasta un minuto.'));
        const { filas } = await restoreBackup(db, {
          path,
          url,
          overwrite: false,
          sendsWaiting: true,
          secretKey: config.secretKey,
          holding,
        });
        console.log(`Trasladadas ${filas} filas: cada tabla tiene las mismas, con la misma suma de comprobación.`);
      } finally {
        await close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    console.log(
      `Arranca ahora con DATABASE_URL y la misma clave: ${process.env.SECRET_KEY ? 'SECRET_KEY' : `SECRET_KEY_FILE=${join(config.dataDir, 'secret.key')}`}.`,
    );
    if (files && !config.s3)
      console.log(`Las pruebas de entrega (${files} ficheros) siguen en FILES_DIR=${config.filesDir}: llévalas a donde arranques.`);
    console.log('Las sesiones no se trasladan: cada persona entra con su contraseña. DATA_DIR queda como estaba.');
  },
};
