import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/settings/settings.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { delivered } from '../outbox/undelivered.ts';
import { sendDueMails } from './mail.job.ts';
import { testMail } from './test-mail.ts';

/** E-mail: notifications at once or in digests. */
export const mailFeature: Feature = {
  name: 'mail',
  routes,
  jobs: ({ db, config }) => [{ name: 'correo', cron: '* * * * *', run: () => delivered(db, 'correo', () => sendDueMails(db, config)) }],
};

function routes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.testMail, async () => ({ message: 'Conexión exitosa', data: await testMail(db, secretKey) }));
}
