import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandTime, formatMadridTime, recoverLog } from '../archive/recover.ts';
import { fetchOffSite } from '../backups/backups.ts';
import { type Restored, restoreBackup, settleRecovered } from '../backups/restore.ts';
import { shopBucketFolder, shopIdentity } from '../backups/shop.ts';
import type { Db } from '../db/open.ts';
import { openBucket } from '../files/bucket.ts';
import { openFiles } from '../files/open-files.ts';
import { countFiles, verifyFiles } from '../pruebas/verify.ts';
import { type Command, type Env, UsageError } from './command.ts';

const OVERWRITE = '--sobrescribir';
/** Maximum files of proofs to read after a restore; the nightly recount reads the rest. */
const READ_FILES = 500;
/** Prefix that names a backup in the bucket. */
const BUCKET = 's3:';
const UNTIL = '--hasta';
const SHOP = '--tienda';
const PARTIAL = '--aunque-falte';
const ANONYMISED = { '--anonimizar': 'again', '--con-sus-datos': 'back' } as const;
const isChoice = (flag: string): flag is keyof typeof ANONYMISED => flag in ANONYMISED;

/** Restores a backup. The variable BACKUP_KEY decrypts a file encrypted with a passphrase or another SECRET_KEY. */
export const restoreCommand: Command = {
  usage: `restore ARCHIVO|s3: [${OVERWRITE}] [${Object.keys(ANONYMISED).join(' | ')}] [${SHOP} NÚMERO]\n  restore ${UNTIL} 'AAAA-MM-DD HH:MM'|ahora [${OVERWRITE}] [${SHOP} NÚMERO] [${PARTIAL}]`,
  what: `carga una copia, o la última del cubo («s3:», o «s3:NOMBRE»), o vuelve a un minuto del archivo continuo (${UNTIL}, hora de España); ${SHOP} elige si en el cubo hay varias; si al archivo le falta una parte, lo dice y acaba con 4, y sigue con ${PARTIAL}; BACKUP_KEY es la contraseña con la que se cifró, si no fue con la SECRET_KEY de ahora`,
  run: async (all, context) => {
    const { shop, args } = takeShop(all);
    if (args.includes(UNTIL)) return backTo(args, shop, context);
    const { config, open, holding } = context;
    const [path, ...more] = args.filter((argument) => !argument.startsWith('--'));
    const flags = args.filter((argument) => argument.startsWith('--'));
    const [choice, ...others] = flags.filter(isChoice);
    if (!path || more.length || others.length || flags.some((flag) => flag !== OVERWRITE && !isChoice(flag))) throw new UsageError();
    const chosen = { overwrite: flags.includes(OVERWRITE), anonymised: choice && ANONYMISED[choice] };
    // Opens without migrating: `restoreBackup` first inspects the file.
    const { db, url, close } = await open();
    try {
      const key = process.env.BACKUP_KEY || undefined;
      const load = async (file: string) =>
        reportRestored(await restoreBackup(db, { url, path: file, key, ...chosen, secretKey: config.secretKey, holding: await holding() }));
      await (path.startsWith(BUCKET) ? fromBucket(config, { name: path.slice(BUCKET.length), shop }, load) : load(path));
      await lookForFiles(db, config);
    } finally {
      await close();
    }
  },
};

async function lookForFiles(db: Db, config: Env['config']): Promise<void> {
  await verifyFiles(db, openFiles(config), READ_FILES);
  const { files, bad } = await countFiles(db);
  if (bad)
    console.log(
      `Aviso: las copias no llevan los ficheros de las pruebas de entrega. La base de datos nombra ${files}, y de ${Math.min(files, READ_FILES)} leídos faltan ${bad}: copia también ${config.s3 ? 'el cubo de S3_BUCKET' : config.filesDir}.`,
    );
}

/** Takes `--tienda NÚMERO` out of the arguments. */
function takeShop(args: string[]): { shop: string | undefined; args: string[] } {
  const at = args.indexOf(SHOP);
  if (at < 0) return { shop: undefined, args };
  const shop = args[at + 1];
  if (!shop || !/^[0-9a-f-]+$/.test(shop)) throw new UsageError();
  return { shop, args: args.toSpliced(at, 2) };
}

async function backTo(args: string[], shop: string | undefined, { config, holding, log }: Env): Promise<void> {
  const [flag, when = '', ...more] = args.filter((argument) => argument !== OVERWRITE && argument !== PARTIAL);
  if (flag !== UNTIL || more.length) throw new UsageError();
  const until = when === 'ahora' ? undefined : parseMoment(when);
  const { s3, dataDir, databaseUrl, secretKey } = config;
  if (databaseUrl) throw new Error(`${UNTIL} es para la base de datos propia de Enruta: la de DATABASE_URL la recupera su servidor.`);
  if (!s3) throw new Error(`Con ${UNTIL} hacen falta las variables S3_… del cubo.`);
  let warnings: string[] = [];
  let from = '';
  const { kept, reached, isWhole } = await recoverLog({
    ...{ bucket: openBucket(s3), dataDir, until, shop, log, secret: process.env.BACKUP_KEY || secretKey },
    ...{ overwrite: args.includes(OVERWRITE), partial: args.includes(PARTIAL) },
    onPlan: ({ id, nombre, servidor }, { base, pieces, reach, missing }) => {
      from = id;
      console.log(
        `Tienda ${id.slice(0, 8)} «${nombre}»${servidor && ` del servidor ${servidor}`}: base del ${formatMadridTime(base.at)} y ${pieces.length} partes.`,
      );
      if (missing) console.log(`Aviso: falta de ${formatMadridTime(missing.from)} a ${formatMadridTime(missing.to)}.`);
      else if (!until) console.log(`El archivo llega hasta el ${formatMadridTime(reach)}.`);
    },
    settle: async ({ db }) => {
      warnings = await settleRecovered(db, { secretKey, holding: await holding() });
      await lookForFiles(db, config);
    },
  });
  const last = `lo último que contiene es del ${formatMadridTime(reached)}`;
  if (!isWhole) console.log(`Recuperado solo en parte: ${last}.`);
  else
    console.log(
      until
        ? `Recuperado lo que había el ${formatMadridTime(until.getTime())}: ${last}.`
        : `Recuperado todo lo que hay en el archivo: ${last}.`,
    );
  console.log('Se han cerrado todas las sesiones: cada persona entra con la contraseña que tenía entonces.');
  if (until) console.log('Aviso: si después de ese momento se anonimizaron datos de alguien, han vuelto: hay que anonimizarlos otra vez.');
  if (from !== shopIdentity(dataDir))
    console.log(
      `Este servidor guarda lo suyo aparte en el cubo. Lo de antes sigue en ${shopBucketFolder(from)}: bórralo cuando ya no haga falta.`,
    );
  for (const warning of warnings) console.log(warning);
  if (kept) console.log(`La base de datos que había está en ${kept}: bórrala cuando veas que todo está bien.`);
}

const MOMENT = /^(?<local>\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?)(?<ms>\.\d{3})?(?<zone>\+0[12]:00)?$/;

/**
 * Parses a moment in Spanish local time. Throws UsageError for another format; a Spanish sentence for a future moment, one skipped
 * by daylight saving time, or one that exists twice and has no offset.
 */
export function parseMoment(text: string, now = Date.now()): Date {
  const { local = '', ms = '.000', zone } = MOMENT.exec(text)?.groups ?? {};
  const asUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  if (!local || Number.isNaN(asUtc)) throw new UsageError();
  const found = [1, 2].flatMap((hours) => {
    const at = asUtc - hours * 3_600_000;
    const isThere = commandTime(at).startsWith(local) && (!zone || zone === `+0${hours}:00`);
    return isThere ? [at + Number(ms.slice(1))] : [];
  });
  const [at] = found;
  if (at === undefined) throw new Error(`${text} no existe en España${zone ? ' con ese huso' : ': esa noche se adelanta el reloj'}.`);
  if (found.length > 1)
    throw new Error(
      `${local} existe dos veces, porque esa noche se atrasa el reloj: escribe '${local}+02:00' para la primera o '${local}+01:00' para la segunda.`,
    );
  if (at > now)
    throw new Error(
      `${text} está en el futuro: ahora son las ${commandTime(Math.floor(now / 1000) * 1000)}. Para lo último que haya, ${UNTIL} ahora.`,
    );
  return new Date(at);
}

const ZONE = 'Europe/Madrid';

type Wanted = { name: string; shop: string | undefined };
async function fromBucket({ s3, dataDir }: Env['config'], wanted: Wanted, load: (path: string) => Promise<void>): Promise<void> {
  if (!s3) throw new Error('Con «s3:» hacen falta las variables S3_… del cubo de las copias.');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dataDir, 'de-fuera-'));
  try {
    await load(await fetchOffSite(openBucket(s3), wanted, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reportRestored({ filas, created_at, warnings }: Restored): void {
  const when = new Date(created_at).toLocaleString('es-ES', { timeZone: ZONE });
  console.log(`Restaurada la copia del ${when}: ${filas} filas, comprobadas una a una.`);
  console.log('Se han cerrado todas las sesiones: cada persona entra con la contraseña que tenía entonces.');
  for (const warning of warnings) console.log(warning);
}
