import type { FastifyInstance, FastifyReply } from 'fastify';
import * as api from '../../contract/liquidaciones/liquidaciones.ts';
import { closablePeople } from '../ganancias/statements.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { listStatements, type Paper, readOpen, readStatement, writeCsv, writePdf } from './liquidaciones.ts';
import { writeTransferFile } from './transfer-file.ts';

/** Monthly statements to read, download and print; `ganancias` makes them. */
export const liquidacionesFeature: Feature = { name: 'liquidaciones', routes };

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listLiquidaciones, async ({ actor, query }) => listStatements(db, actor, query));
  route(app, api.listPorCerrar, async () => ({ data: await closablePeople(db) }));
  route(app, api.getAbierta, async ({ actor, query }) => readOpen(db, actor, query));
  route(app, api.getLiquidacion, async ({ actor, params, query }) => readStatement(db, actor, params.id, query));
  route(app, api.liquidacionCsv, async ({ actor, params, reply }) =>
    download(reply, 'text/csv; charset=utf-8', await writeCsv(db, actor, params.id)),
  );
  route(app, api.ficheroTransferencias, async ({ query }) => ({ data: await writeTransferFile(db, query) }));
  route(app, api.liquidacionPdf, async ({ actor, params, reply }) =>
    download(reply, 'application/pdf', await writePdf(db, actor, params.id)),
  );
}

function download(reply: FastifyReply, type: string, { name, content }: Paper): undefined {
  reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`);
  reply.send(Buffer.from(content));
}
