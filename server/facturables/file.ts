import { sql } from 'kysely';
import type { ficheroFacturables } from '../../contract/facturables/facturables.ts';
import { MOTIVO_FACTURABLE_LABEL, type MotivoFacturable } from '../../contract/facturables/fields.ts';
import { type Dato, PLANTILLAS_FACTURA, type PlantillaFactura } from '../../contract/facturables/plantillas.ts';
import { FILA_IVA_LABEL, type FilaIva, percentOf } from '../../contract/iva/fields.ts';
import type { QueryOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { plainNif } from '../../contract/text/nif.ts';
import type { Db } from '../db/open.ts';
import { write } from '../exports/build.job.ts';
import type { Cell } from '../exports/columns.ts';
import { inTurn } from '../kit/paper.ts';
import { matching, NIF, type Row } from './facturables.ts';
import { settleAll } from './settle.ts';

const BATCH = 500;

/** Returns the rows of a period as CSV or XLSX, in the columns of a template. With `pendientes`, returns only rows not yet taken. */
export async function writeFacturables(
  db: Db,
  actor: Actor,
  { formato, plantilla, ...filter }: QueryOut<typeof ficheroFacturables>,
): Promise<{ name: string; content: Uint8Array }> {
  await settleAll(db);
  const template: PlantillaFactura = PLANTILLAS_FACTURA[plantilla];
  const { columnas } = template;
  const sheet = { name: 'Para facturar', header: columnas.map(({ titulo }) => titulo), widths: columnas.map(({ ancho }) => ancho) };
  const rows = async function* () {
    for (let last = 0; ; ) {
      const page = await matching(db, filter).selectAll().select(NIF).where('seq', '>', last).orderBy('seq').limit(BATCH).execute();
      if (page.length) yield page.map((row) => cellsOf(template, row));
      if (page.length < BATCH) return;
      last = page.at(-1)?.seq ?? last;
    }
  };
  const count = async () => (await matching(db, filter).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;
  const content = await inTurn(actor, () => write(formato, [{ sheet, count, batches: rows }], async () => true));
  if (!content) throw new Error('nobody stops it');
  const days = [filter.desde, filter.hasta].filter(Boolean).join('_');
  return { name: `${['para-facturar', plantilla !== 'enruta' && plantilla, days].filter(Boolean).join('-')}.${formato}`, content };
}

const cellsOf = ({ columnas, claves = {} }: PlantillaFactura, row: Row): Cell[] =>
  columnas.map((columna) => {
    if ('texto' in columna) return columna.texto;
    if ('numero' in columna) return { n: columna.numero, decimals: 0 };
    return columna.dato === 'clave' ? (claves[row.tipo as FilaIva] ?? '') : CELLS[columna.dato](row);
  });

const euros = (cents: number): Cell => ({ n: cents / 100, decimals: 2 });
const CELLS: Record<Exclude<Dato, 'clave'>, (row: Row) => Cell> = {
  fecha: ({ fecha }) => ({ date: fecha }),
  numero_orden: ({ numero_orden }) => numero_orden,
  cliente: ({ cliente }) => cliente,
  nif: ({ nif }) => nif && plainNif(nif),
  motivo: ({ motivo }) => MOTIVO_FACTURABLE_LABEL[motivo as MotivoFacturable],
  tipo: ({ tipo }) => FILA_IVA_LABEL[tipo as FilaIva],
  porcentaje: ({ tipo }) => ({ n: percentOf(tipo), decimals: 0 }),
  base: ({ base_cents }) => euros(base_cents),
  cuota: ({ cuota_cents }) => euros(cuota_cents),
  total: ({ total_cents }) => euros(total_cents),
  metodo_pago: ({ metodo_pago }) => metodo_pago,
};
