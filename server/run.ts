import { buildApp } from './app.ts';
import { followServer } from './cambios/moved.ts';
import { type AppConfig, readConfig } from './config.ts';
import { becomeOwner } from './db/embedded/become.ts';
import { migrations } from './db/migrations.ts';
import { migrateDatabase, type OpenDb, openDatabase, pendingMigrations } from './db/open.ts';
import { IN_CLEAR, isInClear, onceReady } from './db/wait-for-database.ts';
import { failingJobs } from './failures/failures.ts';
import { allJobs } from './features.ts';
import { startJobs } from './jobs/runner.ts';
import { buildWebIfStale } from './kit/build-web.ts';
import { startHeartbeat } from './kit/heartbeat.ts';
import { serveMetrics } from './kit/metrics.ts';
import { checkFolder, linesOfNetwork, listenProblem, socketOfSystemd } from './kit/start.ts';
import { createLog, type Log } from './log/log.ts';
import { mailFailedMigration } from './mail/failed-migration.ts';
import { prepareFirstAccess } from './session/first-access.ts';
import { claimSecretKey } from './settings/secret-key.ts';
import { renumberEvents } from './webhooks/queue.ts';

export type Options = {
  /** Opens the demonstration, and fills it on its first start. */
  demo?: boolean;
  /** Leaves the screens to Vite. */
  dev?: boolean;
  /** Listens on the local network, to try the program on phones. */
  inNetwork?: boolean;
  /** Called before the program listens, because signals can arrive as soon as the server answers. `stop` waits for requests and jobs. */
  beforeListening?: (stop: () => Promise<void>, log: Log) => void;
};

/** Starts the program with the settings of `env`, prints its address, and returns a stop function. Throws a Spanish sentence on a bad setting. */
export async function runProgram(env: NodeJS.ProcessEnv, options: Options = {}): Promise<() => Promise<void>> {
  const { demo = false, dev = false, inNetwork = false } = options;
  await becomeOwner(env.DATA_DIR ?? (demo ? './demo-data' : './data'), { reads: false });
  const socket = socketOfSystemd(env);
  const config = readConfig(inNetwork ? { ...env, HOST: '0.0.0.0' } : env, demo);
  if (!dev) buildWebIfStale();

  if (!config.databaseUrl) checkFolder('DATA_DIR', config.dataDir);
  checkFolder('BACKUP_DIR', config.backupDir);
  const log = createLog(config.logLevel);
  if (config.databaseUrl && isInClear(config.databaseUrl)) log.warn(`La conexión con PostgreSQL ${IN_CLEAR}`);
  for (const sentence of config.misspelt) log.warn(sentence);
  const open = await openDatabase(config, log);
  const { db } = open;
  const onWait = () => console.log('La base de datos aún no responde: espero hasta un minuto a que arranque.');
  let isUpgrade = false;
  await onceReady(db, onWait, async () => {
    const pending = (await pendingMigrations(db)).length;
    await migrateDatabase(db);
    isUpgrade = pending > 0 && pending < Object.keys(migrations).length;
    if (await followServer(db, renumberEvents))
      log.warn('La base de datos ha cambiado de servidor: los programas que guardan una copia empiezan de nuevo');
    await claimSecretKey(db, config.secretKey);
  }).catch(async (error: unknown) => {
    await mailFailedMigration(error, { db, secretKey: config.secretKey, log });
    throw error;
  });
  return serve({ open, config, log, socket }, options).catch((error: unknown) => {
    if (!isUpgrade) throw error;
    throw new Error(`${error instanceof Error ? error.message : error}\n${WAY_BACK}`, { cause: error });
  });
}

const WAY_BACK =
  'Los datos ya están actualizados y la versión anterior no los abre. Si no arranca: la orden «backup» guarda una copia de ellos tal como están, y «restore» la abre en un DATA_DIR vacío.';

type Serving = { open: OpenDb; config: AppConfig; log: Log; socket: ReturnType<typeof socketOfSystemd> };

async function serve({ open, config, log, socket }: Serving, { demo, inNetwork, beforeListening }: Options): Promise<() => Promise<void>> {
  const { db, close } = open;
  const welcome = demo ? await (await import('../demo/demo.ts')).openDemo(db, config) : [];
  const token = demo ? undefined : await prepareFirstAccess(db, config.superadmin);

  const app = await buildApp({ ...open, config, log });
  let jobs: ReturnType<typeof startJobs> | undefined;
  let stopMetrics: (() => Promise<void>) | undefined;
  let stopHeartbeat: (() => void) | undefined;
  const stop = async () => {
    await Promise.all([jobs?.then((stopJobs) => stopJobs()), app.drain(socket !== undefined)]);
    stopHeartbeat?.();
    await stopMetrics?.();
    await app.close();
    await close();
  };
  beforeListening?.(stop, log);
  const { metricsPort: port, metricsHost, heartbeatUrl } = config;
  if (app.metrics && port)
    stopMetrics = await serveMetrics(app.metrics, { port, host: metricsHost }, (error) => log.error(error, 'metrics')).catch(
      (error: unknown) => {
        throw listenProblem(error, { port, host: metricsHost }, 'METRICS_PORT');
      },
    );
  const address = await app.listen({ port: config.port, host: config.host, ...socket }).catch((error: unknown) => {
    throw listenProblem(error, config);
  });
  if (heartbeatUrl)
    stopHeartbeat = startHeartbeat(
      heartbeatUrl,
      async () => (await failingJobs(db)).length === 0,
      (error) => log.warn(error as Error, 'heartbeat'),
    );
  jobs = startJobs(open, allJobs({ ...open, config, log }), log);
  await jobs;

  console.log(
    `Enruta escucha en ${config.publicUrl ?? address} (${config.databaseUrl ? 'PostgreSQL' : `base de datos en ${config.dataDir}`})`,
  );
  if (token) {
    console.log(`Crea el primer administrador en ${config.publicUrl ?? address}/primer-acceso/${token}`);
    console.log(`o abre ${config.publicUrl ?? address} y escribe este código, que vale una vez: ${token}`);
  }
  if (inNetwork) for (const line of await linesOfNetwork(config.port)) console.log(line);
  for (const line of welcome) console.log(line);
  return stop;
}
