import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/facturables/facturables.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { plural } from '../../contract/text/plural.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { fillRates, listUntaxed, setSupply } from '../pedidos/escritura/rates.ts';
import { beginIva } from '../settings/settings.ts';
import { listFacturables, releasedWords, releaseFacturables, sumFacturables, takeFacturables, takenWords } from './facturables.ts';
import { writeFacturables } from './file.ts';
import { settleAll } from './settle.ts';

/** Rows for the shop's invoicing program, which add up to the delivered orders. */
export const facturablesFeature: Feature = {
  name: 'facturables',
  tables: { facturables_documentos: 'kept', facturables: 'kept', facturables_seguimiento: 'passing' },
  routes,
  jobs: ({ db }) => [{ name: 'facturables', cron: '* * * * *', run: () => settleAll(db) }],
  settingsChanged: async (tx, { changed }) => {
    if (changed.includes('iva')) await beginIva(tx);
  },
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listFacturables, async ({ query }) => listFacturables(db, query));
  route(app, api.resumenFacturables, async ({ query }) => sumFacturables(db, query));
  route(app, api.ficheroFacturables, async ({ actor, query, reply }) => {
    const { name, content } = await writeFacturables(db, actor, query);
    const type = query.formato === 'csv' ? 'text/csv; charset=utf-8' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`);
    reply.send(Buffer.from(content));
    return undefined;
  });
  route(app, api.tomarFacturables, async ({ actor, body }) => {
    const taken = await takeFacturables(db, actor, body);
    return { success: true, message: takenWords(taken.marcadas), ...taken };
  });
  route(app, api.soltarFacturables, async ({ actor, body }) => {
    const soltadas = await releaseFacturables(db, actor, body.tomada_at);
    return { success: true, message: releasedWords(soltadas), soltadas };
  });
  route(app, api.listSinTipo, async () => ({ data: await listUntaxed(db) }));
  route(app, api.ponerIntracomunitaria, async ({ actor, body }) => ({ success: true, message: await setSupply(db, actor, body) }));
  route(app, api.ponerTipos, async ({ actor, body }) => {
    const filled = await fillRates(db, actor, body);
    const some = `Puesto en ${plural(filled.lineas, 'línea')}`;
    const done = filled.lineas ? some : 'Ningún producto tiene tipo todavía';
    const rest = filled.sin_tipo.length ? `. Sin tipo todavía: ${filled.sin_tipo.join(', ')}` : '';
    return asDone(`${done}${rest}`, filled);
  });
}
