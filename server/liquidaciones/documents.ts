import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CONCEPTOS, GANA_POR, mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import type { Ganancia, Liquidacion } from '../../contract/liquidaciones/liquidaciones.ts';
import { type Actor, can, ROLE_LABEL } from '../../contract/policy/policy.ts';
import type { Settings } from '../../contract/settings/values.ts';
import { plainNif } from '../../contract/text/nif.ts';
import { ZONAS } from '../../contract/zonas/zonas.ts';
import type { Db } from '../db/open.ts';
import { write } from '../exports/build.job.ts';
import type { Cell } from '../exports/columns.ts';
import { inTurn } from '../kit/paper.ts';
import { readSettings } from '../settings/settings.ts';
import { findStatement, linesOf } from './liquidaciones.ts';
import type { FromWorker, Sheet, ToWorker } from './pdf.worker.ts';

export type Written = { name: string; content: Uint8Array };

const BATCH = 500;

/** Yields the lines in batches. A closed statement cannot change between two batches. */
async function* batches(db: Db, actor: Actor, { id, num_lineas }: Liquidacion): AsyncGenerator<Ganancia[]> {
  for (let page = 1; (page - 1) * BATCH < num_lineas; page += 1) yield await linesOf(db, actor, id, { page, per_page: BATCH });
}

const wordsOf = ({ detalle, ciudad, zona, nota }: Ganancia): string =>
  [nota, detalle, zona && [ciudad, ZONAS[zona].label].filter(Boolean).join(', ')].filter(Boolean).join(' · ');

/** Returns a statement as CSV. Throws 404 unless the actor may read it. */
export async function writeCsv(db: Db, actor: Actor, id: string): Promise<Written> {
  const statement = await findStatement(db, actor, id);
  const content = await inTurn(actor, () => {
    const sheet = {
      name: statement.numero,
      header: ['Fecha', 'Concepto', 'Nº de pedido', 'Población', 'Detalle', 'Importe (€)'],
      widths: [12, 16, 16, 20, 40, 12],
    };
    const rows = async function* () {
      for await (const lines of batches(db, actor, statement)) yield lines.map(cellsOf);
    };
    return write('csv', [{ sheet, count: async () => statement.num_lineas, batches: rows }], async () => true);
  });
  if (!content) throw new Error('nobody stops it');
  return { name: `${statement.numero}.csv`, content };
}

const cellsOf = (line: Ganancia): Cell[] => [
  { date: line.dia },
  CONCEPTOS[line.concepto],
  line.numero_orden,
  line.ciudad,
  [line.nota, line.detalle, line.zona && ZONAS[line.zona].label].filter(Boolean).join(' · '),
  { n: line.importe, decimals: 2 },
];

/** Returns a statement as PDF, drawn in a worker. Throws 404 unless the actor may read it. */
export async function writePdf(db: Db, actor: Actor, id: string): Promise<Written> {
  const statement = await findStatement(db, actor, id);
  const settings = await readSettings(db);
  const content = await inTurn(actor, async () => {
    const worker = new Worker(new URL('./pdf.worker.ts', import.meta.url), { workerData: sheetOf(statement, settings, actor) });
    try {
      const answer = async (message: ToWorker): Promise<FromWorker> => {
        // once() also rejects when the worker fails.
        const answered = once(worker, 'message');
        worker.postMessage(message);
        return (await answered)[0];
      };
      for await (const lines of batches(db, actor, statement))
        await answer({
          rows: lines.map((line) => ({
            dia: line.dia,
            concepto: CONCEPTOS[line.concepto],
            pedido: line.numero_orden ?? '',
            detalle: wordsOf(line),
            importe: line.importe,
          })),
        });
      const made = await answer({ end: true });
      if (!('file' in made)) throw new Error('no file came of it');
      return made.file;
    } finally {
      await worker.terminate();
    }
  });
  return { name: `${statement.numero}.pdf`, content };
}

const sheetOf = (statement: Liquidacion, { companyName, companyNif, companyAddress, timezone }: Settings, actor: Actor): Sheet => ({
  empresa: companyName || 'Enruta',
  datos: [companyNif && `NIF ${plainNif(companyNif)}`, companyAddress].filter(Boolean).join(' · '),
  numero: statement.numero,
  persona: statement.persona_nombre,
  papel: ROLE_LABEL[statement.role],
  mes: mesEnPalabras(statement.mes),
  // The Swedish locale writes a date as yyyy-MM-dd.
  cerrada: new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(new Date(statement.created_at)),
  pagada: statement.pagada_el === null ? null : { el: statement.pagada_el, referencia: statement.pago_referencia ?? '' },
  lineas: statement.num_lineas,
  total: statement.total,
  detalle: can(actor, 'pedido:prices') && GANA_POR[statement.role] === 'margen' ? 'Detalle' : 'Lugar',
});
