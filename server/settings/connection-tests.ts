import { sql } from 'kysely';
import type { Db, Engine } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { handshake } from '../mail/send.ts';
import { readSecret, readSettings } from './settings.ts';

type Finding = { nombre: string; valor: string };

/** What the database is, how long it takes to answer, how big it is and what it promises. */
export async function testDatabase(db: Db, engine: Engine): Promise<Finding[]> {
  const begun = performance.now();
  await sql`SELECT 1`.execute(db);
  const ms = performance.now() - begun;
  const { rows } = await sql<{ version: string; size: number; fsync: string; commit: string }>`
    SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size,
      current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('a SELECT without FROM has one row');
  const durable = found.fsync === 'on' && found.commit !== 'off';
  return [
    { nombre: 'Motor', valor: engine === 'pglite' ? 'PostgreSQL integrado (PGlite)' : 'PostgreSQL' },
    { nombre: 'Versión', valor: found.version },
    { nombre: 'Ida y vuelta', valor: `${ms.toFixed(1).replace('.', ',')} ms` },
    { nombre: 'Tamaño', valor: `${(found.size / 1024 ** 2).toFixed(1).replace('.', ',')} MB` },
    { nombre: 'Durabilidad', valor: durable ? 'Resiste un corte de corriente' : 'Resiste la caída del programa, no un corte de corriente' },
  ];
}

/** Connects and signs in to the mail server of the settings. Throws 422 for what is missing, 409 for what it answered. */
export async function testMail(db: Db, secretKey: string): Promise<Finding[]> {
  const settings = await readSettings(db);
  if (settings.emailProvider === 'smtp' && (!settings.smtpHost || !settings.smtpUser)) {
    throw new DomainError(422, 'Indica y guarda el servidor y el usuario SMTP antes de probar', {
      errors: { smtpHost: ['Obligatorio para probar'] },
    });
  }
  const account = {
    ...settings,
    smtpPassword: await readSecret(db, secretKey, 'smtpPassword'),
    apiKey: await readSecret(db, secretKey, 'apiKey'),
  };
  const begun = performance.now();
  try {
    await handshake(account);
  } catch (error) {
    throw new DomainError(409, `El servidor de correo no aceptó la conexión: ${error instanceof Error ? error.message : error}`);
  }
  return [
    { nombre: 'Servidor', valor: settings.emailProvider === 'smtp' ? `${settings.smtpHost}:${settings.smtpPort}` : settings.emailProvider },
    { nombre: 'Respuesta', valor: `${Math.round(performance.now() - begun)} ms` },
  ];
}
