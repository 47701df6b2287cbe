import type { FilaIva } from '../iva/fields.ts';

/* Columns of the files that an invoicing or bookkeeping program imports: data, never code. */

/** Values of a document that a column can hold. `numero`: the order's number for a sale, else the document's. */
export const DATOS = [
  'fecha',
  'numero',
  'documento',
  'corrige',
  'corrige_documento',
  'numero_orden',
  'cliente',
  'nif',
  'nif_o_particular',
  'direccion',
  'codigo_postal',
  'ciudad',
  'provincia',
  'pais',
  'codigo_pais',
  'motivo',
  'clase',
  'descripcion',
  'operacion',
  'metodo_pago',
  'cobrado',
  'cobrado_fecha',
  'pagada',
  'total',
  'base_exenta',
] as const;
export type Dato = (typeof DATOS)[number];
/** Values of one VAT rate of a document, in a template with one row per rate. `precio`: euros per unit without VAT, with six decimals. */
export const DATOS_LINEA = ['tipo', 'porcentaje', 'clave', 'base', 'precio', 'cuota', 'total_linea', 'unidades', 'excepcion'] as const;
export type DatoLinea = (typeof DATOS_LINEA)[number];

type Columna = { titulo: string; ancho: number } & (
  | { dato: Dato }
  | { linea: DatoLinea }
  | { texto: string }
  | { numero: number }
  /** Base or quota of a rate, in a template with one row per document. */
  | { fila: FilaIva; parte: 'base' | 'cuota' }
  /** The same for the first, second or third taxed rate of the document. */
  | { indice: number; parte: 'base' | 'porcentaje' | 'cuota' }
);

export type PlantillaFactura = {
  nombre: string;
  /** False: follows the program's public documentation, without a test import. */
  verificada: boolean;
  /** One row per document with all rates, or one row per rate. */
  por: 'documento' | 'linea';
  /** True if only the first row of a document has the document's columns. */
  una_vez?: boolean;
  /** True if the amounts of corrections are positive, and only the kind of document makes them refunds. */
  positiva?: boolean;
  /** True if the program rounds base and quota separately: an amount at 4 % with half a cent of base is then sent as units of 13 cents. */
  redondea_aparte?: boolean;
  /** The program's own code for each rate, used by columns with `linea: 'clave'`. */
  claves?: Partial<Record<FilaIva, string>>;
  /** The program's codes for the reasons of rates without VAT. */
  excepciones?: Partial<Record<FilaIva, string>>;
  /** Texts for the kind of a document: sale and correction. */
  clases?: readonly [string, string];
  /** Code for the kind of operation: domestic, export, intra-Community. */
  operaciones?: readonly [string, string, string];
  /** The program's customer for private persons without a tax number: name and number. */
  particular?: string;
  /** What a person does in the program before importing, in Spanish. */
  nota?: string;
  columnas: readonly Columna[];
};

const of = (titulo: string, dato: Dato, ancho = 12): Columna => ({ titulo, dato, ancho });
const line = (titulo: string, linea: DatoLinea, ancho = 12): Columna => ({ titulo, linea, ancho });
const fixed = (titulo: string, texto = '', ancho = 12): Columna => ({ titulo, texto, ancho });
const zero = (titulo: string): Columna => ({ titulo, numero: 0, ancho: 10 });
const three = (titulo: string, parte: 'base' | 'porcentaje' | 'cuota'): Columna[] =>
  [0, 1, 2].map((indice) => ({ titulo: `${titulo} ${indice + 1}`, indice, parte, ancho: 12 }));
const rate = (titulo: string, fila: FilaIva): Columna[] => [
  { titulo: `Base ${titulo} (€)`, fila, parte: 'base', ancho: 14 },
  { titulo: `Cuota ${titulo} (€)`, fila, parte: 'cuota', ancho: 14 },
];
const exempt = (titulo: string, fila: FilaIva): Columna => ({ titulo: `${titulo} (€)`, fila, parte: 'base', ancho: 16 });

export const PLANTILLAS_FACTURA = {
  enruta: {
    nombre: 'Columnas de Enruta',
    verificada: true,
    por: 'documento',
    clases: ['Venta', 'Rectificativa'],
    columnas: [
      of('Documento', 'documento', 14),
      of('Clase', 'clase', 14),
      of('Corrige', 'corrige_documento', 14),
      of('Fecha', 'fecha'),
      of('Nº de pedido', 'numero_orden', 16),
      of('Motivo', 'motivo'),
      of('Cliente', 'cliente', 28),
      of('NIF', 'nif', 14),
      of('Dirección', 'direccion', 28),
      of('Código postal', 'codigo_postal'),
      of('Población', 'ciudad', 18),
      of('Provincia', 'provincia', 16),
      of('País', 'pais', 14),
      ...rate('21 %', '21'),
      ...rate('10 %', '10'),
      ...rate('4 %', '4'),
      exempt('Base 0 %', '0'),
      exempt('Exento', 'exento'),
      exempt('Exportación', 'exportacion'),
      exempt('Intracomunitaria', 'intracomunitaria'),
      exempt('Sin IVA, regla anterior', 'no_sujeto'),
      exempt('Sin tipo', 'sin_tipo'),
      of('Total (€)', 'total'),
      of('Forma de pago', 'metodo_pago', 18),
      of('Cobrado (€)', 'cobrado'),
      of('Fecha de cobro', 'cobrado_fecha'),
    ],
  },
  /**
   * Source: help.holded.com, articles 7228579 «Importar tus facturas de venta» (columns and their order; each line has the number),
   * 7233411 (corrective invoices have an import of their own with the same columns) and 10006614 (NIF compulsory, number unique, at least one unit,
   * rates by key, «Cantidad cobrada» the whole of the invoice, 0 for unpaid).
   */
  holded: {
    nombre: 'Holded, facturas de venta',
    verificada: false,
    por: 'linea',
    claves: {
      21: 's_iva_21',
      10: 's_iva_10',
      4: 's_iva_4',
      0: 's_iva_0',
      exento: 's_iva_exento',
      exportacion: 's_iva_export',
      intracomunitaria: 's_iva_intra',
      no_sujeto: 's_iva_nosujeto',
    },
    clases: ['Factura', 'Rectificativa'],
    operaciones: ['General', 'Exportación', 'Intracomunitaria'],
    particular: '00000000T',
    nota: 'Comprueba en Holded, en Configuración → Facturación → Impuestos, que las claves son las tuyas. Las rectificativas se importan aparte, en Rectificativas: filtra la columna «Tags». Los particulares van con 00000000T, el NIF que se usa para clientes varios: sin NIF, Holded los rechaza.',
    columnas: [
      of('Num factura', 'numero', 16),
      fixed('Formato de numeración'),
      of('Fecha dd/mm/yyyy', 'fecha'),
      of('Fecha de vencimiento dd/mm/yyyy', 'fecha'),
      of('Descripción', 'descripcion', 28),
      of('Nombre del contacto', 'cliente', 28),
      of('NIF', 'nif_o_particular'),
      of('Dirección', 'direccion', 28),
      of('Población', 'ciudad', 18),
      of('Código postal', 'codigo_postal'),
      of('Provincia', 'provincia', 16),
      of('País', 'pais', 14),
      fixed('Concepto', 'Ventas', 16),
      line('Descripción del producto', 'tipo', 16),
      fixed('SKU'),
      line('Precio unidad', 'precio', 14),
      line('Unidades', 'unidades'),
      zero('Descuento %'),
      line('IVA %', 'clave'),
      zero('Retención %'),
      zero('Rec. de eq. %'),
      of('Operación', 'operacion', 16),
      fixed('Forma de pago (ID)'),
      of('Cantidad cobrada', 'cobrado'),
      of('Fecha de cobro', 'cobrado_fecha'),
      fixed('Cuenta de pago'),
      of('Tags separados por -', 'clase', 16),
    ],
  },
  /**
   * Source: Software DELSOL, «Instrucciones para la importación de datos» of ContaSol, I.V.A. repercutido: A «Código» is an index and stays empty,
   * E «Factura» has 12 characters, H is the kind of operation (0 domestic, 1 export, 2 intra-Community, as in I.V.A. soportado), then three bases, rates,
   * surcharges, quotas and the total; exempt amounts and «rectificativa» have columns of their own after it.
   */
  contasol: {
    nombre: 'ContaSol, IVA repercutido',
    verificada: false,
    por: 'documento',
    clases: ['0', '1'],
    operaciones: ['0', '1', '2'],
    nota: 'Borra las columnas que tu versión de ContaSol no pida: las tres últimas cambian de una versión a otra.',
    columnas: [
      fixed('Código'),
      { titulo: 'Libro de IVA', numero: 1, ancho: 10 },
      of('Fecha', 'fecha'),
      fixed('Cuenta', '43000000'),
      of('Factura', 'documento', 14),
      of('Nombre', 'cliente', 28),
      of('CIF', 'nif'),
      of('Tipo de operación', 'operacion'),
      ...three('Base imponible', 'base'),
      ...three('% IVA', 'porcentaje'),
      ...[1, 2, 3].map((n) => zero(`% Recargo ${n}`)),
      ...three('Importe IVA', 'cuota'),
      ...[1, 2, 3].map((n) => zero(`Importe recargo ${n}`)),
      of('Total', 'total'),
      of('Base exenta', 'base_exenta'),
      of('Rectificativa', 'clase'),
      of('Factura que rectifica', 'corrige_documento', 14),
    ],
  },
  /**
   * Source: FacturaScripts' own models `FacturaCliente` and `LineaFacturaCliente` (NeoRazorX/facturascripts, Core/Model) name the columns;
   * `Core/Lib/TaxExceptions.php` has the codes of exemptions, `Core/Lib/Calculator.php` the
   * rounding: net and VAT separately, and VAT as a difference for units below 2 €.
   */
  facturascripts: {
    nombre: 'FacturaScripts, facturas de cliente',
    verificada: false,
    por: 'linea',
    redondea_aparte: true,
    claves: {
      21: 'IVA21',
      10: 'IVA10',
      4: 'IVA4',
      0: 'IVA0',
      exento: 'IVA0',
      exportacion: 'IVA0',
      intracomunitaria: 'IVA0',
      no_sujeto: 'IVA0',
    },
    excepciones: { exento: 'ES_20', exportacion: 'ES_21', intracomunitaria: 'ES_25', no_sujeto: 'ES_OTHER_NOT_SUBJECT' },
    clases: ['A', 'R'],
    operaciones: ['', 'exportacion', 'intracomunitaria'],
    nota: 'Se importa con un plugin de CSV. La serie R es la de rectificativas. Algún importe al 4 % va como varias unidades de 0,125 €, para que cuadre al céntimo. Si el país es Canarias, quita antes su zona de impuestos: el fichero ya dice el tipo.',
    columnas: [
      of('numero2', 'numero', 16),
      of('codserie', 'clase'),
      of('codigorect', 'corrige', 16),
      of('fecha', 'fecha'),
      of('nombrecliente', 'cliente', 28),
      of('cifnif', 'nif', 14),
      of('direccion', 'direccion', 28),
      of('codpostal', 'codigo_postal'),
      of('ciudad', 'ciudad', 18),
      of('provincia', 'provincia', 16),
      of('pais', 'codigo_pais'),
      of('operacion', 'operacion', 16),
      of('pagada', 'pagada'),
      of('observaciones', 'descripcion', 28),
      line('descripcion', 'tipo', 20),
      line('cantidad', 'unidades'),
      line('pvpunitario', 'precio', 14),
      line('iva', 'porcentaje'),
      line('codimpuesto', 'clave'),
      line('excepcioniva', 'excepcion'),
    ],
  },
  /**
   * Source: odoo.com/documentation, «Export and import data» (technical names as headings, lines as `invoice_line_ids/…`, further lines with the
   * document's columns empty) and odoo/odoo, addons/l10n_es (ids of the taxes on goods; `account.1_` is the first company's).
   */
  odoo: {
    nombre: 'Odoo, facturas de cliente',
    verificada: false,
    por: 'linea',
    una_vez: true,
    positiva: true,
    claves: {
      21: 'account.1_account_tax_template_s_iva21b',
      10: 'account.1_account_tax_template_s_iva10b',
      4: 'account.1_account_tax_template_s_iva4b',
      0: 'account.1_account_tax_template_s_iva0b',
      exento: 'account.1_account_tax_template_s_iva0',
      exportacion: 'account.1_account_tax_template_s_iva_e',
      intracomunitaria: 'account.1_account_tax_template_s_iva0_ic',
      no_sujeto: 'account.1_account_tax_template_s_iva_ns',
    },
    clases: ['out_invoice', 'out_refund'],
    nota: 'Antes de importar: sube a 6 los decimales de «Product Price» (Ajustes técnicos → Precisión decimal), o los precios se redondean, y marca «Crear» para los clientes nuevos.',
    columnas: [
      of('id', 'documento', 16),
      of('move_type', 'clase', 14),
      of('ref', 'numero', 16),
      of('invoice_origin', 'corrige', 16),
      of('invoice_date', 'fecha'),
      of('invoice_date_due', 'fecha'),
      of('partner_id', 'cliente', 28),
      of('narration', 'descripcion', 28),
      line('invoice_line_ids/name', 'tipo', 20),
      line('invoice_line_ids/quantity', 'unidades'),
      line('invoice_line_ids/price_unit', 'precio', 14),
      line('invoice_line_ids/tax_ids/id', 'clave', 40),
    ],
  },
} as const satisfies Record<string, PlantillaFactura>;

export type NombrePlantilla = keyof typeof PLANTILLAS_FACTURA;
export const PLANTILLA_NAMES = Object.keys(PLANTILLAS_FACTURA) as NombrePlantilla[];
