import type { Command } from './commands/command.ts';
import { becomeOwner, isHelperOfRoot } from './db/embedded/become.ts';
import { addInstalledSettings } from './kit/installed.ts';
import { CALL, VERSION } from './kit/release.ts';

/** Operator commands: `npm run enruta -- <command>`. Imports only the command that runs: all features take most of a second. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  move: async () => (await import('./commands/move.ts')).moveCommand,
  rescue: async () => (await import('./commands/rescue.ts')).rescueCommand,
  'user add': async () => (await import('./commands/user-add.ts')).userAddCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
};

const words = process.argv.slice(2);
if (words[0] === '--version') {
  console.log(`Enruta ${VERSION}`);
  process.exit(0);
}
const name = Object.keys(COMMANDS).find((command) => command === words.slice(0, command.split(' ').length).join(' '));
const load = name && COMMANDS[name];
if (!load) {
  const commands = await Promise.all(Object.values(COMMANDS).map((each) => each()));
  const lines = commands.map(({ usage, what }) => `  ${usage}\n      ${what}`);
  console.error(`Uso: ${CALL} ORDEN\n\n${lines.join('\n')}`);
  process.exit(words.length ? 2 : 0);
}
// Exits with the status of SIGPIPE when the reader of a pipe, such as `head`, exits.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 141 : 1));
const stop = (error: Error) => {
  console.error(error.message);
  process.exit(1);
};
// Must run before the other imports: as root, `becomeOwner` starts this command again as another user.
await Promise.resolve()
  .then(() => {
    const settings = addInstalledSettings(process.env);
    if (settings && !isHelperOfRoot()) console.error(settings);
    return becomeOwner(process.env.DATA_DIR ?? './data', { reads: true });
  })
  .catch(stop);
const [command, { UsageError }, { readConfig }, { openBeside, openDatabase }, { createLog }] = await Promise.all([
  load(),
  import('./commands/command.ts'),
  import('./config.ts'),
  import('./db/open.ts'),
  import('./log/log.ts'),
]);
try {
  const config = readConfig(process.env);
  // Logs go to stderr, so that stdout has only the output of the command.
  const log = createLog(config.logLevel, process.stderr);
  const open = () => openDatabase(config, log);
  const holding = async () => {
    const [{ tablesOnRestore }, { FEATURES }] = await Promise.all([import('./backups/tables.ts'), import('./features.ts')]);
    return tablesOnRestore(FEATURES);
  };
  await command.run(words.slice(name.split(' ').length), { config, open, openBeside: () => openBeside(config, log), holding, log });
} catch (error) {
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = code === 'EACCES' && path ? `Este usuario no tiene permiso en ${path}.` : error instanceof Error ? error.message : error;
  console.error(error instanceof UsageError ? `Uso: ${CALL} ${command.usage}` : reason);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exitCode = error instanceof UsageError ? 2 : ((error as { exitCode?: number }).exitCode ?? 1);
}
