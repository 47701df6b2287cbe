import { sql } from 'kysely';
import type { BodyOut } from '../../contract/kit.ts';
import { type Actor, ROLES } from '../../contract/policy.ts';
import {
  DEFAULT_SETTINGS,
  type updateSettings as endpoint,
  type SecretName,
  type Settings,
  type ShownSettings,
  secretFields,
  settingFields,
} from '../../contract/settings.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import type { Feature } from '../kit/feature.ts';
import { decrypt, encrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';

type Stored = { data: Record<string, unknown>; version: number };
const FIELDS = Object.keys(settingFields) as (keyof Settings)[];
const SECRETS = Object.keys(secretFields) as SecretName[];

/** Reads the settings, with defaults filled in. */
export async function readSettings(db: Db | Tx): Promise<Settings> {
  return fill(await db.selectFrom('settings').select(['data', 'version']).executeTakeFirstOrThrow());
}

/** Reads the settings for display; of each secret, only whether it is set. */
export async function showSettings(db: Db | Tx): Promise<ShownSettings> {
  const row = await db.selectFrom('settings').select(['data', 'version']).executeTakeFirstOrThrow();
  return { ...fill(row), smtpPasswordSet: !!sealed(row).smtpPassword, apiKeySet: !!sealed(row).apiKey, version: row.version };
}

/** Decrypts a stored secret; undefined when not set. */
export async function readSecret(db: Db | Tx, secretKey: string, name: SecretName): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select(['data', 'version']).executeTakeFirstOrThrow();
  const value = sealed(row)[name];
  return value ? decrypt(secretKey, value) : undefined;
}

/**
 * Updates the given settings and lets `features` react in the same transaction.
 * Throws 409 for a stale version.
 */
export async function updateSettings(
  db: Db,
  actor: Actor,
  { secretKey, features }: { secretKey: string; features: readonly Feature[] },
  input: BodyOut<typeof endpoint>,
): Promise<ShownSettings> {
  return transact(db, async (tx) => {
    const row = await tx.selectFrom('settings').select(['data', 'version']).forUpdate().executeTakeFirstOrThrow();
    if (input.version !== undefined && input.version !== row.version)
      throw conflict('Otra persona ha cambiado la configuración mientras la tenías abierta', 'version');
    const before = fill(row);
    const changed = FIELDS.filter((field) => input[field] !== undefined && input[field] !== before[field]);
    const secrets = SECRETS.filter((name) => input[name] !== undefined);
    if (changed.length || secrets.length) {
      const data = {
        ...row.data,
        ...Object.fromEntries(changed.map((field) => [field, input[field]])),
        secrets: {
          ...sealed(row),
          ...Object.fromEntries(secrets.map((name) => [name, input[name] ? encrypt(secretKey, input[name]) : null])),
        },
      };
      await sql`UPDATE settings SET data = ${JSON.stringify(data)}::jsonb, version = version + 1`.execute(tx);
      for (const { settingsChanged } of features) await settingsChanged?.(tx, changed);
      const pick = (from: Partial<Settings>) => Object.fromEntries(changed.map((field) => [field, from[field]]));
      await audit(tx, actor, {
        type: 'configuracion',
        action: 'update',
        entity_type: 'settings',
        description: 'Configuración cambiada',
        antes: pick(before),
        despues: { ...pick(input as Partial<Settings>), ...Object.fromEntries(secrets.map((name) => [name, '(secreto)'])) },
      });
      await emit(tx, { topic: 'settings', roles: ROLES });
    }
    return showSettings(tx);
  });
}

function fill({ data }: Stored): Settings {
  const known = Object.entries(data).filter(([field]) => field in settingFields);
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(known) };
}

function sealed({ data }: Stored): Partial<Record<SecretName, string | null>> {
  return (data.secrets ?? {}) as Partial<Record<SecretName, string | null>>;
}
