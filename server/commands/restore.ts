import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchOffSite } from '../backups/offsite.ts';
import { type Restored, restoreBackup } from '../backups/restore.ts';
import { openBucket } from '../files/bucket.ts';
import { openFiles } from '../files/open-files.ts';
import { countFiles, verifyFiles } from '../pruebas/verify.ts';
import { type Command, type Given, UsageError } from './command.ts';

const OVERWRITE = '--sobrescribir';
/** Files of proofs read after a restore; the others are read at night. */
const READ_FILES = 500;
/** Begins the name of a backup in the bucket. */
const BUCKET = 's3:';
const PLAIN = '--sin-cifrar';
const ANONYMISED = { '--anonimizar': 'again', '--con-sus-datos': 'back' } as const;
type Choice = keyof typeof ANONYMISED;
const isChoice = (flag: string): flag is Choice => flag in ANONYMISED;

/** BACKUP_KEY opens a file encrypted with a passphrase or another SECRET_KEY. */
export const restoreCommand: Command = {
  usage: `restore ARCHIVO|s3: [${OVERWRITE}] [${PLAIN}] [${Object.keys(ANONYMISED).join(' | ')}]`,
  what: 'carga una copia, o la última del cubo («s3:», o «s3:NOMBRE»); BACKUP_KEY es la contraseña con la que se cifró, si no fue con la SECRET_KEY de ahora',
  run: async (args, { config, open, holding }) => {
    const [path, ...more] = args.filter((argument) => !argument.startsWith('--'));
    const flags = args.filter((argument) => argument.startsWith('--'));
    const [choice, ...others] = flags.filter(isChoice);
    if (!path || more.length || others.length || flags.some((flag) => flag !== OVERWRITE && flag !== PLAIN && !isChoice(flag)))
      throw new UsageError();
    const chosen = { overwrite: flags.includes(OVERWRITE), plain: flags.includes(PLAIN), anonymised: choice && ANONYMISED[choice] };
    // Migrates only after inspecting the file.
    const { db, url, close } = await open();
    try {
      const key = process.env.BACKUP_KEY || undefined;
      const load = async (file: string) =>
        sayRestored(await restoreBackup(db, { url, path: file, key, ...chosen, secretKey: config.secretKey, holding: await holding() }));
      await (path.startsWith(BUCKET) ? fromBucket(config, path.slice(BUCKET.length), load) : load(path));
      await verifyFiles(db, openFiles(config), READ_FILES);
      const { files, bad } = await countFiles(db);
      if (bad)
        console.log(
          `Aviso: las copias no llevan los ficheros de las pruebas de entrega. La base de datos nombra ${files}, y de ${Math.min(files, READ_FILES)} leídos faltan ${bad}: copia también ${config.s3 ? 'el cubo de S3_BUCKET' : config.filesDir}.`,
        );
    } finally {
      await close();
    }
  },
};

async function fromBucket({ s3, dataDir }: Given['config'], name: string, load: (path: string) => Promise<void>): Promise<void> {
  if (!s3) throw new Error('Con «s3:» hacen falta las variables S3_… del cubo de las copias.');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dataDir, 'de-fuera-'));
  try {
    await load(await fetchOffSite(openBucket(s3), name, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function sayRestored({ filas, created_at, warnings }: Restored): void {
  const when = new Date(created_at).toLocaleString('es-ES', { timeZone: 'Europe/Madrid' });
  console.log(`Restaurada la copia del ${when}: ${filas} filas, comprobadas una a una.`);
  console.log('Se han cerrado todas las sesiones: cada persona entra con la contraseña que tenía entonces.');
  for (const warning of warnings) console.log(warning);
}
