import type { z } from 'zod';
import type * as schemas from './entrega.schemas.ts';
import { endpoint } from './kit.ts';

/* Proof of delivery (decision 057): what each way of delivery asks of a carrier, by settings. */

export const FORMAS_ENTREGA = ['en_mano', 'otra_persona', 'lugar_seguro', 'empresa'] as const;
export type FormaEntrega = (typeof FORMAS_ENTREGA)[number];
export const FORMA_LABEL: Record<FormaEntrega, string> = {
  en_mano: 'En mano',
  otra_persona: 'A otra persona',
  lugar_seguro: 'En lugar seguro',
  empresa: 'Empresa de transporte',
};

export const RELACIONES = ['familiar', 'companero', 'portero', 'vecino', 'otro'] as const;
export type Relacion = (typeof RELACIONES)[number];
export const RELACION_LABEL: Record<Relacion, string> = {
  familiar: 'Familiar',
  companero: 'Compañero',
  portero: 'Portero',
  vecino: 'Vecino',
  otro: 'Otro',
};

export type PruebaPedida = 'receptor' | 'firma' | 'foto' | 'pin';
export const PRUEBA_LABEL: Record<PruebaPedida, string> = {
  receptor: 'nombre de quien recibe',
  firma: 'firma',
  foto: 'foto',
  pin: 'PIN del cliente',
};
/** Proofs that each way of delivery can have: at a safe place there is no receiver to sign, and a carrier company knows no PIN. */
export const PRUEBAS_DE = {
  en_mano: ['receptor', 'firma', 'foto', 'pin'],
  otra_persona: ['receptor', 'firma', 'foto', 'pin'],
  lugar_seguro: ['foto'],
  empresa: ['receptor', 'firma', 'foto'],
} as const satisfies Record<FormaEntrega, readonly PruebaPedida[]>;

export const EXIGENCIAS = { no: 'No se pide', ofrecida: 'Se ofrece', obligatoria: 'Obligatoria' } as const;
export type Exigencia = keyof typeof EXIGENCIAS;

/** Proofs that are files, sent after the step that announces them. */
export const TIPOS_PRUEBA = ['firma', 'foto'] as const;
export type TipoPrueba = (typeof TIPOS_PRUEBA)[number];
export const TIPO_LABEL: Record<TipoPrueba, string> = { firma: 'Firma', foto: 'Foto' };
export const MAX_PRUEBA_BYTES = 1024 * 1024;
/** Announced files of one delivery. */
export const MAX_PRUEBAS = 4;

/** Wrong PINs after which a reason takes the place of the PIN. */
export const MAX_PIN_FALLOS = 3;

/** Rules in force, by way of delivery; null where the shop asks for no proof. */
export type ReglasEntrega = z.infer<typeof schemas.reglasEntrega>;

type Given = {
  forma_entrega?: FormaEntrega | null | undefined;
  receptor_nombre?: string | null | undefined;
  receptor_relacion?: Relacion | null | undefined;
  pin?: string | null | undefined;
  motivo?: string | null | undefined;
  pruebas?: readonly { tipo: TipoPrueba }[] | null | undefined;
};
type Facts = {
  /** Whether the customer lets a neighbour take it. */
  vecino: boolean;
  /** Wrong PINs so far. */
  fallos: number;
  /** Whether the customer has a page that shows the PIN. */
  tienePin: boolean;
};

/** Error sentences, by input, of what the rules require and the delivery lacks; empty if complete. */
export function faltas(
  reglas: ReglasEntrega,
  given: Given,
  { fallos, tienePin }: Pick<Facts, 'fallos' | 'tienePin'>,
): Record<string, string> {
  const { forma_entrega: forma } = given;
  if (!forma) return { forma_entrega: 'Indica cómo se ha entregado' };
  const asks = (what: PruebaPedida) => reglas[forma][what] === 'obligatoria';
  const lacks = (tipo: TipoPrueba) => asks(tipo) && !given.pruebas?.some((prueba) => prueba.tipo === tipo);
  const withoutPin = asks('pin') && tienePin && !given.pin;
  return {
    ...(asks('receptor') && !given.receptor_nombre && { receptor_nombre: 'Escribe quién lo recibe' }),
    ...(asks('receptor') && forma === 'otra_persona' && !given.receptor_relacion && { receptor_relacion: 'Indica qué relación tiene' }),
    ...(lacks('firma') && { firma: 'Falta la firma' }),
    ...(lacks('foto') && { foto: 'Falta la foto' }),
    ...(withoutPin && fallos < MAX_PIN_FALLOS && { pin: 'Pide al cliente el PIN de su página' }),
    ...(withoutPin && fallos >= MAX_PIN_FALLOS && !given.motivo && { motivo: 'Indica por qué se entrega sin PIN' }),
  };
}

/** Error sentences of what no setting allows; asked of everyone. */
export function faltaPermiso({ forma_entrega, receptor_relacion }: Given, { vecino }: Pick<Facts, 'vecino'>): Record<string, string> {
  if (forma_entrega !== 'otra_persona' || receptor_relacion !== 'vecino' || vecino) return {};
  return { receptor_relacion: 'El cliente no ha permitido dejarlo a un vecino: puede hacerlo en su página' };
}

/** One line about a delivery for people: «A otra persona: Luis Gil (portero)». */
export function palabrasEntrega({ forma_entrega, receptor_nombre, receptor_relacion }: Given): string | null {
  if (!forma_entrega) return null;
  const relacion = receptor_relacion && ` (${RELACION_LABEL[receptor_relacion].toLowerCase()})`;
  const who = [receptor_nombre, relacion].filter(Boolean).join('');
  return `${FORMA_LABEL[forma_entrega]}${who && `: ${who.trim()}`}`;
}

export type Entrega = z.infer<typeof schemas.entrega>;
export type Prueba = z.infer<typeof schemas.prueba>;

export const getEntrega = endpoint<typeof schemas.getEntrega>()('GET', '/api/pedidos/:id/pruebas', { action: 'pedido:contact' });

export const sendPrueba = endpoint<typeof schemas.sendPrueba>()('POST', '/api/pedidos/:id/pruebas', {
  action: 'pedido:prove',
  bodyLimit: MAX_PRUEBA_BYTES,
});

export const getFichero = endpoint<typeof schemas.getFichero>()('GET', '/api/pruebas/:id/fichero', { action: 'pedido:proofs' });
