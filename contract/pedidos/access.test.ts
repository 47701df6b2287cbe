import { expect, test } from 'vitest';
import { actorOf, CASES, orderWith } from '../../test/situations.ts';
import { editsField, isEditable, sees, seesField, visibleFields, writesField } from './access.ts';
import { contraReembolsoRefusal, overCash } from './contra-reembolso.ts';
import { FIELDS, pedidoField } from './fields.ts';
import { lineasRefusal } from './flow.ts';
import { whyOrderStays } from './situation.ts';

const delivered = { ...orderWith({ estado: 'completado' }), transportista_id: 'transportista' };

test('a carrier no longer sees the contact of an order delivered long ago, but its price’s readers do', () => {
  const old = { ...delivered, contacto_oculto: true };
  for (const [role, recent, later] of [
    ['superadmin', true, true],
    ['revendedor', true, true],
    ['transportista', true, false],
  ] as const)
    expect([role, sees(actorOf(role), 'contact', delivered), sees(actorOf(role), 'contact', old)]).toEqual([role, recent, later]);
  // Nothing else is hidden with it.
  const hidden = visibleFields(actorOf('transportista'), delivered).filter((name) => !seesField(actorOf('transportista'), name, old));
  expect(hidden).toContain('cliente_telefono');
  expect(hidden.every((name) => !visibleFields(actorOf('transportista'), old).includes(name))).toBe(true);
  expect(sees(actorOf('transportista'), 'delivery', old)).toBe(true);
});

test('a carrier or reseller sees nothing of another person’s order that only its own people see', () => {
  const other = { ...delivered, revendedor_id: 'otro', transportista_id: 'otra' };
  expect(visibleFields(actorOf('transportista'), other)).not.toContain('cliente_telefono');
  expect(visibleFields(actorOf('revendedor'), other)).not.toContain('cliente_telefono');
  expect(visibleFields(actorOf('superadmin'), other)).toContain('cliente_telefono');
});

test('a sale of 1.000 € may not be paid in cash, and one of a cent less may', () => {
  const sale = (total_cents: number, more: object = {}) => contraReembolsoRefusal({ active: true, permitted: true, total_cents, ...more });
  expect([overCash(99_999), overCash(100_000)]).toEqual([false, true]);
  expect([sale(99_999), sale(100_000)]).toEqual([undefined, expect.stringContaining('1.000')]);
  expect(sale(1, { active: false })).toContain('no está activado');
  expect(sale(1, { permitted: false })).toContain('pídelo a un administrador');
});

test('a reseller changes the lines of an order without an agreed discount, the office of any', () => {
  const own = { ...orderWith({ estado: 'pendiente_pago' }), descuento: 0 };
  expect(lineasRefusal(actorOf('revendedor'), own)).toBeUndefined();
  expect(lineasRefusal(actorOf('revendedor'), { ...own, descuento_cents: 0 })).toBeUndefined();
  expect(lineasRefusal(actorOf('revendedor'), { ...own, descuento: 0.01 })).toContain('descuento acordado');
  expect(lineasRefusal(actorOf('revendedor'), { ...own, descuento_cents: 1 })).toContain('descuento acordado');
  expect(lineasRefusal(actorOf('superadmin'), { ...own, descuento: 5 })).toBeUndefined();
});

test('an order that must stay says whether its goods are picked; one that leaves says nothing', () => {
  const found = Object.values(CASES).map(([fields]) => whyOrderStays(orderWith(fields)));
  expect(found).toContain('unprepared');
  expect(found).toContain(undefined);
  const [unprepared] = CASES.sin_pagar;
  expect(whyOrderStays(orderWith(unprepared))).toBe('unprepared');
  expect(whyOrderStays(orderWith({ estado: 'asignado' }))).toBeUndefined();
  // Of two reasons to stay, goods that are not picked count.
  const [company, waits] = [CASES.en_empresa[0], CASES.espera_respuesta[0]];
  expect([whyOrderStays(orderWith(company)), whyOrderStays(orderWith({ ...company, ...waits }))]).toEqual(['prepared', 'unprepared']);
});

test('a field has a writer until some stage, or none: then nobody writes it', () => {
  expect(FIELDS.filter((name) => (pedidoField(name).by === undefined) !== (pedidoField(name).until === undefined))).toEqual([]);
  const writers = (name: (typeof FIELDS)[number]) =>
    (['superadmin', 'revendedor', 'transportista'] as const).filter((role) => writesField(actorOf(role), name));
  expect(writers('cliente_nombre')).toEqual(['superadmin', 'revendedor']);
  expect(writers('numero_orden')).toEqual(['superadmin']);
  for (const name of ['id', 'pagado', 'transportista_id', 'motivo'] as const) expect(writers(name)).toEqual([]);
});

test('the promised day is edited by whoever may promise, a hidden field by nobody', () => {
  const order = orderWith({ estado: 'asignado' });
  const editors = (name: Parameters<typeof editsField>[1]) =>
    (['superadmin', 'revendedor', 'transportista'] as const).filter((role) => editsField(actorOf(role), name, order));
  expect(editors('fecha_estimada')).toEqual(['superadmin']);
  expect(editors('referencia_externa')).toEqual(['superadmin']);
  expect(editors('instrucciones')).toEqual(['superadmin', 'revendedor']);
});

test('an order that is cancelled or deleted is frozen, and a completed one but for a few fields', () => {
  const order = { estado: 'pendiente', deleted_at: null } as const;
  const states = [order, { ...order, deleted_at: '2026-11-20T10:00:00Z' }, { estado: 'cancelado' }, { estado: 'completado' }] as const;
  expect(states.map((state) => isEditable('cliente_nombre', state))).toEqual([true, false, false, false]);
  expect(states.map((state) => isEditable('instrucciones', state))).toEqual([true, false, false, true]);
});
