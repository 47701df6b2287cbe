import { claimSecretKey } from '../settings/secret-key.ts';
import { type Command, UsageError, withDatabase } from './command.ts';

export const migrateCommand: Command = {
  usage: 'migrate',
  what: 'pone la base de datos al día, como hace el arranque',
  run: async (args, context) => {
    if (args.length) throw new UsageError();
    await withDatabase(context, (db) => claimSecretKey(db, context.config.secretKey));
    console.log('La base de datos está al día.');
  },
};
