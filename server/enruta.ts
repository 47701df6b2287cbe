import { holdingOf } from './backups/tables.ts';
import { backupCommand } from './commands/backup.ts';
import { type Command, UsageError } from './commands/command.ts';
import { doctorCommand } from './commands/doctor.ts';
import { migrateCommand } from './commands/migrate.ts';
import { moveCommand } from './commands/move.ts';
import { rescueCommand } from './commands/rescue.ts';
import { restoreCommand } from './commands/restore.ts';
import { userAddCommand } from './commands/user-add.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { FEATURES } from './features.ts';
import { CALL, VERSION } from './kit/release.ts';
import { createLog } from './log/log.ts';

/** Operator commands: `npm run enruta -- <command>`, or `./enruta <command>` in a release. */
const COMMANDS: Record<string, Command> = {
  migrate: migrateCommand,
  backup: backupCommand,
  restore: restoreCommand,
  move: moveCommand,
  rescue: rescueCommand,
  'user add': userAddCommand,
  doctor: doctorCommand,
};

const words = process.argv.slice(2);
if (words[0] === '--version') {
  console.log(`Enruta ${VERSION}`);
  process.exit(0);
}
const name = Object.keys(COMMANDS).find((command) => command === words.slice(0, command.split(' ').length).join(' '));
const command = name && COMMANDS[name];
if (!command) {
  const lines = Object.values(COMMANDS).map(({ usage, what }) => `  ${usage}\n      ${what}`);
  console.error(`Uso: ${CALL} ORDEN\n\n${lines.join('\n')}`);
  process.exit(words.length ? 2 : 0);
}
try {
  const config = readConfig(process.env);
  // Logs go to stderr; stdout is for people.
  const open = () => openDatabase(config, createLog(config.logLevel, process.stderr));
  await command.run(words.slice(name.split(' ').length), { config, open, holding: holdingOf(FEATURES) });
} catch (error) {
  console.error(error instanceof UsageError ? `Uso: ${CALL} ${command.usage}` : error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
