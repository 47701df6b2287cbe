import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { deshacerPaso, type ReversalPreview, verDeshacer } from '../../../contract/deshacer/deshacer.ts';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { address, expectAccessible, open } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';

/* The office takes a delivery or a cancellation back: the question says what that does, or who can help. */

let pedido: Pedido;
const answer: ReversalPreview = {
  paso: 'deshacer_entrega',
  vuelve_a: 'en_ruta',
  con_motivo: true,
  consecuencias: ['Los 25,00 € (Efectivo) salen de lo cobrado por Luis', 'Se anula lo que ganan con ella Luis y Rosa'],
  rechazo: null,
};
beforeEach(() => {
  pedido = aPedido({ estado: 'completado', fecha_completado: '2026-11-24T09:00:00.000Z', metodo_entrega: 'manual' });
  server.reply(listPedidos, () => pageOf([pedido]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(verDeshacer, () => ({ data: answer }));
  server.reply(deshacerPaso, () => {
    pedido = { ...pedido, estado: 'en_ruta', fecha_completado: null };
    return asDone('Entrega deshecha', pedido);
  });
});

const dialog = page.getByRole('dialog');
async function ask(name: string) {
  open('/pedidos', 'superadmin');
  await page.getByRole('button', { name: `Acciones del pedido ${pedido.numero_orden}` }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('the question lists what is taken back, wants a reason, and puts the order back', async () => {
  await ask('Deshacer la entrega');
  await expect.element(dialog).toMatchTextContent('El pedido vuelve a «En Ruta».');
  const list = dialog.getByRole('list', { name: 'Qué se deshace' });
  for (const words of answer.consecuencias) await expect.element(list.getByText(words)).toBeVisible();
  await expectAccessible();
  const undo = dialog.getByRole('button', { name: 'Deshacer la entrega' });
  await undo.click();
  await expect.element(dialog.getByText('Indica el motivo')).toBeVisible();
  expect(server.asked(deshacerPaso)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('Era del vecino');
  await undo.click();
  await expect.element(page.getByText(`${pedido.numero_orden}: entrega deshecha`)).toBeVisible();
  expect(server.asked(deshacerPaso)[0]?.body).toMatchObject({
    paso: 'deshacer_entrega',
    motivo: 'Era del vecino',
    version: pedido.version,
  });
});

test('what has gone too far says why and who can help, and offers no button', async () => {
  server.reply(verDeshacer, () => ({
    data: { ...answer, consecuencias: [], rechazo: 'La liquidación LIQ-1 de Luis ya está pagada: quita antes «Pagada»' },
  }));
  await ask('Deshacer la entrega');
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('quita antes «Pagada»');
  expect(dialog.getByRole('button', { name: 'Deshacer la entrega' }).query()).toBeNull();
  await dialog.getByRole('button', { name: 'Cerrar', exact: true }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a cancelled order is reopened without a reason', async () => {
  pedido = aPedido({ estado: 'cancelado' });
  const reopening: ReversalPreview = {
    ...answer,
    paso: 'reabrir',
    vuelve_a: 'pendiente',
    con_motivo: false,
    consecuencias: ['No queda nada por cobrar'],
  };
  server.reply(verDeshacer, () => ({ data: reopening }));
  await ask('Reabrir el pedido');
  await expect.element(dialog.getByLabelText('Motivo (opcional)')).toBeVisible();
  await dialog.getByRole('button', { name: 'Reabrir el pedido' }).click();
  await expect.poll(() => server.asked(deshacerPaso)[0]?.body).toMatchObject({ paso: 'reabrir', motivo: null });
  await expect.poll(address).toBe('/pedidos');
});
