import { expect, test } from 'vitest';
import { actorOf, orderWith } from '../../test/situations.ts';
import { sees, seesField, visible } from './access.ts';

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
  const hidden = visible(actorOf('transportista'), delivered).filter((name) => !seesField(actorOf('transportista'), name, old));
  expect(hidden).toContain('cliente_telefono');
  expect(hidden.every((name) => !visible(actorOf('transportista'), old).includes(name))).toBe(true);
  expect(sees(actorOf('transportista'), 'delivery', old)).toBe(true);
});

test('a carrier or reseller sees nothing of another person’s order that only its own people see', () => {
  const other = { ...delivered, revendedor_id: 'otro', transportista_id: 'otra' };
  expect(visible(actorOf('transportista'), other)).not.toContain('cliente_telefono');
  expect(visible(actorOf('revendedor'), other)).not.toContain('cliente_telefono');
  expect(visible(actorOf('superadmin'), other)).toContain('cliente_telefono');
});
