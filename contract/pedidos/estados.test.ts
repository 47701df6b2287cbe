import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deriveEstados, ESTADO, type EstadoRow } from './estados.ts';

const NEW: EstadoRow = { label: 'En Almacén', color: 'teal', has: ['due', 'inHands', 'income', 'beforeLeaving'], first: ['entregas'] };

test('an estado added to the table is in every list, group and condition that its row names', () => {
  const { completado, cancelado, ...before } = ESTADO;
  const table: Readonly<Record<string, EstadoRow>> = { ...before, en_almacen: NEW, completado, cancelado };
  const derived = deriveEstados(table);
  const { groups, progress, listed, sql, ...lists } = derived;
  const holds = (estados: readonly string[]) => estados.includes('en_almacen');
  expect(Object.entries(lists).flatMap(([name, estados]) => (holds(estados) ? [name] : []))).toEqual([
    ...['all', 'due', 'inHands', 'toLoad', 'open', 'income', 'beforeLeaving'],
  ]);
  expect(Object.entries(groups).flatMap(([name, estados]) => (holds(estados) ? [name] : []))).toEqual(['en_proceso']);
  expect(Object.entries(progress).flatMap(([name, estados]) => (holds(estados) ? [name] : []))).toEqual(['preparacion']);
  expect(listed('entregas')).toEqual([
    ...['pendiente', 'asignado', 'en_almacen', 'completado', 'cancelado'],
    ...['pendiente_pago', 'en_proceso', 'en_ruta'],
  ]);
  expect(Object.entries(sql).flatMap(([name, text]) => (text.includes("'en_almacen'") ? [name] : []))).toEqual([
    ...['pedidos_estado_check', 'en_manos_tiene_transportista', 'pedidos_abiertos'],
  ]);
});

test('a new estado is written by hand in at most five places', () => {
  const root = join(import.meta.dirname, '../..');
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  const files = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$|migrations/.test(path));
  // The row, its transitions, a migration of the CHECKs, and each record with an entry for every estado.
  const records = files.filter((path) => /: Record<(Exclude<)?Estado,? /.test(text(path)));
  expect(records.toSorted()).toEqual(['web/pagar/message.ts', 'web/ui/format/estado-badge.tsx']);
  expect(3 + records.length).toBeLessThanOrEqual(5);
  // Lists of estados written by hand would be forgotten.
  const name = Object.keys(ESTADO).join('|');
  const lists = files.filter((path) => new RegExp(`[[(]\\s*'(${name})',\\s*'(${name})'(,\\s*'(${name})')+`).test(text(path)));
  expect(lists).toEqual(['web/pedidos/actions/achieved.ts']);
});
