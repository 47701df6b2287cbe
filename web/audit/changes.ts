import { DIA_LABEL } from '../../contract/pedidos/day.ts';
import { ESTADO } from '../../contract/pedidos/estados.ts';
import { pedidoLabel } from '../../contract/pedidos/fields.ts';
import { PEDIDO_FILTERS } from '../../contract/pedidos/filters.fields.ts';
import { companyLabel } from '../../contract/pedidos/metodos.ts';
import { PACK_FIELDS, PRODUCT_FIELDS } from '../../contract/products/fields.ts';
import { SETTINGS } from '../../contract/settings/fields.ts';
import type { Setting } from '../../contract/settings/setting.ts';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import { fecha, fechaHora, money, number } from '../ui/format/format.ts';
import { findWord, roleLabel } from './words.ts';

const labelsOf = (fields: Record<string, { label: string }>) =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]));

/** Labels of fields that `pedidoLabel` lacks: users, products, packs, settings, exports. */
const LABEL: Record<string, string> = {
  ...labelsOf(PEDIDO_FILTERS),
  ...labelsOf(SETTINGS),
  ...labelsOf(USER_FIELDS),
  role: 'Rol',
  is_active: 'Activo',
  segundo_factor: 'Verificación en dos pasos',
  ...labelsOf(PRODUCT_FIELDS),
  ...labelsOf(PACK_FIELDS),
  pack_price_cents: PACK_FIELDS.pack_price.label,
  margen: 'Margen',
  tarifas: 'Tarifas (entrega / intento)',
  importe_cents: 'Importe',
  liquidaciones: 'Liquidaciones',
  lineas: 'Líneas',
  pagada_el: 'Pagada el',
  pago_referencia: 'Referencia del pago',
  ip: 'Dirección IP',
  filas: 'Filas',
  conjuntos: 'Qué exportar',
  formato: 'Formato',
  filtro: 'Filtro',
};
const fieldLabel = (field: string) => findWord(LABEL, pedidoLabel(field));

const words = (known: Record<string, string>) => (value: string) => findWord(known, value);
const quantity = (value: string) => number(Number(value));
// Shortens the id like the «Actor» column.
const person = (value: string) => (value === 'sin' ? 'Sin asignar' : value.slice(0, 8));
const flag = (value: string) => (value === 'si' ? 'Sí' : value);

const READ = new Map<string, (value: string) => string>([
  ...Object.entries<Setting>(SETTINGS).map(([name, { options = {} }]) => [name, words(options)] as const),
  ['estado', words(labelsOf(ESTADO))],
  ['metodo_entrega', companyLabel],
  ['empresa_transporte', companyLabel],
  ['role', roleLabel],
  ['pack_price_cents', (cents) => money(Number(cents) / 100)],
  ['importe_cents', (cents) => money(Number(cents) / 100)],
  ['stock', quantity],
  ['min_stock', quantity],
  ['pack_quantity', quantity],
  ['filas', quantity],
  ['revendedor_id', person],
  ['transportista_id', person],
  ['atrasado', flag],
  ['hoy', words(DIA_LABEL)],
  ['incidencia', flag],
  ['transferencia', flag],
]);
const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;

export function readableChange(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  // Counts the exported orders, because ids mean nothing to a reader.
  if (field === 'ids' && Array.isArray(value)) return number(value.length);
  if (Array.isArray(value)) return value.map((each) => readableChange(field, each)).join(', ') || '—';
  if (typeof value === 'object') {
    const inner = Object.entries(value).map(([name, each]) => `${fieldLabel(name)}: ${readableChange(name, each)}`);
    return inner.join('; ') || '—';
  }
  const text = String(value);
  const date = DATE.exec(text);
  if (date) return date[1] ? fechaHora(text) : fecha(text);
  return READ.get(field)?.(text) ?? text;
}

// The description of an entry already names the record that an `_id` points to.
const technical = (field: string) =>
  field.endsWith('_id') || ['id', 'action', 'entity_type', 'created_at', 'updated_at', 'version'].includes(field);

type Values = Record<string, unknown> | null;

/** Changes of a log entry for display, without technical fields and without values that read the same. */
export const shownChanges = ({ antes, despues }: { antes: Values; despues: Values }) =>
  [...new Set([...Object.keys(antes ?? {}), ...Object.keys(despues ?? {})])]
    .filter((field) => !technical(field))
    .map((field) => ({
      field,
      label: fieldLabel(field),
      antes: readableChange(field, antes?.[field]),
      despues: readableChange(field, despues?.[field]),
    }))
    .filter((change) => change.antes !== change.despues);
