import { entregarCaja } from '../contract/caja/caja.ts';
import { addComentario } from '../contract/comentarios/comentarios.ts';
import { deshacerPaso } from '../contract/deshacer/deshacer.ts';
import { createDevolucion } from '../contract/devoluciones/devoluciones.ts';
import { listLiquidaciones, pagarLiquidacion } from '../contract/liquidaciones/liquidaciones.ts';
import { listNotifications, NOTIFICATION_TYPES, type NotificationType } from '../contract/notifications/notifications.ts';
import { aplazarEntrega, avisarTransferencia, getPago } from '../contract/pagar/pagar.ts';
import { assignTransportista, createPedido, responderIncidencia, setEstado } from '../contract/pedidos/pedidos.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { autoAsignar, contarNoAceptado } from '../contract/transportista/transportista.ts';
import type { Client } from '../test/client.ts';
import { dayInMadrid } from '../test/day.ts';
import { connect } from './api.ts';
import { expect, SUPERADMIN, signIn, test } from './fixtures.ts';
import { closedLastMonth } from './liquidaciones.ts';

/* Screens that the server's notices open. The bell itself is tested in web/notifications/notifications.browser.test.tsx. */

/** Notice types not opened here: jobs, banks, other superadmins or proof of delivery cause them, or their list no longer shows the subject. */
const NOT_OPENED: readonly NotificationType[] = [
  'pedido_retirado',
  'pago_tardio',
  'pago_por_revisar',
  'pago_recordado',
  'transferencia_por_vencer',
  'sin_enviar',
  'copia_fallida',
  'tarea_fallida',
  'copia_descargada',
  'segundo_factor_quitado',
  'configuracion_cambiada',
  'clave_creada',
  'webhook_creado',
  'webhook_desactivado',
  'tienda_por_revisar',
  // Skipped because they link to the order's page, which the tests of other notices already open.
  'entrega_sin_comprobar',
  'diferencia_entrega',
];

test('every notice opens a screen that shows its subject', async ({ page, api, server, openAs }) => {
  test.slow();
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const [reseller, carrier] = [await api.as(rita), await api.as(tomas)];
  const product = await api.product({ name: 'Lenteja', stock: 21, min_stock: 19 });
  const pack = await api.pack({ product_id: product.id });
  await api.product({ name: 'Alubia' });
  const ok = ({ status, text }: { status: number; text: string }) => expect(status, text).toBeLessThan(300);
  const move = async (by: Client, id: string, body: object) => ok(await by.call(setEstado, { params: { id }, body: body as never }));
  const paid = async () => {
    const pedido = await api.pedido({ pack_id: pack.id }, reseller);
    await move(api.admin, pedido.id, { estado: 'pendiente', referencia: 'TRF' });
    return pedido;
  };

  await api.prove();
  ok(await api.admin.call(updateSettings, { body: { companyIban: 'ES9121000418450200051332', maxAttempts: 1, cashOnDelivery: true } }));
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Mayor 1', pack_id: pack.id, cantidad: 1 };
  const { payment_link } = (await reseller.call(createPedido, { body })).body;
  const nobody = connect(server.url);
  const tokenOf = (link: string | null | undefined) => ({ token: link?.split('/').at(-1) ?? '' });
  ok(await nobody.call(avisarTransferencia, { params: tokenOf(payment_link) }));
  const [available, held, failed, delivered, cancelled] = [await paid(), await paid(), await paid(), await paid(), await paid()];
  for (const { id } of [failed, delivered, cancelled]) ok(await carrier.call(autoAsignar, { params: { id } }));
  ok(await api.admin.call(assignTransportista, { params: { id: held.id }, body: { transportista_id: tomas.id } }));
  await move(carrier, failed.id, { estado: 'en_ruta' });
  await move(carrier, failed.id, { estado: 'asignado', motivo: 'No había nadie' });
  ok(await reseller.call(responderIncidencia, { params: { id: failed.id }, body: { respuesta: 'recogida' } }));
  const params = tokenOf(held.payment_link);
  const [dia = ''] = (await nobody.call(getPago, { params })).body.data.dias_posibles;
  ok(await nobody.call(aplazarEntrega, { params, body: { dia } }));
  await move(carrier, delivered.id, { estado: 'completado', metodo_entrega: 'manual' });
  await move(api.admin, cancelled.id, { estado: 'cancelado' });
  const { id: reopened } = await paid();
  await move(api.admin, reopened, { estado: 'cancelado' });
  ok(await api.admin.call(deshacerPaso, { params: { id: reopened }, body: { paso: 'reabrir' } }));
  const late = { pedido_id: cancelled.id, paso: 'completar' as const, ocurrido: new Date().toISOString(), rechazo: 'Cancelado' };
  ok(await carrier.call(contarNoAceptado, { body: late }));
  const { data: collected } = (await api.admin.call(createPedido, { body: { ...body, contra_reembolso: true } })).body;
  ok(await carrier.call(autoAsignar, { params: { id: collected.id } }));
  await move(carrier, collected.id, {
    estado: 'completado',
    metodo_entrega: 'manual',
    cobrado: collected.precio_total,
    cobrado_metodo: 'efectivo',
  });
  ok(await carrier.call(entregarCaja, { body: { dia: dayInMadrid(), contado: collected.precio_total } }));
  const back = { lineas: [{ numero: 1, cantidad: 1, destino: 'baja' as const }], motivo: 'otro' as const };
  ok(await api.admin.call(createDevolucion, { params: { id: delivered.id }, body: back }));
  await closedLastMonth(api, server, [rita, tomas]);
  const [{ id: statement } = { id: '' }] = (await reseller.call(listLiquidaciones)).body.data;
  ok(await api.admin.call(pagarLiquidacion, { params: { id: statement }, body: { referencia: 'SEPA 1', fecha: dayInMadrid() } }));
  ok(await reseller.call(addComentario, { params: { id: held.id }, body: { texto: '@Administrador, ¿cuándo llega?' } }));

  const seen = new Set<string>();
  for (const [client, window] of [
    [api.admin, page],
    [reseller, await openAs(rita)],
    [carrier, await openAs(tomas)],
  ] as const) {
    if (window === page) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
    for (const { tipo, texto, enlace } of (await client.call(listNotifications)).body.data) {
      // The notice of available orders names no order.
      const [subject = available.numero_orden] = texto.match(/(ORD|LIQ)-\d+|Lenteja|[\d,]+\s€/) ?? [];
      if (seen.has(`${client === api.admin} ${tipo}`)) continue;
      seen.add(`${client === api.admin} ${tipo}`).add(tipo);
      await window.goto(enlace);
      await expect(window.getByRole('main').getByText(subject).first(), `${tipo}: ${enlace}`).toBeVisible();
      if (tipo === 'stock_bajo') await expect(window.getByRole('main').getByText('Alubia')).toHaveCount(0);
    }
  }
  for (const tipo of NOTIFICATION_TYPES.filter((known) => !NOT_OPENED.includes(known))) expect(seen).toContain(tipo);
});
