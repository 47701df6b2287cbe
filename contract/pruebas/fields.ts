/* Proof of delivery (decision 057): the proofs that the settings require of a carrier for each way of delivery. */

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
/** Maximum number of announced files per delivery. */
export const MAX_PRUEBAS = 4;

/** Number of wrong PINs after which a reason replaces the PIN. */
export const MAX_PIN_FALLOS = 3;

/** Proofs that the shop requires and a delivery recorded late lacks (decision 091). */
export const SIN_COMPROBAR = {
  pin: 'PIN no comprobado',
  vecino: 'Sin permiso del cliente para dejarlo a un vecino',
  forma: 'Sin decir cómo se entregó',
  receptor: 'Sin nombre o relación de quien lo recibe',
  firma: 'Sin firma',
  foto: 'Sin foto',
} as const;
export type SinComprobar = keyof typeof SIN_COMPROBAR;
export const palabrasSinComprobar = (lacks: readonly SinComprobar[]): string => lacks.map((lack) => SIN_COMPROBAR[lack]).join(', ');

export type Delivery = {
  forma_entrega?: FormaEntrega | null | undefined;
  receptor_nombre?: string | null | undefined;
  receptor_relacion?: Relacion | null | undefined;
  pin?: string | null | undefined;
  motivo?: string | null | undefined;
  pruebas?: readonly { tipo: TipoPrueba }[] | null | undefined;
};
export type Facts = {
  /** True if the customer allows delivery to a neighbour. */
  vecino: boolean;
  /** Number of wrong PINs so far. */
  fallos: number;
  /** True if the customer has a page that shows the PIN. */
  tienePin: boolean;
};

/** Returns Spanish error sentences, by input, for deliveries that no setting allows; checked for every role. */
export function faltaPermiso({ forma_entrega, receptor_relacion }: Delivery, { vecino }: Pick<Facts, 'vecino'>): Record<string, string> {
  if (forma_entrega !== 'otra_persona' || receptor_relacion !== 'vecino' || vecino) return {};
  return { receptor_relacion: 'El cliente no ha permitido dejarlo a un vecino: puede hacerlo en su página' };
}

/** Describes a delivery in one line: «A otra persona: Luis Gil (portero)». */
export function palabrasEntrega({ forma_entrega, receptor_nombre, receptor_relacion }: Delivery): string | null {
  if (!forma_entrega) return null;
  const relacion = receptor_relacion && ` (${RELACION_LABEL[receptor_relacion].toLowerCase()})`;
  const who = [receptor_nombre, relacion].filter(Boolean).join('');
  return `${FORMA_LABEL[forma_entrega]}${who && `: ${who.trim()}`}`;
}
