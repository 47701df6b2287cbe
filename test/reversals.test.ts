import { expect, test } from 'vitest';
import { ESTADOS } from '../contract/pedidos/estados.ts';
import { TRANSITION_NAMES, TRANSITIONS } from '../contract/pedidos/flow.ts';
import { FOLLOWS, findReversal, isReversal, REVERSAL_NAMES, REVERSALS, reversalsFor, stepLabel } from '../contract/pedidos/reversals.ts';
import { actorOf, orderWith } from './situations.ts';

test.each(TRANSITION_NAMES)('what takes «%s» back begins where it ends, or a sentence says why nothing does', (name) => {
  const { back } = FOLLOWS[name];
  if (typeof back === 'object') return expect(back.never).toMatch(/^[A-Z].{20,}/);
  if (isReversal(back)) return expect(REVERSALS[back].of).toBe(name);
  expect(TRANSITIONS[back].from).toContain(TRANSITIONS[name].to);
  // A step back that writes a ledger would not leave the books as they were.
  expect([FOLLOWS[name].writes, FOLLOWS[back].writes]).toEqual([[], []]);
});

test('each reversal takes back the step that names it', () => {
  for (const name of REVERSAL_NAMES) expect(FOLLOWS[REVERSALS[name].of].back).toBe(name);
});

test('an order is taken back from three estados, by its own carrier from two and by a reseller from none', () => {
  const offered = (role: 'superadmin' | 'transportista' | 'revendedor', more: object = {}) =>
    ESTADOS.flatMap((estado) => {
      const order = { ...orderWith({ estado }), transportista_id: 'transportista', ...more };
      return reversalsFor(actorOf(role), order).map((name) => `${estado} ${name}`);
    });
  const carriers = ['en_ruta volver_de_ruta', 'completado deshacer_entrega'];
  expect(offered('superadmin').toSorted()).toEqual([...carriers, 'cancelado reabrir'].toSorted());
  expect(offered('transportista').toSorted()).toEqual(carriers.toSorted());
  expect(offered('transportista', { transportista_id: 'otro' })).toEqual([]);
  expect(offered('revendedor')).toEqual([]);
  expect(ESTADOS.filter((estado) => findReversal(estado))).toEqual(ESTADOS.filter((estado) => /en_ruta|completado|cancelado/.test(estado)));
});

test('a button says the step or its way back', () => {
  expect(['salir', 'volver_de_ruta', 'reabrir'].map((name) => stepLabel(name as 'salir'))).toEqual([
    TRANSITIONS.salir.label,
    'Vuelve al almacén',
    'Reabrir el pedido',
  ]);
});
