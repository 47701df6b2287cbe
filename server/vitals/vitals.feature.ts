import * as api from '../../contract/vitals/vitals.ts';
import type { Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { compareVersions, countVitals, deleteOldVitals, listVitals, vitalsFigures } from './vitals.ts';

/** Seconds that people's browsers wait, counted by screen, role and kind of device. */
export const vitalsFeature: Feature = {
  name: 'vitals',
  tables: { velocidad: 'passing' },
  routes: (app, { db }) => {
    const labels = 'screen role device measure';
    app.metrics?.addGauge('enruta_screen_p75', 'Third quartile of 28 days: ms, cls in thousandths', () => vitalsFigures(db), labels);
    route(app, api.sendVitals, ({ actor, body }) => doneAfter(countVitals(db, actor, body), 'Contado'));
    route(app, api.listVitals, async () => ({ data: await listVitals(db) }));
  },
  jobs: ({ db }) => [{ name: 'velocidad', cron: '23 6 * * *', run: () => compareVersions(db) }],
  clean: deleteOldVitals,
};
