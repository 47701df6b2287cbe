import { expect, test } from 'vitest';
import { EDITABLE_FIELDS } from '../../contract/pedidos/fields.ts';
import { createPackBody, createProductBody } from '../../contract/products/schemas.ts';
import { SETTINGS } from '../../contract/settings/fields.ts';
import { createUserBody } from '../../contract/users/schemas.ts';
import { readableChange, shownChanges } from './changes.ts';

test.each([
  ['estado', 'en_ruta', 'En Ruta'],
  ['estado', 'de_otra_version', 'de_otra_version'],
  ['metodo_entrega', 'manual', 'Reparto propio'],
  ['empresa_transporte', 'mrw', 'MRW'],
  ['empresa_transporte', 'Transportes Ruiz', 'Transportes Ruiz'],
  ['role', 'superadmin', 'Administrador'],
  ['pack_price_cents', 123450, '1.234,50\u00a0€'],
  ['stock', 1200, '1.200'],
  ['smtpPort', 2525, '2525'],
  ['notificationFrequency', 'hourly', 'Cada hora'],
  ['is_active', true, 'Sí'],
  ['is_active', false, 'No'],
  ['fecha_desde', '2026-02-01', '01/02/2026'],
  ['visto_at', '2026-07-01T22:30:00.000Z', '02/07/2026 00:30'],
  ['cliente_telefono', '600123123', '600123123'],
  ['constructor', 'x', 'x'],
  ['username', null, '—'],
  ['cliente_direccion2', '', '—'],
  ['conjuntos', ['pedidos', 'revendedores'], 'pedidos, revendedores'],
  ['ids', ['a', 'b'], '2'],
  ['filtro', {}, '—'],
  ['filtro', { estado: ['pendiente', 'en_ruta'], transportista_id: 'sin' }, 'Estado: Pendiente, En Ruta; Transportista: Sin asignar'],
])('the field %s with %j reads «%s»', (field, value, text) => {
  expect(readableChange(field, value)).toBe(text);
});

test('technical fields and values that read the same are left out of the logged changes', () => {
  const antes = { id: '1', product_id: '2', action: 'login', entity_type: 'session', created_at: '2026-07-01T22:30:00.000Z', version: 1 };
  expect(shownChanges({ antes, despues: null })).toEqual([]);
  expect(shownChanges({ antes: { username: null, pack_price_cents: 500 }, despues: { username: '', pack_price_cents: 500 } })).toEqual([]);
  expect(shownChanges({ antes: null, despues: null })).toEqual([]);
});

test('a field missing before or after a logged change shows a dash, and an unknown field keeps its name', () => {
  expect(shownChanges({ antes: { estado: 'asignado' }, despues: { otro_campo: 3 } })).toEqual([
    { field: 'estado', label: 'Estado', antes: 'Asignado', despues: '—' },
    { field: 'otro_campo', label: 'otro_campo', antes: '—', despues: '3' },
  ]);
});

test('every field that the forms write has a Spanish label in the log', () => {
  const shapes = [createUserBody.shape, createProductBody.shape, createPackBody.shape, SETTINGS];
  const fields = new Set([...EDITABLE_FIELDS, ...shapes.flatMap((shape) => Object.keys(shape))]);
  // The log has a pack's price in cents, and `product_id` is a technical field.
  for (const field of ['pack_price', 'product_id']) fields.delete(field);
  fields.add('pack_price_cents');
  const changes = shownChanges({ antes: null, despues: Object.fromEntries([...fields].map((field) => [field, 'x'])) });
  expect(changes).toHaveLength(fields.size);
  expect(changes.filter(({ field, label }) => label === field)).toEqual([]);
});
