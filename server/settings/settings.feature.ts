import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit/endpoint.ts';
import * as api from '../../contract/settings/settings.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { sendPicture } from '../kit/picture.ts';
import { route } from '../kit/route.ts';
import { beginSilence, endSilence, readLogo, setLogo, showSettings, updateSettings } from './settings.ts';
import { testDatabase } from './test-database.ts';

/** Settings of the business. */
export const settingsFeature: Feature = {
  name: 'settings',
  tables: { settings: 'kept', logo_empresa: 'kept', secret_keys: 'apart' },
  routes,
  settingsChanged: beginSilence,
  clean: endSilence,
};

function routes(app: FastifyInstance, { db, config: { secretKey, databaseUrl }, features }: Deps): void {
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
