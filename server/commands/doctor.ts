import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { SECOND_FACTOR } from '../../contract/policy/policy.ts';
import { archiveState, archivesLog } from '../archive/chain.ts';
import { lookAtBucket, readSeen } from '../archive/look.ts';
import { formatMadridTime } from '../archive/recover.ts';
import { ageOffSite } from '../backups/backups.ts';
import { describeShop, listCopiedShops, shopIdentity } from '../backups/shop.ts';
import { lastCuadre } from '../cuadre/cuadre.ts';
import { LOW } from '../db/disk.ts';
import { hasDatabase } from '../db/embedded/embedded.ts';
import { type Db, type OpenDb, pendingMigrations } from '../db/open.ts';
import { IN_CLEAR, isInClear, waitForDatabase } from '../db/wait-for-database.ts';
import { failingJobs } from '../failures/failures.ts';
import { openBucket } from '../files/bucket.ts';
import { openFiles } from '../files/open-files.ts';
import { WEB_DIST } from '../kit/build-web.ts';
import { ARRIVED, arrivalKey } from '../kit/forwarded.ts';
import { VERSION } from '../kit/release.ts';
import { fingerprint } from '../kit/secrets.ts';
import { checkFolder } from '../kit/start.ts';
import { listUndelivered } from '../outbox/undelivered.ts';
import { lookAtFiles } from '../pruebas/verify.ts';
import { shopChecks } from '../tienda/office/shops.ts';
import { type Command, type Env, UsageError } from './command.ts';

/** `bad`: what to do, in Spanish; undefined if all is well. `hard`: the server cannot run until this is fixed. */
type Finding = { what: string; bad?: string | undefined; hard?: boolean };

/** Exit codes, for cron and monitoring. Code 2 means wrong arguments. */
const [STOPPED, TO_DO] = [1, 3];

export const doctorCommand: Command = {
  usage: 'doctor [--json]',
  what: 'mira la configuración, las carpetas, la base de datos y las copias, y dice qué hacer, también con la tienda abierta; no cambia ningún dato. Acaba con 0 si todo está bien, con 1 si no puede funcionar, con 3 si hay algo que hacer',
  run: async ([json, ...more], context) => {
    if (more.length || (json !== undefined && json !== '--json')) throw new UsageError();
    const findings = [...aroundIt(context), ...(await checkPublicAddress(context.config)), ...(await inside(context))];
    const stateOf = ({ bad, hard }: Finding) => (!bad ? 'bien' : hard ? 'error' : 'aviso');
    const states = findings.map(stateOf);
    if (json)
      console.log(JSON.stringify(findings.map((finding) => ({ que: finding.what, estado: stateOf(finding), hacer: finding.bad ?? null }))));
    else for (const { what, bad, hard } of findings) console.log(`${bad ? (hard ? '✗' : '!') : '✓'} ${what}${bad ? `: ${bad}` : ''}`);
    process.exitCode = states.includes('error') ? STOPPED : states.includes('aviso') ? TO_DO : 0;
  },
};

function aroundIt({ config }: Env): Finding[] {
  const folder = (variable: string, path: string): Finding => {
    try {
      checkFolder(variable, path);
      return { what: `${variable}: ${path} se puede escribir` };
    } catch (error) {
      return { what: variable, bad: (error as Error).message, hard: true };
    }
  };
  const { misspelt } = config;
  return [
    {
      what: 'Pantallas construidas',
      bad: existsSync(join(WEB_DIST, 'index.html')) ? undefined : 'ejecuta «npm run build» con el usuario que instala',
    },
    ...(config.databaseUrl ? [] : [folder('DATA_DIR', config.dataDir)]),
    folder('BACKUP_DIR', config.backupDir),
    ...(config.s3 || !existsSync(config.filesDir) ? [] : [folder('FILES_DIR', config.filesDir)]),
    ...misspelt.map((bad) => ({ what: 'Variables', bad })),
  ];
}

const ANSWER_MS = 10_000;

/** Asks the public address, as a browser would: its name, its certificate, who answers, and whether the proxy before it is trusted. */
export async function checkPublicAddress({ publicUrl, trustProxy, secretKey }: Env['config']): Promise<Finding[]> {
  const what = 'PUBLIC_URL';
  if (!publicUrl) return [{ what, bad: 'sin ella los enlaces de pago salen sin dirección' }];
  const isPlain = !publicUrl.startsWith('https:');
  const { problem, arrival } = await askPublic(publicUrl, secretKey);
  const bad = isPlain ? 'no es https: las cookies y las contraseñas viajan a la vista' : problem;
  const unnamed = !isPlain && !trustProxy ? 'detrás de un proxy, nómbralo: si no, todo llega de la misma dirección' : undefined;
  const silent = isPlain ? undefined : 'el proxy no envía X-Forwarded-For: todo llega de la misma dirección';
  const untrusted = `lo que entra por ${publicUrl} llega desde ${arrival ?? 'otra dirección'}, que no está: añádela, o todo cuenta como una sola dirección`;
  const proxy = !arrival ? unnamed : arrival === 'directo' ? silent : arrival === 'de confianza' ? undefined : untrusted;
  return [
    { what: bad ? what : `${what}: ${publicUrl} contesta con Enruta ${VERSION}`, bad },
    { what: arrival === 'de confianza' ? `TRUST_PROXY: el proxy de ${publicUrl} está` : 'TRUST_PROXY', bad: proxy },
  ];
}

/** Returns why the public address does not lead to this version of Enruta, in Spanish, and how the request arrived there. */
async function askPublic(publicUrl: string, secretKey: string): Promise<{ problem?: string | undefined; arrival?: string | null }> {
  try {
    const answer = await fetch(`${publicUrl}/api/version`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'manual',
      headers: { [ARRIVED]: arrivalKey(secretKey) },
    });
    const { version } = (await answer.json().catch(() => ({}))) as { version?: unknown };
    const problem =
      answer.status >= 500
        ? `${publicUrl} contesta ${answer.status}: el proxy no llega a Enruta, o Enruta no está en marcha`
        : typeof version !== 'string'
          ? `lo que contesta en ${publicUrl} no es Enruta (${answer.status}): mira a dónde lleva ese nombre`
          : version === VERSION
            ? undefined
            : `en ${publicUrl} contesta Enruta ${version}, y esta es la ${VERSION}`;
    return { problem, arrival: answer.headers.get(ARRIVED) };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const code = cause?.code ?? name;
    const host = new URL(publicUrl).hostname;
    if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return { problem: `${host} no se encuentra en el DNS: revisa el nombre` };
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
      return { problem: `el certificado de ${publicUrl} no vale (${code}): los navegadores no la abren` };
    return { problem: `desde aquí no se llega a ${publicUrl} (${code}): si otras máquinas la abren, no es un problema` };
  }
}

async function inside({ config, openBeside }: Env): Promise<Finding[]> {
  // Returns early, because opening would create the database.
  if (!config.databaseUrl && !hasDatabase(config.dataDir))
    return [{ what: 'Base de datos', bad: 'todavía no hay ninguna: la crea el arranque, o «migrate»' }];
  let opened: OpenDb;
  try {
    opened = await openBeside();
    await waitForDatabase(opened.db, () => {}, { whole: 0, look: 0 });
  } catch (error) {
    return [{ what: 'Base de datos', bad: (error as Error).message, hard: true }];
  }
  try {
    return await ask(opened, config);
  } finally {
    await opened.close();
  }
}

async function offSiteOf(db: Db, hasBucket: boolean): Promise<Finding> {
  const seconds = await ageOffSite(db);
  const hours = seconds === undefined ? undefined : Math.floor(seconds / 3600);
  if (!hasBucket)
    return { what: 'Copias fuera de este servidor', bad: 'ninguna: si su disco muere, se van con él. Pon las variables S3_… de un cubo' };
  return {
    what: hours === undefined ? 'Copias fuera de este servidor' : `Última copia fuera de este servidor: de hace ${hours} horas`,
    bad: hours === undefined ? 'todavía ninguna' : hours > 72 ? 'es antigua: mira «Supervisión → Tareas»' : undefined,
  };
}

/** Tables that the program's role cannot use, for example after an incomplete change of owner. */
async function permissionsOf(db: Db): Promise<Finding> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.oid::regclass::text AS name FROM pg_class c
    WHERE relnamespace::regnamespace::text IN ('public', 'jobs') AND relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS act WHERE NOT has_table_privilege(c.oid, act)) ORDER BY 1`.execute(
    db,
  );
  const names = rows.map(({ name }) => name).join(', ');
  return {
    what: 'Permisos sobre las tablas',
    bad: names ? `faltan en ${names}: deben ser del usuario con el que se conecta Enruta` : undefined,
    hard: true,
  };
}

/** Seconds after which a piece of the log that waits for the bucket is reported. */
const LATE = 600;

/** Lists the bucket, because the database does not know of deletions there. */
async function archiveOf(s3: NonNullable<Env['config']['s3']>, dataDir: string): Promise<Finding[]> {
  const { waiting, seconds } = archiveState(dataDir);
  const { probado_at, error } = readSeen(dataDir);
  const bucket = openBucket(s3);
  const look = await lookAtBucket(bucket, dataDir).catch((cause: Error) => ({ reach: undefined, missing: cause.message }));
  const others = (await listCopiedShops(bucket).catch(() => [])).filter(({ id }) => id !== shopIdentity(dataDir));
  return [
    {
      what: `Archivo continuo: ${look.reach ? `hasta el ${formatMadridTime(look.reach)} se puede volver, según el cubo` : 'todavía sin base'}; ${waiting} ficheros por llevar`,
      bad: look.missing
        ? `${look.missing}: mira «Supervisión → Tareas»`
        : seconds > LATE
          ? `el más antiguo espera desde hace ${Math.round(seconds / 60)} minutos: mira «Supervisión → Tareas»`
          : undefined,
    },
    {
      what: `Prueba del archivo: ${probado_at ? `restaurado aparte el ${formatMadridTime(Date.parse(probado_at))}` : 'todavía no se ha hecho; se hace cada noche'}`,
      bad: error,
    },
    ...(others.length ? [{ what: `En el cubo está también lo de ${others.map(describeShop).join('; ')}, aparte` }] : []),
  ];
}

/** Maximum files of proofs to read now; the rest are counted as the nightly recount found them. */
const READ_NOW = 200;

const proofsOf = ({ files, bad }: { files: number; bad: number }, where: string): Finding => ({
  what: `Pruebas de entrega: ${files} ficheros en ${where}, que no van en las copias de seguridad`,
  bad: bad ? `${bad} faltan o han cambiado: tráelos de tu copia de esos ficheros` : undefined,
});

async function ask({ db, freeRoom }: OpenDb, { secretKey, databaseUrl, filesDir, s3, dataDir }: Env['config']): Promise<Finding[]> {
  const { rows } = await sql<{ version: string; zone: string }>`
    SELECT current_setting('server_version') AS version, current_setting('timezone') AS zone`.execute(db);
  const { version = '', zone = '' } = rows[0] ?? {};
  const waiting = await pendingMigrations(db);
  const found: Finding[] = [
    {
      what: `PostgreSQL ${version}${databaseUrl ? '' : ' propio'}`,
      bad: Number.parseInt(version, 10) < 15 ? 'hace falta la 15 o una posterior' : undefined,
      hard: true,
    },
    {
      what: 'Zona horaria de la conexión',
      bad: zone === 'UTC' ? undefined : `es ${zone}: ALTER DATABASE … SET timezone TO 'UTC'`,
      hard: true,
    },
    ...(databaseUrl ? [{ what: 'Conexión con PostgreSQL', bad: isInClear(databaseUrl) ? IN_CLEAR : undefined }] : []),
    { what: 'Disco de la base de datos', bad: freeRoom() < LOW ? 'queda menos de 64 MB: solo se puede leer' : undefined, hard: true },
    await permissionsOf(db),
    {
      what: 'Versión de la base de datos',
      bad: waiting.length ? `le faltan ${waiting.length} cambios: los hace el arranque, o «migrate»` : undefined,
    },
  ];
  if (waiting.length) return found;
  const key = await db.selectFrom('secret_keys').select('fingerprint').executeTakeFirst();
  const admins = await db
    .selectFrom('users')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('totp_secret').as('sealed')])
    .where('role', 'in', SECOND_FACTOR)
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const backup = await db
    .selectFrom('backups')
    .select('created_at')
    .where('estado', '=', 'verificada')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  const daysSince = (at: string | null | undefined) => (at ? Math.floor((Date.now() - Date.parse(at)) / 86_400_000) : undefined);
  const days = daysSince(backup?.created_at);
  const proofs = await lookAtFiles(db, openFiles({ s3, filesDir }), READ_NOW);
  const counted = await lastCuadre(db);
  const countedDays = daysSince(counted?.ended_at);
  const failing = await failingJobs(db);
  const { esperando, perdidos } = await listUndelivered(db);
  const stuck = esperando.map(({ canal, servidor, motivo, mensajes }) => `${mensajes} (${canal}) para ${servidor ?? '–'}: ${motivo}`);
  return [
    ...found,
    {
      what: 'SECRET_KEY',
      bad:
        key && key.fingerprint !== fingerprint(secretKey)
          ? 'no es la de esta base de datos: pon la de antes («rescue --clave-nueva» si se perdió)'
          : undefined,
      hard: true,
    },
    {
      what: `Administradores activos: ${admins.all}`,
      bad:
        admins.all === 0
          ? 'ninguno: arranca y usa la dirección de primer acceso, o «rescue»'
          : admins.sealed < admins.all
            ? 'alguno entra sin segundo factor'
            : undefined,
    },
    ...(proofs.files ? [proofsOf(proofs, s3 ? 'el cubo de S3_BUCKET' : filesDir)] : []),
    {
      what: days === undefined ? 'Copias de seguridad' : `Última copia comprobada: hace ${days} días`,
      bad:
        days === undefined
          ? 'no hay ninguna comprobada: «backup»'
          : days > 7
            ? 'es antigua: mira Configuración → Base de datos'
            : undefined,
    },
    await offSiteOf(db, s3 !== undefined),
    ...(s3 && archivesLog({ databaseUrl, s3, dataDir }) ? await archiveOf(s3, dataDir) : []),
    {
      what: countedDays === undefined ? 'Cuentas: todavía no se han comprobado' : `Cuentas comprobadas hace ${countedDays} días`,
      bad: counted?.num_diferencias
        ? `${counted.num_diferencias} diferencias: mira «Supervisión → Cuadre»`
        : countedDays !== undefined && countedDays > 2
          ? 'se comprueban cada noche: mira «Supervisión → Tareas»'
          : undefined,
    },
    {
      what: 'Tareas con error',
      bad: failing.length ? `${failing.join(', ')}: mira «Supervisión → Tareas»` : undefined,
    },
    ...(await shopChecks(db)).map(({ nombre, problema }) => ({ what: `Tienda en línea «${nombre}»`, bad: problema ?? undefined })),
    {
      what: 'Correos y webhooks',
      bad: stuck.length
        ? `esperan ${stuck.join('; ')}`
        : perdidos.length
          ? `${perdidos.length} se han dado por perdidos: mira «Supervisión → Tareas»`
          : undefined,
    },
  ];
}
