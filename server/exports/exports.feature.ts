import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/exports/exports.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { buildExports } from './build.job.ts';
import { cancelExport, createExport, listExports, readExport } from './exports.ts';

/** Exports of orders, money collected at the door and people, as Excel or CSV. */
export const exportsFeature: Feature = {
  name: 'exports',
  tables: { exports: 'passing' },
  routes,
  jobs: ({ db, freeRoom }) => [{ name: 'exportar', cron: '*/5 * * * *', expireInSeconds: 1800, run: () => buildExports(db, freeRoom) }],
};

const TYPES: Record<string, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listExports, async ({ actor }) => ({ data: await listExports(db, actor) }));
  route(app, api.createExport, async ({ actor, body }) => asDone('Exportación en curso', await createExport(db, actor, body)));
  route(app, api.cancelExport, async ({ actor, params }) => asDone('Exportación cancelada', await cancelExport(db, actor, params.id)));
  route(app, api.downloadExport, async ({ actor, params, reply }) => {
    const { name, content } = await readExport(db, actor, params.id);
    reply
      .header('content-type', TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
      .header('content-disposition', `attachment; filename="${name}"`);
    reply.send(Buffer.from(content));
    return undefined;
  });
}
