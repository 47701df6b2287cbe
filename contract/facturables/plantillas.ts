import type { FilaIva } from '../iva/fields.ts';

/* Columns of the files that an invoicing or bookkeeping program imports: data, never code. */

/** Values of a row that a column can hold. */
export const DATOS = [
  'fecha',
  'numero_orden',
  'cliente',
  'nif',
  'motivo',
  'tipo',
  'porcentaje',
  'clave',
  'base',
  'cuota',
  'total',
  'metodo_pago',
] as const;
export type Dato = (typeof DATOS)[number];

type Columna = { titulo: string; ancho: number } & ({ dato: Dato } | { texto: string } | { numero: number });

export type PlantillaFactura = {
  nombre: string;
  /** False: follows the program's public documentation, without a test import. */
  verificada: boolean;
  /** The program's own code for each rate, used by columns with `dato: 'clave'`. */
  claves?: Partial<Record<FilaIva, string>>;
  columnas: readonly Columna[];
};

const of = (titulo: string, dato: Dato, ancho = 12): Columna => ({ titulo, dato, ancho });
const zero = (titulo: string) => ({ titulo, numero: 0, ancho: 10 });
const said = (titulo: string, texto = '', ancho = 12): Columna => ({ titulo, texto, ancho });

export const PLANTILLAS_FACTURA = {
  enruta: {
    nombre: 'Columnas de Enruta',
    verificada: true,
    columnas: [
      of('Fecha', 'fecha'),
      of('Nº de pedido', 'numero_orden', 16),
      of('Cliente', 'cliente', 28),
      of('NIF', 'nif', 12),
      of('Motivo', 'motivo'),
      of('Tipo de IVA', 'tipo', 14),
      of('Base (€)', 'base'),
      of('Cuota (€)', 'cuota'),
      of('Total (€)', 'total'),
      of('Forma de pago', 'metodo_pago', 18),
    ],
  },
  /** Source: help.holded.com, «Importar tus facturas de venta». One line per item, prices without tax, rates by key. */
  holded: {
    nombre: 'Holded, facturas de venta',
    verificada: false,
    claves: { 21: 's_iva_21', 10: 's_iva_10', 4: 's_iva_4', 0: 's_iva_0', exento: 's_iva_exento', no_sujeto: 's_iva_nosujeto' },
    columnas: [
      of('Num factura', 'numero_orden', 16),
      said('Formato de numeración'),
      of('Fecha dd/mm/yyyy', 'fecha'),
      of('Fecha de vencimiento dd/mm/yyyy', 'fecha'),
      of('Descripción', 'motivo'),
      of('Nombre del contacto', 'cliente', 28),
      of('NIF', 'nif'),
      said('Dirección'),
      said('Población'),
      said('Código postal'),
      said('Provincia'),
      said('País', 'España'),
      said('Concepto', 'Ventas', 16),
      of('Descripción del producto', 'tipo', 16),
      said('SKU'),
      of('Precio unidad', 'base'),
      { titulo: 'Unidades', numero: 1, ancho: 10 },
      zero('Descuento %'),
      of('IVA %', 'clave'),
      zero('Retención %'),
      zero('Rec. de eq. %'),
      said('Operación'),
      said('Forma de pago (ID)'),
      said('Cantidad cobrada'),
      said('Fecha de cobro'),
      said('Cuenta de pago'),
      of('Tags separados por -', 'metodo_pago', 16),
    ],
  },
  /** Source: ContaSol, «Instrucciones para la importación de datos», I.V.A. repercutido. One column per field, in this order. */
  contasol: {
    nombre: 'Contasol, IVA repercutido',
    verificada: false,
    columnas: [
      said('Código'),
      { titulo: 'Libro de IVA', numero: 1, ancho: 10 },
      of('Fecha', 'fecha'),
      said('Cuenta', '43000000'),
      of('Factura', 'numero_orden', 16),
      of('Nombre', 'cliente', 28),
      of('CIF', 'nif'),
      of('Base imponible 1', 'base'),
      zero('Base imponible 2'),
      zero('Base imponible 3'),
      of('% IVA 1', 'porcentaje'),
      zero('% IVA 2'),
      zero('% IVA 3'),
      zero('% Recargo 1'),
      zero('% Recargo 2'),
      zero('% Recargo 3'),
      of('Importe IVA 1', 'cuota'),
      zero('Importe IVA 2'),
      zero('Importe IVA 3'),
      zero('Importe recargo 1'),
      zero('Importe recargo 2'),
      zero('Importe recargo 3'),
      of('Total', 'total'),
    ],
  },
} as const satisfies Record<string, PlantillaFactura>;

export type NombrePlantilla = keyof typeof PLANTILLAS_FACTURA;
export const PLANTILLA_NAMES = Object.keys(PLANTILLAS_FACTURA) as NombrePlantilla[];
