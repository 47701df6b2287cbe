import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Answer, asDone } from '../../contract/kit/endpoint.ts';
import * as api from '../../contract/settings/settings.ts';
import type { Db } from '../db/open.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { sendPicture } from '../kit/picture.ts';
import { route } from '../kit/route.ts';
import { installNetwork } from './network.ts';
import { beginSilence, endSilence, readLogo, setLogo, showSettings, updateSettings } from './settings.ts';

/** Settings and logo of the business, and the test of its database. */
export const settingsFeature: Feature = {
  name: 'settings',
  tables: { settings: 'kept', logo_empresa: 'kept', secret_keys: 'apart' },
  routes,
  settingsChanged: beginSilence,
  clean: endSilence,
};

function routes(app: FastifyInstance, { db, config, features }: Deps): void {
  const { secretKey, databaseUrl } = config;
  const network = installNetwork(app, { db, config, features });
  route(app, api.getRed, async () => ({ data: await network.read() }));
  route(app, api.setRed, async ({ actor, body }) =>
    asDone(
      body.abierta ? 'Ya se puede abrir desde el teléfono' : 'Cerrado: solo se abre en este ordenador',
      await network.set(actor, body),
    ),
  );
  route(app, api.comprobarDireccion, async ({ body }) => ({ data: await network.check(body.direccion) }));
  route(app, api.getSettings, async () => ({ data: await showSettings(db) }));
  route(app, api.updateSettings, async ({ actor, body }) =>
    asDone('Configuración guardada', await updateSettings(db, actor, { secretKey, features }, body)),
  );
  route(app, api.setLogo, async ({ actor, body }) =>
    asDone(body.logo ? 'Logo guardado' : 'Logo quitado', await setLogo(db, actor, body.logo)),
  );
  route(app, api.getLogo, async ({ query, reply }) => {
    const { content, type } = await readLogo(db);
    return sendPicture(reply, { content, type, lasting: query.v !== undefined });
  });
  route(app, api.testDatabase, async () => ({ message: 'Conexión exitosa', data: await testDatabase(db, !databaseUrl) }));
}

/** Returns the database's version, response time, size and durability. */
async function testDatabase(db: Db, isOwn: boolean): Promise<Answer<typeof api.testDatabase>['data']> {
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
