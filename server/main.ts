import closeWithGrace from 'close-with-grace';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { migrate, openDatabase } from './db/open.ts';
import { allJobs } from './features.ts';
import { startJobs } from './jobs/runner.ts';
import { buildWebIfStale } from './kit/build-web.ts';
import { prepareFirstAccess } from './session/session.ts';

const demo = process.argv.includes('--demo');
const dev = process.argv.includes('--dev');

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
}

async function start() {
  const config = readConfig(process.env, demo);
  if (!dev) await buildWebIfStale();

  const open = await openDatabase(config);
  const { db, engine, listen, close } = open;
  await migrate(db);
  const accounts = demo ? await (await import('./demo/demo.ts')).ensureDemo(db) : [];
  const token = demo ? undefined : await prepareFirstAccess(db, config.superadmin);

  const app = await buildApp({ db, engine, listen, config });
  const address = await app.listen({ port: config.port, host: config.host });
  const stopJobs = await startJobs(open, allJobs({ ...open, config }), (error) => app.log.error(error));
  closeWithGrace({ delay: 10_000 }, async ({ err }) => {
    if (err) console.error(err);
    await stopJobs();
    await app.close();
    await close();
  });

  console.log(
    `Enruta escucha en ${config.publicUrl ?? address} (${engine === 'pglite' ? `base de datos en ${config.dataDir}` : 'PostgreSQL'})`,
  );
  if (token) console.log(`Crea el primer administrador en ${config.publicUrl ?? address}/primer-acceso/${token}`);
  for (const account of accounts) console.log(`  ${account.role.padEnd(13)} ${account.email.padEnd(28)} ${account.password}`);
}
