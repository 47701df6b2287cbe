import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { onPhone, open, person, reload } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pageOf } from '../../test/web/samples.ts';
import { expectAfter, holdWaits } from '../../test/web/waits.ts';
import { queryClient } from '../api.ts';
import { stopOutbox } from '../outbox/outbox.ts';
import { openStore } from '../outbox/store.ts';

/* A carrier's step that the server has accepted while lists cannot be refetched. */

const me = person('transportista');

test('an accepted delivery stays completed while the list cannot be refetched, even after a reload', async () => {
  const pedido = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', transportista_id: me.id, transportista_nombre: me.full_name }));
  const card = row(pedido.numero_orden);
  const fourSeconds = holdWaits(4_000);
  let mine = [pedido];
  await onPhone();
  server.reply(listPedidos, () => pageOf(mine));
  server.reply(setEstado, () => {
    mine = [];
    server.offline(true);
    return asDone('Estado actualizado', { ...pedido, estado: 'completado' as const });
  });
  open('/pedidos-asignados', 'transportista');
  await card.getByRole('button', { name: /^Completar/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
  await dialog.getByRole('radio', { name: 'Reparto propio' }).click();
  await dialog.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(page.getByText('Pedido marcado como completado exitosamente')).toBeVisible();
  const warning = page.getByText(/Sin conexión desde/);
  await expectAfter(fourSeconds, warning);
  const expectDone = async () => {
    await expect.element(card).toMatchTextContent('Completado');
    await expect.element(card).not.toMatchTextContent('Pendiente de enviar');
    await expect.element(card.getByRole('button', { name: /^Completar/ })).not.toBeInTheDocument();
  };
  // Waits until the last refetch of the list has failed.
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await expectDone();

  const store = openStore();
  const operations = await store.of(me.id);
  expect(operations).toMatchObject([{ state: 'aceptado' }]);
  // Stops the outbox, which deletes the operation, and stores the operation again as a reload would find it.
  stopOutbox();
  await expect.poll(() => store.of(me.id)).toEqual([]);
  for (const operation of operations) await store.add(operation);
  const [listed] = queryClient.getQueriesData({ queryKey: [listPedidos.path] }).filter(([, data]) => data);
  server.lose(listPedidos);
  server.offline(false);
  reload('transportista');
  // Restores the cached list, as the program does when opened without coverage.
  queryClient.setQueryData(listed?.[0] ?? [], listed?.[1]);
  await expectDone();

  server.reply(listPedidos, () => pageOf(mine));
  await queryClient.invalidateQueries();
  await expect.element(card).not.toBeInTheDocument();
  await expect.poll(() => store.of(me.id)).toEqual([]);
  store.close();
  expect(server.asked(setEstado)).toHaveLength(1);
});
