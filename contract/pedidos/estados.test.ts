import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importWithMoreEstados, MORE, restoreEstados } from '../../test/more-estados.ts';
import { actorOf, CLOCK, orderWith } from '../../test/situations.ts';
import { deriveEstados, ESTADO, type Estado, type EstadoRow } from './estados.ts';

/** Names of the lists that hold the estado. */
const holding = (lists: Readonly<Record<string, readonly string[]>>, estado: string) =>
  Object.entries(lists).flatMap(([name, estados]) => (estados.includes(estado) ? [name] : []));

test('each estado is in exactly one group and at exactly one step: those of its row', () => {
  const table: Readonly<Record<string, EstadoRow>> = { ...ESTADO, ...MORE };
  const { groups, progress, all } = deriveEstados(table);
  expect(all).toEqual(Object.keys(table));
  for (const estado of all)
    expect([estado, holding(groups, estado), holding(progress, estado)]).toEqual([estado, [table[estado]?.group], [table[estado]?.step]]);
});

test('an estado added to the table is in every list and condition that its row names, and in no other', () => {
  const { completado, cancelado, ...before } = ESTADO;
  const en_almacen: EstadoRow = { ...ESTADO.en_proceso, label: 'En Almacén', first: ['entregas'] };
  const { groups, progress, listed, sql, ...lists } = deriveEstados({ ...before, ...MORE, en_almacen, completado, cancelado });
  expect(holding(lists, 'en_almacen')).toEqual(['all', 'due', 'inHands', 'open', 'income', 'beforeLeaving']);
  expect(holding(lists, 'en_espera')).toEqual(['all', 'untaken', 'open', 'income', 'beforeLeaving']);
  expect(holding(lists, 'devuelto')).toEqual(['all', 'final']);
  expect(listed('entregas')).toEqual([
    ...['pendiente', 'asignado', 'en_almacen', 'completado', 'cancelado'],
    ...['pendiente_pago', 'en_proceso', 'en_ruta', 'en_espera', 'devuelto'],
  ]);
  const conditions = (estado: string) => Object.entries(sql).flatMap(([name, text]) => (text.includes(`'${estado}'`) ? [name] : []));
  expect(conditions('en_almacen')).toEqual(['pedidos_estado_check', 'en_manos_tiene_transportista', 'pedidos_abiertos']);
  expect(conditions('en_espera')).toEqual(['pedidos_estado_check', 'abierto_sin_transportista']);
  expect(conditions('devuelto')).toEqual(['pedidos_estado_check']);
});

describe('with «En Espera» and «Devuelto» in the table, and no other change', () => {
  const load = async () => ({
    ...(await import('./situation.ts')),
    ...(await import('../avisos-cliente/fields.ts')),
    ...(await import('../../web/pagar/message.ts')),
  });
  let program: Awaited<ReturnType<typeof load>>;
  beforeAll(async () => {
    program = await importWithMoreEstados(load);
  });
  afterAll(restoreEstados);
  const waiting = { estado: 'en_espera' as Estado, fecha_estimada: '2026-11-20T11:00:00Z' };
  const returned = { estado: 'devuelto' as Estado, fecha_estimada: '2026-11-20T11:00:00Z' };

  test('a waiting order says so, is never late, does not leave and is not prepared', () => {
    expect(program.situationOf(orderWith(waiting), actorOf('superadmin'), CLOCK)).toMatchObject({
      sentence: 'En espera: no sale hasta que la tienda lo diga. Prometido para el 20/11',
      mayLeave: false,
      next: undefined,
      more: [],
    });
    expect([program.mayPrepare(orderWith(waiting)), program.mayLoad(orderWith(waiting))]).toEqual([false, false]);
  });

  test('a returned order says so, and is neither cancelled, late nor delivered', () => {
    expect(program.situationOf(orderWith(returned), actorOf('superadmin'), CLOCK)).toMatchObject({
      sentence: 'Devuelto: ha vuelto a la tienda',
      mayLeave: false,
      next: undefined,
      more: [],
    });
  });

  test('the message offered for the customer fits: that of a new order, and none', () => {
    expect([program.momentoDe(waiting), program.momentoDe(returned)]).toEqual(['creado', undefined]);
  });

  test('the customer’s page says what its row says, and asks for the money of an unpaid one', () => {
    const known = {
      ...{ numero_orden: 'ORD-1', empresa: 'Olivares', por_pagar: false, contra_reembolso: false, pendiente: 0, devoluciones: [] },
      ...{ intentos: [], proximo_intento: null, situaciones: [], en_empresa: null, fecha_si_paga: null },
      ...{ transferencia_avisada: false, transferencia_hasta: null },
    };
    expect(program.customerMessage({ ...known, ...waiting })).toEqual(MORE.en_espera.customer);
    expect(program.customerMessage({ ...known, ...returned })).toEqual(MORE.devuelto.customer);
    const unpaid = program.customerMessage({ ...known, ...waiting, por_pagar: true, pendiente: 12 });
    expect(unpaid).toEqual({ ...MORE.en_espera.customer, text: `${MORE.en_espera.customer.text} Puedes pagarlo aquí.` });
  });
});

test('no estado is named by hand in a record or list of all', () => {
  const root = join(import.meta.dirname, '../..');
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  const files = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$|migrations/.test(path));
  expect(files.filter((path) => /: Record<(Exclude<)?Estado,? /.test(text(path)))).toEqual([]);
  // Lists of estados written by hand would be forgotten.
  const name = Object.keys(ESTADO).join('|');
  const lists = files.filter((path) => new RegExp(`[[(]\\s*'(${name})',\\s*'(${name})'(,\\s*'(${name})')+`).test(text(path)));
  expect(lists).toEqual(['web/pedidos/actions/achieved.ts']);
});
