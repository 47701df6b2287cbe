import { entregarCaja, listCajas } from '../contract/caja/caja.ts';
import { createEnvio } from '../contract/envios/envios.ts';
import { cargarPedido } from '../contract/etiquetas/etiquetas.ts';
import { setEstado } from '../contract/pedidos/pedidos.ts';
import { ROLES } from '../contract/policy/policy.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import type { Person } from './api.ts';
import { type Arranger, expect, expectFilled, SUPERADMIN, signIn, test } from './fixtures.ts';
import { arrangePicture, GUIDE_PICTURES, windowOf } from './guide-pictures.ts';
import { closedLastMonth } from './liquidaciones.ts';
import { inHand } from './transportista.ts';

/* Every label in the guide's pictures still exists on its screen. `npm run pictures` takes the pictures again. */

test('every label in the guide’s pictures still exists on its screen', async ({ page, api, server, allowErrors }) => {
  // One picture is taken without coverage.
  allowErrors(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/);
  test.setTimeout(300_000);
  const people = { superadmin: SUPERADMIN, revendedor: await api.user('revendedor'), transportista: await api.user('transportista') };
  const { revendedor, transportista } = people;
  const pack_id = (await api.pack({ product_id: (await api.product({ name: 'Aceite de oliva' })).id, name: 'Caja' })).id;
  const unpaid = await api.pedido({ pack_id }, await api.as(revendedor));
  const [taken] = [await api.pedido({ pack_id }), await api.pedido({ pack_id }), await api.pedido({ pack_id })];
  await (await api.as(transportista)).call(autoAsignar, { params: { id: taken.id }, body: {} });
  await aDayOnTheRoad(api, transportista);
  await closedLastMonth(api, server, [revendedor, transportista]);

  for (const role of [...ROLES, 'cliente'] as const) {
    // Leaves the page first, because a carrier's page polls and would be refused without its session.
    await page.goto('about:blank');
    await page.context().clearCookies();
    if (role !== 'cliente') await signIn(page, people[role].email, people[role].password);
    for (const picture of GUIDE_PICTURES.filter((picture) => picture.role === role)) {
      await page.setViewportSize(windowOf(picture));
      await arrangePicture(page, picture, new URL(unpaid.payment_link ?? '').pathname);
      await expectFilled(page, picture.name);
      const missing = async () => {
        const texts = await page.evaluate(textsOnScreen);
        return picture.labels.filter((label) => !texts.some((line) => line === label || line.startsWith(`${label} · `)));
      };
      await expect.poll(missing, `labels of the picture ${picture.name} that its screen no longer has`).toEqual([]);
      await page.context().setOffline(false);
      await expect(page.getByText('Pendiente de enviar')).toHaveCount(0);
    }
  }
});

/** Switches on the options in the carrier's pictures. Makes one order on the road, one loaded, one delivered for cash and one in a batch. */
async function aDayOnTheRoad(api: Arranger, transportista: Person): Promise<void> {
  const { admin } = api;
  const settings = {
    labelsAndLoading: true,
    cashOnDelivery: true,
    proofOfDelivery: true,
    shipmentFiles: true,
    dayRoute: true,
    partialDeliveries: true,
  } as const;
  await done(admin.call(updateSettings, { body: { ...settings, prueba_en_mano_firma: 'ofrecida' } }));
  const other = await api.user('transportista');
  for (const person of [transportista, other]) {
    const client = await api.as(person);
    const { id } = await inHand(api, client, { contra_reembolso: true }, 'en_ruta');
    const body = {
      estado: 'completado',
      metodo_entrega: 'manual',
      forma_entrega: 'en_mano',
      cobrado: 25,
      cobrado_metodo: 'efectivo',
    } as const;
    await done(client.call(setEstado, { params: { id }, body }));
    if (person !== other) continue;
    const { data } = (await client.call(listCajas)).body;
    await done(client.call(entregarCaja, { body: { dia: data[0]?.dia ?? '', contado: 25, motivo: null } }));
  }
  const client = await api.as(transportista);
  await inHand(api, client, { contra_reembolso: true, cliente_telefono: '611 222 333' }, 'en_ruta');
  const { id } = await inHand(api, client);
  await done(client.call(cargarPedido, { params: { id }, body: { cargado: true } }));
  const sent = await api.pedido();
  await done(admin.call(createEnvio, { body: { plantilla: 'correos', ids: [sent.id] } }));
}
const done = async (call: Promise<{ status: number; text: string }>) => {
  const { status, text } = await call;
  expect(status, text).toBeLessThan(300);
};

/** Visible lines of text, values of fields and accessible names. */
function textsOnScreen(): string[] {
  const fields = [...document.querySelectorAll('input')].filter((field) => field.checkVisibility());
  const named = [...document.querySelectorAll('[aria-label]')].filter((element) => element.checkVisibility());
  return [
    ...document.body.innerText.split('\n').map((line) => line.replace(/\s*\*$/, '').trim()),
    ...fields.map(({ value }) => value),
    ...named.map((element) => element.getAttribute('aria-label') ?? ''),
  ];
}
