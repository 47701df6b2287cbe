import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/envios/envios.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { plural } from '../../contract/text/plural.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { createEnvio, envioFile, listEnvios, listPlantillas, updatePlantilla } from './envios.ts';
import { sacarDeEnvio } from './hands.ts';
import { checkRespuesta, readRespuesta } from './respuesta.ts';
import { deleteOldAnswers, previewUndo, undoAnswer } from './undo-answer.ts';

/** Shipments handed to delivery companies: a file per company template, and the files with which companies answer. */
export const enviosFeature: Feature = {
  name: 'envios',
  tables: { plantillas_envio: 'kept', envios: 'kept', envios_pedidos: 'kept', respuestas: 'kept', respuestas_pedidos: 'kept' },
  routes,
  clean: deleteOldAnswers,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listPlantillas, async () => ({ data: await listPlantillas(db) }));
  route(app, api.updatePlantilla, async ({ actor, params, body }) =>
    asDone('Plantilla guardada', await updatePlantilla(db, actor, params.empresa, body)),
  );
  route(app, api.listEnvios, async () => ({ success: true, data: await listEnvios(db) }));
  route(app, api.createEnvio, async ({ actor, body }) => {
    const { envio, avisos } = await createEnvio(db, actor, body);
    return { ...asDone('Envío creado', envio), avisos };
  });
  route(app, api.sacarDeEnvio, async ({ actor, body }) => {
    const sacados = await sacarDeEnvio(db, actor, body.ids);
    return { message: plural(sacados, 'pedido sacado de su envío', 'pedidos sacados de su envío'), sacados };
  });
  route(app, api.envioFichero, async ({ params, reply }) => {
    const { name, content } = await envioFile(db, params.id);
    reply.header('content-type', 'text/csv').header('content-disposition', `attachment; filename="${name}"`);
    reply.send(content);
    return undefined;
  });
  route(app, api.comprobarRespuesta, async ({ actor, params, body }) => ({ data: await checkRespuesta(db, actor, params.id, body.filas) }));
  route(app, api.verRespuesta, async ({ actor, params }) => ({ data: await previewUndo(db, actor, params.id) }));
  route(app, api.deshacerRespuesta, async ({ actor, params, body }) =>
    asDone('Respuesta deshecha', await undoAnswer(db, actor, params.id, body)),
  );
  route(app, api.leerRespuesta, async ({ actor, params, body }) => readRespuesta(db, actor, params.id, body.filas));
}
