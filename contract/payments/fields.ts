/**
 * `iniciado`: redirected to the bank, no outcome yet. `rechazado`: declined, or never made. `anulado`: recorded by mistake. `tardio`: arrived
 * after the order was cancelled or deleted. `duplicado`: the order was already paid. `devolucion_pendiente`: paid, then cancelled.
 * A refund turns `tardio`, `duplicado` and `devolucion_pendiente` into `devuelto`.
 */
export const ESTADOS_PAGO = [
  'iniciado',
  'pagado',
  'rechazado',
  'anulado',
  'tardio',
  'duplicado',
  'devolucion_pendiente',
  'devuelto',
] as const;

export type EstadoPago = (typeof ESTADOS_PAGO)[number];

export const POR_DEVOLVER: readonly EstadoPago[] = ['tardio', 'duplicado', 'devolucion_pendiente'];

export const METODOS_PAGO = ['transferencia', 'efectivo', 'tarjeta', 'bizum', 'otro'] as const;

/** When a new order is paid («¿Cómo paga?»): by its link, at the door, already, or to be settled later. */
export const FORMAS_PAGO = ['enlace', 'al_entregar', 'pagado', 'despues'] as const;

export type FormaPago = (typeof FORMAS_PAGO)[number];

export const FORMA_PAGO_LABEL: Record<FormaPago, string> = {
  enlace: 'Con enlace',
  al_entregar: 'Al entregar',
  pagado: 'Ya ha pagado',
  despues: 'Después',
};

/** Way to pay of what a delivery company collects at the door; nobody notes it by hand. */
export const POR_EMPRESA = 'empresa';

export const METODO_PAGO_LABEL: Record<(typeof METODOS_PAGO)[number] | typeof POR_EMPRESA, string> = {
  transferencia: 'Transferencia',
  efectivo: 'Efectivo',
  tarjeta: 'Tarjeta (datáfono)',
  bizum: 'Bizum',
  otro: 'Otro',
  empresa: 'Lo ha cobrado la empresa',
};

/** True if payments of this method have a reference at the bank or provider. */
export const hasReference = (metodo: (typeof METODOS_PAGO)[number]): boolean => metodo !== 'efectivo';

export const METODOS_COBRO = ['efectivo', 'tarjeta', 'bizum', POR_EMPRESA] as const;

export const METODO_PAGO_OPTIONS = METODOS_PAGO.map((value) => ({ value, label: METODO_PAGO_LABEL[value] }));

/** True for payments recorded by hand, which can be annulled; «Marcar como pagado» records `manual`. */
export const isByHand = (proveedor: string): boolean => ['manual', POR_EMPRESA, ...METODOS_PAGO].includes(proveedor);

/** Cash payments must stay below this amount in euros: Ley 7/2012, artículo 7. */
export const MAX_EFECTIVO = 1000;

/** Money that went back without this program: refunded at the provider, disputed at the customer's bank, or lost in a dispute (decision 098). */
export const VUELTAS = ['reembolso', 'disputa', 'disputa_perdida'] as const;

/** Reasons why a superadmin has to look at a payment: unknown order, wrong amount or currency, or money that went back. */
export const POR_REVISAR = ['desconocido', 'importe', 'moneda', ...VUELTAS] as const;

/** True for money that went back, which can only be noted as seen. */
export const isBack = (causa: string): boolean => VUELTAS.some((vuelta) => vuelta === causa);

/** Decision of a superadmin: counts as paid, to be refunded, refunded, or no action. */
export const RESOLUCIONES = ['pagado', 'devolver', 'devuelto', 'visto'] as const;

export type Resolucion = (typeof RESOLUCIONES)[number];

/** Setup steps of a new shop, in order. `cobro`: an IBAN or a payment provider. `telefono`: other devices reach the program. */
export const PASOS_INICIO = ['empresa', 'cobro', 'producto', 'telefono', 'transportista', 'revendedor', 'pedido'] as const;

export type PasoInicio = (typeof PASOS_INICIO)[number];
