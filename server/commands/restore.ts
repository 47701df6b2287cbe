import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recoverLog } from '../archive/recover.ts';
import { fetchOffSite } from '../backups/offsite.ts';
import { type Restored, restoreBackup, settleRecovered } from '../backups/restore.ts';
import type { Db } from '../db/open.ts';
import { openBucket } from '../files/bucket.ts';
import { openFiles } from '../files/open-files.ts';
import { countFiles, verifyFiles } from '../pruebas/verify.ts';
import { type Command, type Given, UsageError } from './command.ts';

const OVERWRITE = '--sobrescribir';
/** Maximum files of proofs to read after a restore; the nightly recount reads the rest. */
const READ_FILES = 500;
/** Prefix that names a backup in the bucket. */
const BUCKET = 's3:';
const PLAIN = '--sin-cifrar';
const UNTIL = '--hasta';
const ANONYMISED = { '--anonimizar': 'again', '--con-sus-datos': 'back' } as const;
type Choice = keyof typeof ANONYMISED;
const isChoice = (flag: string): flag is Choice => flag in ANONYMISED;

/** Restores a backup. The variable BACKUP_KEY decrypts a file encrypted with a passphrase or another SECRET_KEY. */
export const restoreCommand: Command = {
  usage: `restore ARCHIVO|s3: [${OVERWRITE}] [${PLAIN}] [${Object.keys(ANONYMISED).join(' | ')}]\n  restore ${UNTIL} 'AAAA-MM-DD HH:MM'|ahora [${OVERWRITE}]`,
  what: `carga una copia, o la última del cubo («s3:», o «s3:NOMBRE»), o vuelve a un minuto del archivo continuo (${UNTIL}, hora de España); BACKUP_KEY es la contraseña con la que se cifró, si no fue con la SECRET_KEY de ahora`,
  run: async (args, given) => {
    if (args.includes(UNTIL)) return backTo(args, given);
    const { config, open, holding } = given;
    const [path, ...more] = args.filter((argument) => !argument.startsWith('--'));
    const flags = args.filter((argument) => argument.startsWith('--'));
    const [choice, ...others] = flags.filter(isChoice);
    if (!path || more.length || others.length || flags.some((flag) => flag !== OVERWRITE && flag !== PLAIN && !isChoice(flag)))
      throw new UsageError();
    const chosen = { overwrite: flags.includes(OVERWRITE), plain: flags.includes(PLAIN), anonymised: choice && ANONYMISED[choice] };
    // Opens without migrating: `restoreBackup` first inspects the file.
    const { db, url, close } = await open();
    try {
      const key = process.env.BACKUP_KEY || undefined;
      const load = async (file: string) =>
        sayRestored(await restoreBackup(db, { url, path: file, key, ...chosen, secretKey: config.secretKey, holding: await holding() }));
      await (path.startsWith(BUCKET) ? fromBucket(config, path.slice(BUCKET.length), load) : load(path));
      await lookForFiles(db, config);
    } finally {
      await close();
    }
  },
};

async function lookForFiles(db: Db, config: Given['config']): Promise<void> {
  await verifyFiles(db, openFiles(config), READ_FILES);
  const { files, bad } = await countFiles(db);
  if (bad)
    console.log(
      `Aviso: las copias no llevan los ficheros de las pruebas de entrega. La base de datos nombra ${files}, y de ${Math.min(files, READ_FILES)} leídos faltan ${bad}: copia también ${config.s3 ? 'el cubo de S3_BUCKET' : config.filesDir}.`,
    );
}

async function backTo(args: string[], { config, holding, log }: Given): Promise<void> {
  const [flag, when = '', ...more] = args.filter((argument) => argument !== OVERWRITE);
  const until = when === 'ahora' ? undefined : momentOf(when);
  if (flag !== UNTIL || more.length || (when !== 'ahora' && !until)) throw new UsageError();
  const { s3, dataDir, databaseUrl, secretKey } = config;
  if (databaseUrl) throw new Error(`${UNTIL} es para la base de datos propia de Enruta: la de DATABASE_URL la recupera su servidor.`);
  if (!s3) throw new Error(`Con ${UNTIL} hacen falta las variables S3_… del cubo.`);
  let warnings: string[] = [];
  const { kept } = await recoverLog({
    ...{ bucket: openBucket(s3), dataDir, until, log, overwrite: args.includes(OVERWRITE), secret: process.env.BACKUP_KEY || secretKey },
    settle: async ({ db }) => {
      warnings = await settleRecovered(db, { secretKey, holding: await holding() });
      await lookForFiles(db, config);
    },
  });
  console.log(`Recuperado del archivo continuo ${until ? `lo que había el ${spanish(until)}` : 'todo lo que hay'}.`);
  console.log('Se han cerrado todas las sesiones: cada persona entra con la contraseña que tenía entonces.');
  if (until) console.log('Aviso: si después de ese momento se anonimizaron datos de alguien, han vuelto: hay que anonimizarlos otra vez.');
  for (const warning of warnings) console.log(warning);
  if (kept) console.log(`La base de datos que había está en ${kept}: bórrala cuando veas que todo está bien.`);
}

/** Parses a moment in Spanish local time. Returns undefined for another format, or a minute that daylight saving time skips. */
function momentOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/.test(text)) return undefined;
  const local = (at: number) => new Date(at).toLocaleString('sv-SE', { timeZone: ZONE });
  const asUtc = Date.parse(`${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const at = asUtc - (Date.parse(`${local(asUtc).replace(' ', 'T')}Z`) - asUtc);
  return [at, at - 3_600_000, at + 3_600_000].filter((each) => local(each).startsWith(text)).map((each) => new Date(each))[0];
}

const ZONE = 'Europe/Madrid';
const spanish = (at: Date) => at.toLocaleString('es-ES', { timeZone: ZONE });

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
  const when = new Date(created_at).toLocaleString('es-ES', { timeZone: ZONE });
  console.log(`Restaurada la copia del ${when}: ${filas} filas, comprobadas una a una.`);
  console.log('Se han cerrado todas las sesiones: cada persona entra con la contraseña que tenía entonces.');
  for (const warning of warnings) console.log(warning);
}
