import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PICTURE_BYTES } from '../../contract/kit/picture.ts';
import { getPago } from '../../contract/pagar/pagar.ts';
import { getPedido } from '../../contract/pedidos/pedidos.ts';
import { listPacks, listProducts, setPicture } from '../../contract/products/products.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

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

/** The header of a JPEG with marker and size; the server ignores the rest. */
function jpeg({ width = 8, height = 8, bytes = 200 } = {}): Buffer {
  const frame = Buffer.from([
    0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 17, 0,
  ]);
  frame.writeUInt16BE(height, 25);
  frame.writeUInt16BE(width, 27);
  return Buffer.concat([frame, Buffer.alloc(bytes - frame.length)]);
}
const give = (id: string, picture: Buffer | null, who = admin) =>
  who.call(setPicture, { params: { id }, body: { picture: picture?.toString('base64') ?? null } });
const addressIn = async (who: Person, id: string) =>
  (await who.call(listPacks)).body.data.find(({ product_id }) => product_id === id)?.picture;
const fetch = (who: Person, url: string) =>
  world.app.inject({ method: 'GET', url, headers: { cookie: [...who.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } });

describe('a picture of a product', () => {
  it('a picture of a product is served unchanged and safely, at a URL that changes with the picture', async () => {
    const reseller = await world.as('revendedor');
    const { product_id } = await world.pack();
    expect(await addressIn(reseller, product_id)).toBeNull();
    const { status, body } = await give(product_id, jpeg());
    expect([status, body.data.picture]).toEqual([200, await addressIn(reseller, product_id)]);
    const first = await fetch(reseller, body.data.picture ?? '');
    expect(first.rawPayload).toEqual(jpeg());
    expect(first.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
    });

    const { body: second } = await give(product_id, jpeg({ width: 9 }));
    expect(second.data.picture).not.toBe(body.data.picture);
    expect((await fetch(reseller, second.data.picture ?? '')).rawPayload).toEqual(jpeg({ width: 9 }));
    expect((await give(product_id, null)).body.data.picture).toBeNull();
    expect((await fetch(reseller, second.data.picture ?? '')).statusCode).toBe(404);
    expect(await world.db.selectFrom('product_pictures').select('product_id').execute()).toEqual([]);
  });

  it.each([
    ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a drawing that could hold a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script/></svg>')],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452000000080000000808060000', 'hex')],
    ['only the mark of a JPEG', Buffer.from([0xff, 0xd8, 0xff])],
    ['empty', Buffer.alloc(0)],
    ['too wide', jpeg({ width: 481 })],
    ['too large', jpeg({ bytes: MAX_PICTURE_BYTES + 1 })],
  ])('a product picture that is %s is refused', async (_, bytes) => {
    const { product_id } = await world.pack();
    const { status, body } = await give(product_id, bytes);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['picture']]);
    expect((await admin.call(listProducts)).body.data[0]?.picture).toBeNull();
  });

  it('a product picture of the maximum size is accepted', async () => {
    const { product_id } = await world.pack();
    expect((await give(product_id, jpeg({ bytes: MAX_PICTURE_BYTES }))).status).toBe(200);
  });

  it('a picture opens by its own address alone, which only those learn who see the goods', async () => {
    const [reseller, carrier] = [await world.as('revendedor'), await world.as('transportista')];
    const { product_id: id } = await world.pack();
    const { picture = '' } = (await give(id, jpeg())).body.data;
    for (const who of [reseller, carrier]) expect((await give(id, null, who)).status).toBe(403);
    const visitor = (url: string | null) => world.app.inject({ method: 'GET', url: url ?? '' });
    expect((await visitor(picture)).rawPayload).toEqual(jpeg());
    expect((await visitor(`/api/products/${id}/picture`)).statusCode).toBe(422);
    expect((await visitor(`/api/products/${id}/picture?v=${'0'.repeat(64)}`)).statusCode).toBe(404);
    // An older picture is gone, even for those who know its address.
    await give(id, jpeg({ width: 9 }));
    expect((await fetch(admin, picture ?? '')).statusCode).toBe(404);
  });

  it('the lines of an order have the picture of their product, for the office, its carrier and the customer', async () => {
    const pack = await world.pack();
    const carrier = await world.as('transportista');
    const { id, pago_token } = await world.pedido({ pack_id: pack.id, transportista_id: carrier.user.id, estado: 'asignado' });
    const imagenes = async () => [
      ...(await Promise.all(
        [admin, carrier].map(async (who) => (await who.call(getPedido, { params: { id } })).body.data.lineas?.[0]?.imagen),
      )),
      (await admin.call(getPago, { params: { token: pago_token ?? '' } })).body.data.lineas[0]?.imagen,
    ];
    expect(await imagenes()).toEqual([undefined, undefined, undefined]);
    const { picture } = (await give(pack.product_id, jpeg())).body.data;
    expect(await imagenes()).toEqual([picture, picture, picture]);
  });

  it('a picture of a product is deleted with its product', async () => {
    const { id } = await world.product();
    await give(id, jpeg());
    await world.db.deleteFrom('stock_movements').where('product_id', '=', id).execute();
    await world.db.deleteFrom('products').where('id', '=', id).execute();
    expect(await world.db.selectFrom('product_pictures').select('product_id').execute()).toEqual([]);
  });
});
