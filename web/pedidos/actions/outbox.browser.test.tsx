import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { asDone, type BodyIn, type ErrorBody } from '../../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type Pedido, type PedidoTransportista, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../../contract/pedidos/schemas.ts';
import { sendPrueba } from '../../../contract/pruebas/pruebas.ts';
import { contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { onPhone, open, person } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row } from '../../../test/web/list.ts';
import { file, operation } from '../../../test/web/operations.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';
import { queryClient, SESSION_KEY } from '../../api.ts';
import { openStore } from '../../outbox/store.ts';
import { outboxFor, type StepBody, storeStep } from './outbox.ts';

/* Refused and repeated steps of a carrier. */

const me = person('transportista');
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
const anOrder = (fields: Partial<Pedido>): PedidoTransportista =>
  pedidoTransportista.parse(aPedido({ transportista_id: me.id, transportista_nombre: me.full_name, ...fields }));
const DONE: ErrorBody = { message: 'El pedido ya está en estado «Completado»', code: 'estado' };
const UNKNOWN: ErrorBody = { message: 'No se sabe su respuesta', code: 'idempotency_unknown' };

type Body = BodyIn<typeof setEstado>;
const DELIVERED = { estado: 'completado', paso: 'completar', metodo_entrega: 'manual' } as const;
const CASH = { cobrado: 40, cobrado_metodo: 'efectivo' } as const;

/** Returns the stored state of a step, made `minutes` ago, after the server answers `refusal`; 'gone' if the step is no longer stored. */
async function stateOf(body: Body, minutes: number, refusal: ErrorBody, order: Partial<Pedido>): Promise<string> {
  const now = anOrder({ estado: body.estado, ...order });
  const key = crypto.randomUUID();
  const at = ago(minutes);
  const store = openStore();
  await store.add(operation(key, now.id, { person: me.id, body: { ...body, ocurrido: at }, at, tries: 4, unknowns: 4 }));
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=x; Path=/';
  queryClient.setQueryData(SESSION_KEY, me);
  server.refuse(setEstado, 409, refusal);
  server.answer(getPedido, { data: now });
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  const outbox = outboxFor(me);
  await expect.poll(() => server.asked(setEstado).length).toBeGreaterThan(0);
  await outbox.sendNow();
  const [left] = await store.of(me.id);
  store.close();
  return left?.state ?? 'gone';
}

test('a carrier’s delivery is refused and reported to the office if the office completed the order first', async () => {
  const pedido = anOrder({ estado: 'en_ruta', contra_reembolso: true, por_cobrar: 40 });
  let mine = [pedido];
  await onPhone();
  server.reply(listPedidos, () => pageOf(mine));
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  open('/pedidos-asignados', 'transportista');
  await expect.element(row(pedido.numero_orden)).toBeVisible();
  server.offline(true);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - MINUTE });
  await row(pedido.numero_orden)
    .getByRole('button', { name: /^Completar/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
  await dialog.getByRole('radio', { name: 'Efectivo' }).click();
  await dialog.getByRole('radio', { name: 'Reparto propio' }).click();
  await dialog.getByRole('button', { name: 'Completar entrega' }).click();
  await expect.element(row(pedido.numero_orden)).toMatchTextContent('Pendiente de enviar');
  vi.useRealTimers();
  mine = [];
  server.refuse(setEstado, 409, DONE);
  const theirs = { ...pedido, estado: 'completado', metodo_entrega: 'manual', por_cobrar: null, fecha_completado: ago(0) } as const;
  server.answer(getPedido, { data: theirs });
  server.offline(false);
  const refused = page.getByRole('alert').filter({ hasText: `${pedido.numero_orden}: no se ha registrado` });
  await expect.element(refused).toMatchTextContent('Cobrado (€): 40,00');
  await expect
    .poll(() => server.asked(contarNoAceptado)[0]?.body)
    .toMatchObject({ pedido_id: pedido.id, paso: 'completar', cobrado: 40, cobrado_metodo: 'efectivo', rechazo: DONE.message });
});

test.each<[string, Body, ErrorBody, (at: string) => Partial<Pedido>, string]>([
  ['completed in the same minute by the office', { ...DELIVERED, ...CASH }, DONE, (at) => ({ fecha_completado: at }), 'rechazado'],
  ['completed at a different time by the office', DELIVERED, DONE, () => ({ fecha_completado: ago(0) }), 'rechazado'],
  ['out for delivery already', { estado: 'en_ruta', paso: 'salir' }, DONE, () => ({}), 'aceptado'],
])('a refused step counts as made only if the step has no details: an order %s', async (_, body, refusal, order, state) => {
  expect(await stateOf(body, 30, refusal, { metodo_entrega: 'manual', ...order(ago(30)) })).toBe(state);
});

test.each<[string, Body, (at: string) => Partial<Pedido>, string]>([
  ['completed with cash at the time of the step', { ...DELIVERED, ...CASH }, (at) => ({ fecha_completado: at }), 'aceptado'],
  [
    'completed without PIN at the time of the step',
    { ...DELIVERED, motivo: 'Sin móvil' },
    (at) => ({ fecha_completado: at, motivo: null }),
    'aceptado',
  ],
  ['completed at another time', { ...DELIVERED, ...CASH }, () => ({ fecha_completado: ago(5) }), 'rechazado'],
  ['completed by another delivery method', DELIVERED, (at) => ({ fecha_completado: at, metodo_entrega: 'mrw' }), 'rechazado'],
  ['failed for the same reason', { estado: 'asignado', paso: 'fallar', motivo: 'Ausente' }, () => ({ motivo: 'Ausente' }), 'aceptado'],
  ['failed for another reason', { estado: 'asignado', paso: 'fallar', motivo: 'Ausente' }, () => ({ motivo: 'Cerrado' }), 'rechazado'],
])('a step whose answer was lost in a crash counts as made only if the order agrees: an order %s', async (_, body, order, state) => {
  expect(await stateOf(body, 30, UNKNOWN, { metodo_entrega: 'manual', ...order(ago(30)) })).toBe(state);
});

test('the signature of a delivery that was cancelled meanwhile is sent after the report to the office', async () => {
  const now = anOrder({ estado: 'cancelado' });
  const key = crypto.randomUUID();
  const at = ago(60);
  const pruebas = [{ tipo: 'firma', sha256: 'a'.repeat(64) }] as const;
  const { operation: signature, bytes } = file(`${key}-firma`, now.id, key);
  const store = openStore();
  await store.add(operation(key, now.id, { person: me.id, body: { ...DELIVERED, pruebas, ocurrido: at }, at }), [
    { operation: { ...signature, person: me.id, path: `/api/pedidos/${now.id}/pruebas` }, bytes },
  ]);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=x; Path=/';
  queryClient.setQueryData(SESSION_KEY, me);
  server.refuse(setEstado, 409, { message: 'El pedido está cancelado', code: 'estado' });
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  server.refuse(sendPrueba, 503, { message: 'Ahora no' });
  const outbox = outboxFor(me);
  await expect.poll(() => server.asked(contarNoAceptado)[0]?.body).toMatchObject({ pruebas });
  await expect.poll(() => server.asked(sendPrueba).length).toBeGreaterThan(0);
  // «Entendido» keeps the signature that the report announced.
  await outbox.hide(key);
  expect(outbox.operations().map(({ id }) => id)).toEqual([`${key}-firma`]);
  const data = { id: crypto.randomUUID(), ...pruebas[0], bytes: 9, created_at: at, url: null };
  server.answer(sendPrueba, asDone('Prueba guardada', data));
  await outbox.sendNow();
  await expect.poll(async () => (await store.of(me.id)).length).toBe(0);
  store.close();
});

test('a step repeated at once is stored once, but is stored again after a different step', async () => {
  const pedido = anOrder({ estado: 'en_ruta' });
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=x; Path=/';
  queryClient.setQueryData(SESSION_KEY, me);
  server.offline(true);
  const steps = async () => {
    const store = openStore();
    const all = await store.of(me.id);
    store.close();
    return all.map(({ body }) => body.paso);
  };
  const make = (body: StepBody) => storeStep(me, { pedido, body });
  expect((await make(DELIVERED)).kind).toBe('stored');
  expect((await make(DELIVERED)).kind).toBe('stored');
  expect(await steps()).toEqual(['completar']);
  await make({ estado: 'asignado', paso: 'fallar', motivo: 'Ausente' });
  await make(DELIVERED);
  expect(await steps()).toEqual(['completar', 'fallar', 'completar']);
});
