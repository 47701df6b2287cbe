import type { Feature } from '../kit/feature.ts';
import { delivered } from '../outbox/undelivered.ts';
import { sendDueMails } from './mail.job.ts';
import { mailRoutes } from './mail.routes.ts';

/** E-mail: notifications at once or in digests. */
export const mailFeature: Feature = {
  name: 'mail',
  routes: mailRoutes,
  jobs: ({ db, config }) => [{ name: 'correo', cron: '* * * * *', run: () => delivered(db, 'correo', () => sendDueMails(db, config)) }],
};
