import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getPago } from '../../../contract/pagar/pagar.ts';
import { getPedido, listPedidos, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';
import { trackingUrl } from './tracking.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const configure = async (body: object) => expect((await admin.call(updateSettings, { body })).status).toBe(200);
const delivered = (fields: object) => world.pedido({ estado: 'completado', numero_seguimiento: 'AB 1/2', ...fields });
async function urlOf(id: string, who = admin): Promise<unknown> {
  const { body } = await who.call(getPedido, { params: { id } });
  return (body.data as { seguimiento_url?: unknown }).seguimiento_url;
}

describe('the tracking link', () => {
  it('the tracking link is the company’s page in the current settings, with the number encoded', async () => {
    const { id } = await delivered({ metodo_entrega: 'mrw' });
    expect(await urlOf(id)).toMatch(/^https:\/\/www\.mrw\.es\/.*AB%201%2F2$/);
    await configure({ trackingMrw: 'https://envios.test/{numero}?otra={numero}' });
    expect(await urlOf(id)).toBe('https://envios.test/AB%201%2F2?otra=AB%201%2F2');
    await configure({ trackingMrw: '' });
    expect(await urlOf(id)).toBeNull();
  });

  it('the tracking link uses the delivery method, or the company if the method is `otro`', async () => {
    for (const [metodo_entrega, empresa_transporte, page] of [
      ['correos', 'mrw', /correos/],
      ['fedex', 'x', /fedex/],
      ['otro', ' MRW ', /mrw/],
      ['otro', 'Rápidos del Sur', undefined],
      // An order handed over in person has no carrier company.
      ['manual', 'mrw', undefined],
    ] as const) {
      const { id } = await delivered({ metodo_entrega, empresa_transporte });
      const url = await urlOf(id);
      if (page) expect(url, metodo_entrega).toMatch(page);
      else expect(url, metodo_entrega).toBeNull();
    }
    expect(await urlOf((await delivered({ metodo_entrega: 'mrw', numero_seguimiento: null })).id)).toBeNull();
  });

  it('the tracking link is shown to reseller, carrier and customer, in lists and single orders', async () => {
    const [reseller, carrier] = [await world.as('revendedor'), await world.as('transportista')];
    await configure({ trackingFedex: 'https://envios.test/{numero}' });
    const pedido = await world.pedido({ estado: 'en_ruta', revendedor_id: reseller.user.id, transportista_id: carrier.user.id });
    const done = await carrier.call(setEstado, {
      params: { id: pedido.id },
      body: { estado: 'completado', metodo_entrega: 'fedex', numero_seguimiento: 'F-1' },
    });
    expect(done.body.data).toMatchObject({ seguimiento_url: 'https://envios.test/F-1' });
    for (const who of [reseller, carrier, admin]) {
      expect(await urlOf(pedido.id, who)).toBe('https://envios.test/F-1');
      expect((await who.call(listPedidos)).body.data).toMatchObject([{ seguimiento_url: 'https://envios.test/F-1' }]);
    }
    const { body } = await world.nobody().call(getPago, { params: { token: pedido.pago_token ?? '' } });
    expect(body.data.seguimiento_url).toBe('https://envios.test/F-1');
  });

  it('the tracking link is always https', () => {
    expect(trackingUrl('javascript:alert({numero})', '1')).toBeNull();
    expect(trackingUrl('http://envios.test/{numero}', '1')).toBeNull();
    expect(trackingUrl('https://envios.test/{numero}', '"><script>$&')).toBe('https://envios.test/%22%3E%3Cscript%3E%24%26');
  });
});
