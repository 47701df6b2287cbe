import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { row } from '../../e2e/fixtures.ts';
import { asignados, draw, step } from '../../e2e/transportista.ts';
import { sha256 } from '../../test/proof.ts';
import type { Shop } from '../world.ts';

/* Acts of a carrier at a door, with typed, drawn and photographed proofs, and their traces on the server. */

export type Order = { id: string; numero_orden: string; cents: number };
/** `words` identify the act, because they are typed nowhere else. */
export type Act = { order: Order; kind: 'completar' | 'fallar'; words: string; carrier: string; state: 'promised' | 'doubtful' };

const dialogOf = (tab: Page, name: string) => tab.getByRole('dialog', { name });

async function choose(within: ReturnType<typeof dialogOf>, name: string): Promise<void> {
  const tile = within.getByRole('radio', { name, exact: true });
  if (!(await tile.isChecked())) await tile.click();
}

/** Returns a JPEG of random shapes in base64, so that no two photos are the same. */
const photograph = (tab: Page): Promise<string> =>
  tab.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 480;
    const ink = canvas.getContext('2d');
    for (let n = 0; ink && n < 300; n += 1) {
      ink.fillStyle = `hsl(${Math.random() * 360} 70% 50%)`;
      ink.fillRect(Math.random() * 640, Math.random() * 480, 60, 60);
    }
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  });

async function takePhoto(tab: Page, form: ReturnType<typeof dialogOf>): Promise<void> {
  const buffer = Buffer.from(await photograph(tab), 'base64');
  await form.locator('input[type=file]').setInputFiles({ name: 'puerta.jpg', mimeType: 'image/jpeg', buffer });
  await form.getByAltText('La foto que se enviará').waitFor();
}

/** Fills the form of a delivery: cash, receiver, signature, photo. Returns the form and its submit button. */
async function fillDelivery(tab: Page, words: string) {
  const form = dialogOf(tab, 'Completar Entrega');
  await choose(form, 'Efectivo');
  await choose(form, 'En mano');
  await form.getByLabel('Quién lo recibe').fill(words);
  await form.getByRole('button', { name: 'Firmar' }).click();
  await draw(tab);
  await tab.getByRole('button', { name: 'Aceptar firma' }).click();
  await takePhoto(tab, form);
  return { form, send: form.getByRole('button', { name: 'Completar entrega' }) };
}

async function fillAttempt(tab: Page, words: string) {
  const form = dialogOf(tab, 'Intento fallido');
  await choose(form, 'Otro motivo');
  await form.getByLabel('Explica el motivo').fill(words);
  await takePhoto(tab, form);
  return { form, send: form.getByRole('button', { name: 'Registrar intento fallido' }) };
}

/** Submits an act in its form; calls `sent` just before. Returns true if the form closed, so the phone has stored the act. */
export async function make(tab: Page, { order, kind, words }: Pick<Act, 'order' | 'kind' | 'words'>, sent: () => void): Promise<boolean> {
  await step(tab, row(asignados(tab), order.numero_orden), kind === 'completar' ? 'Completar' : 'Intento fallido');
  const { form, send } = await (kind === 'completar' ? fillDelivery : fillAttempt)(tab, words);
  sent();
  await send.click();
  return form.waitFor({ state: 'detached' }).then(
    () => true,
    () => false,
  );
}

type Found = {
  completed: number;
  attempts: number;
  reports: { nota: string | null; anunciadas: { sha256: string }[] | null; cobrado_cents: number | null }[];
  receiver: string | null;
  announced: { sha256: string }[];
  cents: number[];
};

/** Traces of an act in the database. */
async function find({ inspect }: Shop, { order: { id }, kind, words }: Act): Promise<Found> {
  return inspect(async (db) => {
    const { rows: reports } = await sql<Found['reports'][number]>`
      SELECT nota, anunciadas, cobrado_cents FROM pedidos_historial
      WHERE pedido_id = ${id} AND accion LIKE 'Sin registrar: %' AND nota LIKE ${`%${words}%`}`.execute(db);
    const { rows: completed } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM pedidos_historial WHERE pedido_id = ${id} AND estado_nuevo = 'completado'`.execute(db);
    const attempts = await db.selectFrom('intentos').select('anunciadas').where('pedido_id', '=', id).where('motivo', '=', words).execute();
    const entrega = await db
      .selectFrom('entregas')
      .select(['receptor_nombre', 'anunciadas'])
      .where('pedido_id', '=', id)
      .executeTakeFirst();
    const pagos = await db.selectFrom('pagos').select('importe_cents').where('pedido_id', '=', id).execute();
    return {
      completed: kind === 'completar' && entrega?.receptor_nombre === words ? (completed[0]?.n ?? 0) : 0,
      attempts: attempts.length,
      reports,
      receiver: entrega?.receptor_nombre ?? null,
      announced: (kind === 'completar' ? entrega?.anunciadas : attempts[0]?.anunciadas) ?? [],
      cents: pagos.map(({ importe_cents }) => importe_cents),
    };
  });
}

/** Announced files that are missing or incomplete on the server. */
async function missing({ inspect, dataDir }: Shop, pedido: string, announced: readonly { sha256: string }[]): Promise<number> {
  const stored = await inspect((db) => db.selectFrom('pruebas').select(['sha256', 'fichero']).where('pedido_id', '=', pedido).execute());
  return announced.filter((promised) => {
    const files = stored.filter((file) => file.sha256 === promised.sha256);
    const path = join(dataDir, 'pruebas', files[0]?.fichero ?? 'none');
    return files.length !== 1 || !existsSync(path) || sha256(readFileSync(path)) !== promised.sha256;
  }).length;
}

/** Final place of an act (server, office or nowhere), and differences from the act at the door. */
export async function judge(shop: Shop, act: Act): Promise<{ end: 'done' | 'told' | 'nowhere'; wrong: string[] }> {
  const { order, kind, words } = act;
  const found = await find(shop, act);
  const done = kind === 'completar' ? found.completed : found.attempts;
  const wrong: string[] = [];
  const expect = (fine: boolean, complaint: string) => void (fine || wrong.push(`${order.numero_orden} ${kind} «${words}»: ${complaint}`));
  expect(done <= 1, `done ${done} times`);
  expect(found.reports.length <= 1, `told ${found.reports.length} times`);
  expect(done + found.reports.length <= 1, 'done, and told as refused');
  const end = done > 0 ? 'done' : found.reports.length > 0 ? 'told' : 'nowhere';
  expect(end !== 'nowhere' || act.state === 'doubtful', 'lost');
  if (end === 'nowhere') return { end, wrong };
  const files = (end === 'done' ? found.announced : found.reports[0]?.anunciadas) ?? [];
  expect(files.length === (kind === 'completar' ? 2 : 1), `${files.length} files announced`);
  const lost = await missing(shop, order.id, files);
  expect(lost === 0, `${lost} files lost`);
  if (kind !== 'completar') return { end, wrong };
  if (end === 'done') expect(found.cents.join() === String(order.cents), `paid ${found.cents} instead of ${order.cents}`);
  else expect(found.reports[0]?.cobrado_cents === order.cents, `told ${found.reports[0]?.cobrado_cents} cents instead of ${order.cents}`);
  return { end, wrong };
}
