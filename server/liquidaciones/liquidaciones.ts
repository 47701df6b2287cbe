import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Answer, asPage, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import { CONCEPTOS, GANA_POR, mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import type * as api from '../../contract/liquidaciones/liquidaciones.ts';
import type { Abierta, Ganancia, getAbierta, getLiquidacion, Liquidacion } from '../../contract/liquidaciones/liquidaciones.ts';
import { type Actor, accessCondition, can, ROLE_LABEL } from '../../contract/policy/policy.ts';
import type { Settings } from '../../contract/settings/values.ts';
import { plainNif } from '../../contract/text/nif.ts';
import { ZONAS } from '../../contract/zonas/zonas.ts';
import { type Db, onPage } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { writeExport } from '../exports/build.job.ts';
import type { Cell } from '../exports/columns.ts';
import { selectStatements, toLiquidacion } from '../ganancias/statements.ts';
import { notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { inTurn } from '../kit/paper.ts';
import { conditionSql } from '../pedidos/lectura/scope.ts';
import { readSettings } from '../settings/settings.ts';
import type { FromPdf, PdfSheet, ToPdf } from './pdf.worker.ts';

type Page = { page: number; per_page: number };

/** Condition on `table` (with a column `user_id`) for rows the actor may read. */
const readable = (actor: Actor, table: string) => conditionSql(accessCondition(actor, 'liquidacion:read'), actor, table);

export async function listStatements(
  db: Db,
  actor: Actor,
  { ids, user_id, mes, estado, ...page }: QueryOut<typeof api.listLiquidaciones>,
): Promise<Paged<Liquidacion>> {
  let found = selectStatements(db).where(readable(actor, 'l'));
  if (ids) found = found.where('l.id', 'in', ids);
  if (user_id) found = found.where('l.user_id', '=', user_id);
  if (mes) found = found.where('l.mes', '=', `${mes}-01`);
  if (estado) found = found.where('l.pagada_el', estado === 'pagada' ? 'is not' : 'is', null);
  const { n } = await found.clearSelect().select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow();
  const rows = await found.orderBy('l.mes', 'desc').orderBy('l.numero', 'desc').$call(onPage(page)).execute();
  return asPage(rows.map(toLiquidacion), n, page);
}

/** Returns a statement. Throws 404 unless the actor may read it. */
export async function findStatement(db: Db, actor: Actor, id: string): Promise<Liquidacion> {
  const row = await selectStatements(db).where('l.id', '=', id).where(readable(actor, 'l')).executeTakeFirst();
  if (!row) throw notFound();
  return toLiquidacion(row);
}

/** Returns a statement with a page of its lines by day. Throws 404 unless the actor may read it. */
export async function readStatement(db: Db, actor: Actor, id: string, page: Page): Promise<Answer<typeof getLiquidacion>> {
  const liquidacion = await findStatement(db, actor, id);
  const lines = await statementLines(db, actor, id, page);
  return { liquidacion, lineas: asPage(lines, liquidacion.num_lineas, page) };
}

/** Returns lines of a statement by day; the caller checks permission. */
export async function statementLines(db: Db, actor: Actor, id: string, { page, per_page }: Page): Promise<Ganancia[]> {
  const rows = await selectLines(db, sql`liquidacion_id = ${id}`)
    .orderBy('dia')
    .orderBy('created_at')
    .orderBy('id')
    .$call(onPage({ page, per_page }))
    .execute();
  return rows.map((row) => toGanancia(actor, row));
}

/** Returns earnings in no statement yet: totals per person, and a page of one person's lines (superadmins: of `user_id`). */
export async function readOpen(
  db: Db,
  actor: Actor,
  { user_id, ...page }: QueryOut<typeof getAbierta>,
): Promise<Answer<typeof getAbierta>> {
  const { rows } = await sql<Omit<Abierta, 'total'> & { cents: number }>`
    SELECT g.user_id, u.full_name AS persona_nombre, u.role, count(*) AS num_lineas, sum(g.cents)::bigint AS cents, min(g.dia) AS desde
    FROM ganancias g JOIN users u ON u.id = g.user_id
    WHERE g.liquidacion_id IS NULL AND ${readable(actor, 'g')} AND ${user_id ? sql`g.user_id = ${user_id}` : sql`true`}
    GROUP BY g.user_id, u.id ORDER BY normaliza(u.full_name), u.id`.execute(db);
  const personas = rows.map(({ cents, ...row }) => ({ ...row, total: toEuros(cents) }));
  // An actor who reads only their own earnings has at most one total.
  const persona = user_id || !can(actor, 'liquidacion:manage') ? personas[0] : undefined;
  if (!persona) return { personas, lineas: asPage([], 0, page) };
  const lines = await selectLines(db, sql`liquidacion_id IS NULL AND user_id = ${persona.user_id}`)
    .orderBy('dia', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .$call(onPage(page))
    .execute();
  return {
    personas,
    lineas: asPage(
      lines.map((row) => toGanancia(actor, row)),
      persona.num_lineas,
      page,
    ),
  };
}

const LINE = ['id', 'dia', 'concepto', 'numero_orden', 'pedido_id', 'ciudad', 'zona', 'detalle', 'nota', 'cents'] as const;
const selectLines = (db: Db, which: RawBuilder<unknown>) => db.selectFrom('ganancias').select(LINE).where(sql<boolean>`${which}`);

const toGanancia = (actor: Actor, { cents, detalle, ...row }: Pick<Selectable<Tables['ganancias']>, (typeof LINE)[number]>): Ganancia => ({
  ...row,
  detalle: can(actor, 'pedido:prices') ? detalle : null,
  importe: toEuros(cents),
});

export type Paper = { name: string; content: Uint8Array };

const BATCH = 500;

/** Yields the lines in batches. A closed statement cannot change between two batches. */
async function* batches(db: Db, actor: Actor, { id, num_lineas }: Liquidacion): AsyncGenerator<Ganancia[]> {
  for (let page = 1; (page - 1) * BATCH < num_lineas; page += 1) yield await statementLines(db, actor, id, { page, per_page: BATCH });
}

const wordsOf = ({ detalle, ciudad, zona, nota }: Ganancia): string =>
  [nota, detalle, zona && [ciudad, ZONAS[zona].label].filter(Boolean).join(', ')].filter(Boolean).join(' · ');

/** Returns a statement as CSV. Throws 404 unless the actor may read it. */
export async function writeCsv(db: Db, actor: Actor, id: string): Promise<Paper> {
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
    return writeExport('csv', [{ sheet, count: async () => statement.num_lineas, batches: rows }], async () => true);
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
export async function writePdf(db: Db, actor: Actor, id: string): Promise<Paper> {
  const statement = await findStatement(db, actor, id);
  const settings = await readSettings(db);
  const content = await inTurn(actor, async () => {
    const worker = new Worker(new URL('./pdf.worker.ts', import.meta.url), { workerData: sheetOf(statement, settings, actor) });
    try {
      const answer = async (message: ToPdf): Promise<FromPdf> => {
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

const sheetOf = (statement: Liquidacion, { companyName, companyNif, companyAddress, timezone }: Settings, actor: Actor): PdfSheet => ({
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
