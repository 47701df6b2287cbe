import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Plantilla = z.infer<typeof schemas.plantilla>;
export type Envio = z.infer<typeof schemas.envio>;
export type FilaRespuesta = z.output<typeof schemas.filaRespuesta>;
export type FilaLeida = z.infer<typeof schemas.leida>;

export const listPlantillas = endpoint<typeof schemas.listPlantillas>()('GET', '/api/plantillas-envio', 'pedido:batch');

export const updatePlantilla = endpoint<typeof schemas.updatePlantilla>()('PUT', '/api/plantillas-envio/:empresa', 'settings:manage');

export const listEnvios = endpoint<typeof schemas.listEnvios>()('GET', '/api/envios', 'pedido:batch');

/** Marks orders as a batch; the file is downloaded separately. */
export const createEnvio = endpoint<typeof schemas.createEnvio>()('POST', '/api/envios', 'pedido:batch');

export const sacarDeEnvio = endpoint<typeof schemas.sacarDeEnvio>()('POST', '/api/envios/sacar', 'pedido:batch');
export const envioFichero = endpoint<typeof schemas.envioFichero>()('GET', '/api/envios/:id/fichero', 'pedido:batch');

const MAX_BYTES = 1_000_000;

export const comprobarRespuesta = endpoint<typeof schemas.comprobarRespuesta>()('POST', '/api/envios/:id/respuesta/comprobar', {
  action: 'pedido:batch',
  bodyLimit: MAX_BYTES,
});

export const verRespuesta = endpoint<typeof schemas.verRespuesta>()('GET', '/api/envios/respuestas/:id/deshacer', 'pedido:batch');

export const deshacerRespuesta = endpoint<typeof schemas.deshacerRespuesta>()(
  'POST',
  '/api/envios/respuestas/:id/deshacer',
  'pedido:batch',
);

export const leerRespuesta = endpoint<typeof schemas.leerRespuesta>()('POST', '/api/envios/:id/respuesta', {
  action: 'pedido:batch',
  bodyLimit: MAX_BYTES,
});
