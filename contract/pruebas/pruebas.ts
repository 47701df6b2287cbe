import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import { type Delivery, type Facts, MAX_PIN_FALLOS, MAX_PRUEBA_BYTES, type PruebaPedida, type TipoPrueba } from './fields.ts';
import type * as schemas from './schemas.ts';

/** Rules in force, by way of delivery. */
export type ReglasEntrega = z.infer<typeof schemas.reglasEntrega>;

/** Returns Spanish error sentences, by input, for required proofs that are missing; empty if complete. */
export function missingProofs(
  reglas: ReglasEntrega,
  delivery: Delivery,
  { fallos, tienePin }: Pick<Facts, 'fallos' | 'tienePin'>,
): Record<string, string> {
  const { forma_entrega: forma } = delivery;
  if (!forma) return { forma_entrega: 'Indica cómo se ha entregado' };
  const asks = (what: PruebaPedida) => reglas[forma][what] === 'obligatoria';
  const lacks = (tipo: TipoPrueba) => asks(tipo) && !delivery.pruebas?.some((prueba) => prueba.tipo === tipo);
  const withoutPin = asks('pin') && tienePin && !delivery.pin;
  return {
    ...(asks('receptor') && !delivery.receptor_nombre && { receptor_nombre: 'Escribe quién lo recibe' }),
    ...(asks('receptor') && forma === 'otra_persona' && !delivery.receptor_relacion && { receptor_relacion: 'Indica qué relación tiene' }),
    ...(lacks('firma') && { firma: 'Falta la firma' }),
    ...(lacks('foto') && { foto: 'Falta la foto' }),
    ...(withoutPin && fallos < MAX_PIN_FALLOS && { pin: 'Pide al cliente el PIN de su página' }),
    ...(withoutPin && fallos >= MAX_PIN_FALLOS && !delivery.motivo && { motivo: 'Indica por qué se entrega sin PIN' }),
  };
}

export type Entrega = z.infer<typeof schemas.entrega>;
export type Prueba = z.infer<typeof schemas.prueba>;

export const getEntrega = endpoint<typeof schemas.getEntrega>()('GET', '/api/pedidos/:id/pruebas', 'pedido:contact');

export const sendPrueba = endpoint<typeof schemas.sendPrueba>()('POST', '/api/pedidos/:id/pruebas', {
  action: 'pedido:prove',
  bodyLimit: MAX_PRUEBA_BYTES,
});

export const getFichero = endpoint<typeof schemas.getFichero>()('GET', '/api/pruebas/:id/fichero', 'pedido:proofs');
