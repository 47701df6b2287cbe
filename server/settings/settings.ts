import { sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, ROLES, SISTEMA } from '../../contract/policy/policy.ts';
import { SETTINGS } from '../../contract/settings/fields.ts';
import { type updateSettings as endpoint, getLogo, type ShownSettings } from '../../contract/settings/settings.ts';
import {
  DEFAULT_SETTINGS,
  SECRET_NAMES,
  SETTING_NAMES,
  type SecretName,
  type Settings,
  type TERMS,
} from '../../contract/settings/values.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { invalid, notFound, refuseStale } from '../kit/errors.ts';
import type { Feature, SettingsChange } from '../kit/feature.ts';
import { checkedPicture, isWholePicture } from '../kit/picture.ts';
import { VERSION } from '../kit/release.ts';
import { decrypt, encrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { heldUntil, holdTerms, termInForce } from './terms.ts';

export type StoredSettings = Record<string, unknown>;
type Stored = { data: StoredSettings; version: number };

export const readSettings = async (db: Db | Tx): Promise<Settings> =>
  settingsFrom((await db.selectFrom('settings').select('data').executeTakeFirstOrThrow()).data);

/** Reads a retention term: the value in force, and until when (ISO 8601) it differs from the setting. */
export async function readTermInForce(db: Db | Tx, term: (typeof TERMS)[number]): Promise<{ value: number; until: string | undefined }> {
  const { data } = await db.selectFrom('settings').select('data').executeTakeFirstOrThrow();
  return { value: termInForce(data, term), until: heldUntil(data, term) };
}

/** Reads the settings for display; of secrets, only whether they are set. */
export async function showSettings(db: Db | Tx): Promise<ShownSettings> {
  const row = await db.selectFrom('settings').select(['data', 'version']).executeTakeFirstOrThrow();
  const secrets = sealed(row);
  const areSet = Object.fromEntries(SECRET_NAMES.map((name) => [`${name}Set`, !!secrets[name]])) as Record<`${SecretName}Set`, boolean>;
  const logo = await logoAddress(db);
  const settings = settingsFrom(row.data);
  const addresses = { companyEmail: shownEmail(settings.companyEmail), mailFrom: shownEmail(settings.mailFrom) };
  return { ...settings, ...addresses, ...areSet, logo, version: row.version };
}

export type SecretSettings = Settings & Partial<Record<SecretName, string>>;

/** Reads settings and decrypted secrets in one query, so that a secret never meets another server's settings. */
export async function readSecretSettings(db: Db | Tx, secretKey: string): Promise<SecretSettings> {
  const row = await db.selectFrom('settings').select(['data', 'version']).executeTakeFirstOrThrow();
  return decryptSettings(row.data, secretKey);
}

/** Decrypts the secrets of the stored settings. */
export function decryptSettings(data: StoredSettings, secretKey: string): SecretSettings {
  const secrets = Object.entries(sealed({ data })).flatMap(([name, value]) => (value ? [[name, decrypt(secretKey, value)]] : []));
  return { ...settingsFrom(data), ...Object.fromEntries(secrets) };
}

/** Updates settings; `features` react in the transaction. Deletes a secret whose server changes. Throws 409 for a stale version. */
export const updateSettings = async (
  db: Db,
  actor: Actor,
  { secretKey, features }: { secretKey: string; features: readonly Feature[] },
  input: BodyOut<typeof endpoint>,
): Promise<ShownSettings> =>
  transact(db, async (tx) => {
    const row = await tx.selectFrom('settings').select(['data', 'version']).forUpdate().executeTakeFirstOrThrow();
    refuseStale(row, input.version, 'la configuración');
    const before = settingsFrom(row.data);
    const changed = SETTING_NAMES.filter((field) => input[field] !== undefined && input[field] !== before[field]);
    const stored = sealed(row);
    const isForgotten = (name: SecretName) =>
      !!stored[name] && changed.some((field) => (SETTINGS[name].isFor as readonly string[]).includes(field));
    const secrets = SECRET_NAMES.filter((name) => input[name] !== undefined || isForgotten(name));
    if (changed.length || secrets.length) {
      const pick = (from: Partial<Settings>) => Object.fromEntries(changed.map((field) => [field, from[field]]));
      const { heldTerms, isShorter } = holdTerms(row.data, pick(input as Partial<Settings>));
      const data = {
        ...row.data,
        ...pick(input as Partial<Settings>),
        heldTerms,
        secrets: {
          ...stored,
          ...Object.fromEntries(secrets.map((name) => [name, input[name] ? encrypt(secretKey, input[name]) : null])),
        },
      };
      await sql`UPDATE settings SET data = ${JSON.stringify(data)}::jsonb, version = version + 1`.execute(tx);
      const change: SettingsChange = { actor, changed: [...changed, ...secrets], isShorter };
      for (const { settingsChanged } of features) await settingsChanged?.(tx, change);
      await audit(tx, actor, {
        action: 'update',
        entity_type: 'settings',
        description: 'Configuración cambiada',
        antes: pick(before),
        despues: {
          ...pick(input as Partial<Settings>),
          ...Object.fromEntries(secrets.map((name) => [name, input[name] ? '(secreto)' : '(borrado)'])),
        },
      });
      emit(tx, { topic: 'settings', roles: ROLES });
    }
    return showSettings(tx);
  });

export function settingsFrom(data: StoredSettings): Settings {
  const known = Object.entries(data).filter(([field]) => field in DEFAULT_SETTINGS);
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(known) };
}

const sealed = ({ data }: Pick<Stored, 'data'>): Partial<Record<SecretName, string | null>> =>
  (data.secrets ?? {}) as Partial<Record<SecretName, string | null>>;

/** Returns the URL of the logo, which changes with each new logo; null without a logo. */
export async function logoAddress(db: Db | Tx): Promise<string | null> {
  const row = await db.selectFrom('logo_empresa').select('digest').executeTakeFirst();
  return row ? `${getLogo.path}?v=${row.digest}` : null;
}

/** Stores today as the first day of VAT when VAT is switched on, unless a day is set. Earlier deliveries are not for the invoicing program. */
export async function beginIva(tx: Tx): Promise<void> {
  await sql`UPDATE settings SET data = data || jsonb_build_object('ivaDesde', dia_negocio(now())::text)
    WHERE (data ->> 'iva')::boolean AND coalesce(data ->> 'ivaDesde', '') = ''`.execute(tx);
}

/** Returns the stored settings to the first caller of this version, also among several instances; undefined to the others. */
export async function claimFailedMigration(db: Db): Promise<StoredSettings | undefined> {
  const { rows } = await sql<{ data: StoredSettings }>`
    UPDATE settings SET data = data || jsonb_build_object('failedMigrationTold', ${VERSION}::text)
    WHERE data ->> 'failedMigrationTold' IS DISTINCT FROM ${VERSION}::text RETURNING data`.execute(db);
  return rows[0]?.data;
}

/** Lets the next failed start send the mail again. */
export async function releaseFailedMigration(db: Db): Promise<void> {
  await sql`UPDATE settings SET data = data - 'failedMigrationTold'`.execute(db);
}

/** Returns the logo and its media type. Throws 404 without a logo. */
export async function readLogo(db: Db): Promise<{ content: Uint8Array; type: 'image/png' | 'image/jpeg' }> {
  const { content } = await db
    .selectFrom('logo_empresa')
    .select('content')
    .executeTakeFirstOrThrow(() => notFound());
  return { content, type: content[0] === 0x89 ? 'image/png' : 'image/jpeg' };
}

/** Sets the logo (JPEG or PNG in base64), or removes it (null). Throws 422 for any other format (an SVG could run scripts) and for a picture that is cut off. */
export async function setLogo(db: Db, actor: Actor, logo: string | null): Promise<ShownSettings> {
  const content = logo === null ? null : checkedPicture('logo', logo, ['jpg', 'png']);
  if (content && !isWholePicture(content)) throw invalid('logo', 'La imagen está incompleta: elige otra vez el archivo');
  return transact(db, async (tx) => {
    await tx.deleteFrom('logo_empresa').execute();
    if (content) await tx.insertInto('logo_empresa').values({ content }).execute();
    await audit(tx, actor, { action: 'update', entity_type: 'settings', description: content ? 'Logo cambiado' : 'Logo quitado' });
    emit(tx, { topic: 'settings', roles: ROLES });
    return showSettings(tx);
  });
}

/** Days that the warning about backups on this disk alone stays off. */
const DAYS = 30;

/** Starts the thirty days when the warning is turned off. */
export async function beginSilence(tx: Tx, { changed }: SettingsChange): Promise<void> {
  if (changed.includes('warnBackupsHere')) await sql`UPDATE settings SET data = data || ${SINCE}`.execute(tx);
}
const SINCE = sql`jsonb_build_object('warnBackupsHereSince', now())`;

/** Turns the warning on again after thirty days. */
export async function endSilence(db: Db): Promise<void> {
  await transact(db, async (tx) => {
    // Starts the thirty days now if a version without this date turned the warning off.
    await sql`UPDATE settings SET data = data || ${SINCE} WHERE data ->> 'warnBackupsHere' = 'false' AND NOT data ? 'warnBackupsHereSince'`.execute(
      tx,
    );
    const { numAffectedRows } = await sql`
      UPDATE settings SET data = data - 'warnBackupsHereSince' || '{"warnBackupsHere": true}', version = version + 1
      WHERE data ->> 'warnBackupsHere' = 'false' AND (data ->> 'warnBackupsHereSince')::timestamptz < now() - ${DAYS} * interval '1 day'`.execute(
      tx,
    );
    if (!numAffectedRows) return;
    await audit(tx, SISTEMA, {
      action: 'update',
      entity_type: 'settings',
      description: `Aviso de las copias encendido otra vez, a los ${DAYS} días`,
      antes: { warnBackupsHere: false },
      despues: { warnBackupsHere: true },
    });
    emit(tx, { topic: 'settings', roles: ROLES });
  });
}

/** Returns the holder of the shop's account, with whom banks compare the name of a transfer (Regulation (EU) 2024/886); empty if unnamed. */
export const accountHolder = ({ companyHolder, companyName }: Pick<Settings, 'companyHolder' | 'companyName'>): string =>
  companyHolder || companyName;
