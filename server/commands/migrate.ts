import { claimSecretKey } from '../settings/secret-key.ts';
import { type Command, UsageError, withDatabase } from './command.ts';

export const migrateCommand: Command = {
  usage: 'migrate',
  what: 'pone la base de datos al día, como hace el arranque',
  run: async (args, given) => {
    if (args.length) throw new UsageError();
    await withDatabase(given, (db) => claimSecretKey(db, given.config.secretKey));
    console.log('La base de datos está al día.');
  },
};
