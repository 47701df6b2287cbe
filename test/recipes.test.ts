import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY_ACTIONS } from '../contract/api-keys/fields.ts';
import { ESTADO } from '../contract/pedidos/estados.ts';
import { CREATED_FIELDS } from '../contract/pedidos/fields.ts';
import { type Action, isAction, rolesOf } from '../contract/policy/policy.ts';
import { getUser } from '../contract/session/schemas.ts';
import { endpoints } from './endpoints.ts';

/* Checks the lists that docs/recipes.md names and no other test compares: an addition must appear in each or be excluded on purpose. */

const ROOT = join(import.meta.dirname, '..');
const textOf = (patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => /\.test\.tsx?$/.test(path) })
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');
const names = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);

const MONEY = ['precio_total', 'precio_unitario', 'envio', 'descuento'];
const OF_PROGRAMS = ['referencia_externa', 'metadata'];
/** Fields only for the invoice. */
const OF_INVOICES = ['cliente_nif'];
/** Places that choose which fields they show, with their files and the fields that they omit on purpose. */
const PLACES: Record<string, { files: string[]; without: string[] }> = {
  'the carrier’s cards': {
    files: ['web/transportista/*.tsx', 'web/pedidos/summary.ts*', 'contract/text/address.ts', 'web/pedidos/cliente/said.tsx'],
    without: [...OF_INVOICES, ...MONEY, ...OF_PROGRAMS, 'pack_id'],
  },
  'the delivery note': {
    files: ['web/pedidos/print/albaran.tsx', 'contract/text/address.ts'],
    without: [...OF_INVOICES, ...MONEY, ...OF_PROGRAMS, 'estado', 'revendedor_id', 'contra_reembolso', 'pack_id'],
  },
  'the route sheet': {
    files: ['web/pedidos/print/lists.tsx', 'contract/text/address.ts'],
    without: [
      ...OF_INVOICES,
      ...[...MONEY, ...OF_PROGRAMS, 'fecha_pedido', 'estado', 'producto', 'cantidad', 'fecha_estimada'],
      ...['revendedor_id', 'contra_reembolso', 'pack_id'],
    ],
  },
  'the label': {
    files: ['server/etiquetas/*.ts'],
    without: [...OF_INVOICES, ...MONEY, ...OF_PROGRAMS, 'fecha_estimada', 'revendedor_id', 'contra_reembolso', 'pack_id'],
  },
  'shipment files': {
    files: ['contract/envios/plantilla.ts'],
    without: [
      ...OF_INVOICES,
      ...[...MONEY, ...OF_PROGRAMS, 'fecha_pedido', 'estado', 'producto', 'cantidad', 'franja_horaria', 'fecha_estimada'],
      ...['revendedor_id', 'contra_reembolso', 'pack_id'],
    ],
  },
  'the demonstration': { files: ['demo/*.ts'], without: [...OF_INVOICES, ...MONEY, 'referencia_externa'] },
};

describe.each(Object.entries(PLACES))('%s', (_, { files, without }) => {
  test('every field that an order is created with is named or omitted on purpose', () => {
    const text = textOf(files);
    expect(text).not.toBe('');
    expect(CREATED_FIELDS.filter((field) => !names(text, field) && !without.includes(field))).toEqual([]);
  });
});

/** Permissions of superadmins that no key can have, such as people, earnings, settings, backups and labels. */
const NOT_OF_KEYS: Action[] = [
  'apikey:manage',
  'audit:hide',
  'backup:manage',
  'caja:confirm',
  'cuadre:manage',
  'data:export',
  'iva:fill',
  'job:read',
  'liquidacion:manage',
  'pedido:batch',
  'pedido:label',
  'pedido:separate-sale',
  'pedido:undo-imports',
  'privacidad:manage',
  'settings:manage',
  'tienda:manage',
  'user:delete',
  'user:manage',
  'vista:manage',
];

test('every action of an endpoint is open to keys, or closed to them on purpose', () => {
  const asked = new Set(endpoints.flatMap(({ endpoint: { action } }) => (isAction(action) ? [action] : [])));
  const closed = [...asked].filter((action) => rolesOf(action).includes('superadmin') && !(action in KEY_ACTIONS));
  expect(closed.toSorted()).toEqual(NOT_OF_KEYS);
});

test('each setting in the session is sent by the server and read by a screen', () => {
  const { user, negocio } = getUser.response[200].shape;
  const server = textOf(['server/session/*.ts', 'contract/{settings,pruebas,avisos-cliente}/*.ts']);
  const web = textOf(['web/**/*.{ts,tsx}']);
  const sentNames = [...Object.keys(user.shape), ...Object.keys(negocio.shape)];
  expect(sentNames.filter((name) => !names(server, name) || !new RegExp(`\\b${name}\\b`).test(web))).toEqual([]);
});

/** Files that may repeat a label: a group of the dashboard has the same name as one of its estados. */
const SAME_WORDS = ['web/stats/admin/figures.tsx'];

test('the label of an estado is written in one file', () => {
  // Labels of a single word are ordinary words that other files may use.
  const labels = Object.values(ESTADO).flatMap(({ label }) => (label.includes(' ') ? [label] : []));
  const written = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (path) => !/\.test\.tsx?$|migrations/.test(path) && labels.some((label) => readFileSync(join(ROOT, path), 'utf8').includes(label)),
  );
  expect(written.toSorted()).toEqual(['contract/pedidos/estados.ts', ...SAME_WORDS]);
});
