import { sql } from 'kysely';
import type { Answer } from '../../contract/kit/endpoint.ts';
import type { testDatabase as endpoint } from '../../contract/settings/settings.ts';
import type { Db } from '../db/open.ts';

/** Returns the database's version, response time, size and durability. */
export async function testDatabase(db: Db, isOwn: boolean): Promise<Answer<typeof endpoint>['data']> {
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
    { nombre: 'Motor', valor: isOwn ? 'PostgreSQL propio de Enruta' : 'PostgreSQL' },
    { nombre: 'Versión', valor: found.version },
    { nombre: 'Ida y vuelta', valor: `${ms.toFixed(1).replace('.', ',')} ms` },
    { nombre: 'Tamaño', valor: `${(found.size / 1024 ** 2).toFixed(1).replace('.', ',')} MB` },
    {
      nombre: 'Durabilidad',
      valor: durable ? 'Resiste un corte de corriente' : 'No resiste un corte de corriente: fsync o synchronous_commit están apagados',
    },
  ];
}
