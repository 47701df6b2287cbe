import { sql } from 'kysely';
import type { ficheroFacturables } from '../../contract/facturables/facturables.ts';
import { MOTIVO_FACTURABLE_LABEL, type MotivoFacturable } from '../../contract/facturables/fields.ts';
import { type Dato, type DatoLinea, PLANTILLAS_FACTURA, type PlantillaFactura } from '../../contract/facturables/plantillas.ts';
import { FILA_IVA_LABEL, FILAS_IVA, SIN_TIPO, vatPercent } from '../../contract/iva/fields.ts';
import type { QueryOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { countryCode } from '../../contract/text/country-code.ts';
import { plainNif } from '../../contract/text/nif.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { writeExport } from '../exports/build.job.ts';
import type { Cell } from '../exports/columns.ts';
import { inTurn } from '../kit/paper.ts';
import { type Documento, exportDocuments, type Fila, readDocuments } from './documents.ts';
import { matchingFacturables } from './facturables.ts';
import { lockFacturables, settleAll } from './settle.ts';

const BATCH = 500;
type Query = QueryOut<typeof ficheroFacturables>;

/**
 * Returns the documents of a period as CSV or XLSX, in the columns of a template. With `pendientes`, only documents not yet taken. Marks the
 * documents as exported: later files have the same values. A program's template leaves out documents with a line without a rate.
 */
export async function writeFacturables(
  db: Db,
  actor: Actor,
  { formato, plantilla, ...filter }: Query,
): Promise<{ name: string; content: Uint8Array }> {
  await settleAll(db);
  const template: PlantillaFactura = PLANTILLAS_FACTURA[plantilla];
  const numbers = await transact(db, async (tx) => {
    await lockFacturables(tx);
    const found = await numbersOf(tx, filter, plantilla === 'enruta');
    if (await exportDocuments(tx, found, actor.full_name))
      await audit(tx, actor, { ...EXPORTED, description: `${template.nombre}: ${found.length} facturas exportadas` });
    return found;
  });
  const { columnas } = template;
  const sheet = { name: 'Para facturar', header: columnas.map(({ titulo }) => titulo), widths: columnas.map(({ ancho }) => ancho) };
  const rows = async function* () {
    for (let i = 0; i < numbers.length; i += BATCH) {
      const documents = await readDocuments(db, numbers.slice(i, i + BATCH));
      yield documents.flatMap((document) => templateRows(template, document));
    }
  };
  const content = await inTurn(actor, () =>
    writeExport(formato, [{ sheet, count: async () => numbers.length, batches: rows }], async () => true),
  );
  if (!content) throw new Error('nobody stops it');
  const days = [filter.desde, filter.hasta].filter(Boolean).join('_');
  return { name: `${['para-facturar', plantilla !== 'enruta' && plantilla, days].filter(Boolean).join('-')}.${formato}`, content };
}

const EXPORTED = { action: 'update', entity_type: 'facturables' } as const;

/** Returns the numbers of the documents with matching rows, in the order of their first row. */
async function numbersOf(tx: Tx, filter: Omit<Query, 'formato' | 'plantilla'>, all: boolean): Promise<string[]> {
  const rows = await matchingFacturables(tx, filter)
    .select('documento')
    .$if(!all, (query) =>
      query.where(
        sql<boolean>`NOT EXISTS (SELECT FROM facturables f WHERE f.documento = facturables.documento AND f.tipo = ${SIN_TIPO}
          GROUP BY f.documento HAVING sum(f.total_cents) <> 0)`,
      ),
    )
    .groupBy('documento')
    .orderBy(sql`min(seq)`)
    .execute();
  return rows.map(({ documento }) => documento);
}

/** Returns the cells of one document by a template, row by row. */
export function templateRows(template: PlantillaFactura, document: Documento): Cell[][] {
  const filas = FILAS_IVA.flatMap((tipo) => document.filas.filter((fila) => fila.tipo === tipo));
  const lines: (Fila | undefined)[] = template.por === 'linea' ? filas : filas.length ? [undefined] : [];
  return lines.map((fila, i) => template.columnas.map((columna) => cellOf(template, columna, { document, filas, fila, isFirst: i === 0 })));
}

type Place = { document: Documento; filas: readonly Fila[]; fila: Fila | undefined; isFirst: boolean };

function cellOf(
  template: PlantillaFactura,
  columna: PlantillaFactura['columnas'][number],
  { document, filas, fila, isFirst }: Place,
): Cell {
  if ('texto' in columna) return columna.texto;
  if ('numero' in columna) return whole(columna.numero);
  if ('dato' in columna) return template.una_vez && !isFirst ? null : DATO[columna.dato](document, template);
  if ('linea' in columna) return fila ? LINEA[columna.linea](fila, template) : null;
  if ('fila' in columna) {
    const own = filas.find(({ tipo }) => tipo === columna.fila);
    return own ? euros(own[`${columna.parte}_cents`]) : null;
  }
  const own = filas.filter(({ tipo }) => vatPercent(tipo) !== 0)[columna.indice];
  return columna.parte === 'porcentaje' ? whole(own ? vatPercent(own.tipo) : 0) : euros(own?.[`${columna.parte}_cents`] ?? 0);
}

const euros = (cents: number): Cell => ({ n: cents / 100, decimals: 2 });
const whole = (n: number): Cell => ({ n, decimals: 0 });
const isSale = ({ motivo }: Documento) => motivo === 'venta';
const numberOf = (document: Documento) => (isSale(document) ? document.numero_orden : document.documento);
const kindOf = ({ regimen }: Documento) => (regimen === 'exportacion' ? 1 : regimen === 'intracomunitaria' ? 2 : 0);

const DATO: Record<Dato, (document: Documento, template: PlantillaFactura) => Cell> = {
  fecha: ({ fecha }) => ({ date: fecha }),
  numero: numberOf,
  documento: ({ documento }) => documento,
  corrige: ({ corrige_numero }) => corrige_numero,
  corrige_documento: ({ corrige }) => corrige,
  numero_orden: ({ numero_orden }) => numero_orden,
  cliente: ({ cliente }) => cliente,
  nif: ({ nif }) => nif && plainNif(nif),
  nif_o_particular: ({ nif }, { particular = null }) => (nif ? plainNif(nif) : particular),
  direccion: ({ direccion }) => direccion,
  codigo_postal: ({ codigo_postal }) => codigo_postal,
  ciudad: ({ ciudad }) => ciudad,
  provincia: ({ provincia }) => provincia,
  pais: ({ pais }) => pais ?? 'España',
  codigo_pais: ({ pais }) => countryCode(pais) ?? pais,
  motivo: ({ motivo }) => MOTIVO_FACTURABLE_LABEL[motivo as MotivoFacturable],
  clase: (document, { clases = ['', ''] }) => clases[isSale(document) || (document.total_cents > 0 && clases[1] === 'out_refund') ? 0 : 1],
  descripcion: ({ motivo, numero_orden, corrige_numero, documento }) =>
    [
      MOTIVO_FACTURABLE_LABEL[motivo as MotivoFacturable],
      `pedido ${numero_orden}`,
      documento,
      corrige_numero && `corrige ${corrige_numero}`,
    ]
      .filter(Boolean)
      .join(', '),
  operacion: (document, { operaciones = ['', '', ''] }) => operaciones[kindOf(document)],
  metodo_pago: ({ metodos }) => metodos?.join(', ') ?? null,
  cobrado: ({ cobrado_cents }) => euros(cobrado_cents),
  cobrado_fecha: ({ cobrado, cobrado_cents }) => (cobrado && cobrado_cents ? { date: cobrado } : null),
  pagada: ({ cobrado_cents, total_cents }) => whole(cobrado_cents === total_cents ? 1 : 0),
  total: ({ total_cents }) => euros(total_cents),
  base_exenta: ({ filas }) =>
    euros(filas.filter(({ tipo }) => vatPercent(tipo) === 0).reduce((sum, { base_cents }) => sum + base_cents, 0)),
};

const signed = (n: number, { positiva }: PlantillaFactura) => (positiva ? Math.abs(n) : n);
const LINEA: Record<DatoLinea, (fila: Fila, template: PlantillaFactura) => Cell> = {
  tipo: ({ tipo }) => FILA_IVA_LABEL[tipo],
  porcentaje: ({ tipo }) => whole(vatPercent(tipo)),
  clave: ({ tipo }, { claves = {} }) => claves[tipo] ?? '',
  excepcion: ({ tipo }, { excepciones = {} }) => excepciones[tipo] ?? '',
  base: ({ base_cents }, template) => euros(signed(base_cents, template)),
  precio: (fila, template) => ({ n: signed(unitsOf(fila, template).price, template), decimals: 6 }),
  cuota: ({ cuota_cents }, template) => euros(signed(cuota_cents, template)),
  total_linea: ({ total_cents }, template) => euros(signed(total_cents, template)),
  unidades: (fila, template) => whole(unitsOf(fila, template).units),
};

/** Returns units and the price of each in euros: one unit, or units of 13 cents where the program would round both base and quota up. */
function unitsOf({ tipo, total_cents }: Fila, { redondea_aparte }: PlantillaFactura): { units: number; price: number } {
  const isHalf = redondea_aparte && vatPercent(tipo) === 4 && total_cents % 26 === 13;
  return isHalf ? { units: total_cents / 13, price: 0.125 } : { units: 1, price: priceWithoutVat(total_cents, vatPercent(tipo)) };
}

/** Returns the price without VAT, in euros with six decimals. Adding VAT and rounding gives `total_cents` again. */
export const priceWithoutVat = (total_cents: number, percent: number): number =>
  Math.round((total_cents * 1_000_000) / (100 + percent)) / 1_000_000;
