import { afterAll, beforeAll, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { RULES } from '../../contract/policy/policy.ts';
import { ANSWERS_DB } from '../../contract/session/fields.ts';
import { onPhone, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { deleteStored } from './session.ts';

/* Gives superadmins the permission to take orders; their device must still store nothing (server/transportista/take-alone.test.ts). */

const rule: object = RULES['pedido:take'];
beforeAll(() => void Object.assign(rule, { superadmin: RULES['pedido:take'].transportista }));
afterAll(() => Reflect.deleteProperty(rule, 'superadmin'));

const databases = async () => (await indexedDB.databases()).map(({ name }) => name).filter((name) => name?.startsWith('enruta'));

async function openList(role: 'superadmin' | 'transportista'): Promise<void> {
  deleteStored();
  await expect.poll(databases).not.toContain(ANSWERS_DB);
  const pedido = aPedido({ estado: 'en_ruta' });
  server.answer(listPedidos, pageOf([pedido]));
  await onPhone();
  open(role === 'superadmin' ? '/pedidos' : '/pedidos-asignados', role);
  await expect.element(row(pedido.numero_orden)).toBeVisible();
}

test('a superadmin who may take orders stores neither outbox nor cached responses on the device', async () => {
  await openList('superadmin');
  await page.getByRole('button', { name: /Ada Ruiz/ }).click();
  expect(await databases()).toEqual([]);
});

test('a carrier stores an outbox and cached responses on the device', async () => {
  await openList('transportista');
  await expect.poll(databases).toEqual(expect.arrayContaining(['enruta-bandeja', ANSWERS_DB]));
});
