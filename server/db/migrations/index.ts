import type { Migration } from 'kysely/migration';
import * as initial from './001-initial.ts';
import * as notificationsAndMail from './002-notifications-and-mail.ts';
import * as lists from './003-lists.ts';
import * as exports from './004-exports.ts';
import * as payments from './005-payments.ts';
import * as accountsAndBackups from './006-accounts-and-backups.ts';
import * as auditSessionsIndexes from './007-audit-sessions-indexes.ts';
import * as push from './008-push.ts';
import * as searchAndNames from './009-search-and-names.ts';

/** In the order of their names; one that has been released is never changed. */
export const migrations: Record<string, Migration> = {
  '001-initial': initial,
  '002-notifications-and-mail': notificationsAndMail,
  '003-lists': lists,
  '004-exports': exports,
  '005-payments': payments,
  '006-accounts-and-backups': accountsAndBackups,
  '007-audit-sessions-indexes': auditSessionsIndexes,
  '008-push': push,
  '009-search-and-names': searchAndNames,
};
