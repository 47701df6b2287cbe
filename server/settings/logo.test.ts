import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PICTURE_BYTES } from '../../contract/kit/picture.ts';
import { getEmpresa } from '../../contract/pagar/pagar.ts';
import { getSettings, setLogo, updateSettings } from '../../contract/settings/settings.ts';
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

/** Returns a PNG of this size and of `bytes`: header, one chunk of data, end. Readers of its size ignore the rest. */
function png({ width = 40, height = 20, bytes = 200 } = {}): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000806000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  const data = Buffer.alloc(bytes - head.length - 4 - 12);
  data.writeUInt32BE(data.length - 12, 0);
  data.write('IDAT', 4);
  return Buffer.concat([head, Buffer.alloc(4), data, Buffer.from('0000000049454e44ae426082', 'hex')]);
}
const give = (logo: Buffer | null, who = admin) => who.call(setLogo, { body: { logo: logo?.toString('base64') ?? null } });
const fetch = (url: string | null | undefined) => world.app.inject({ method: 'GET', url: url ?? '/api/empresa/logo' });
const logo = async () => (await admin.call(getSettings)).body.data.logo;

it.each([
  ['a PNG without its end', png().subarray(0, 150)],
  ['a PNG of 0 × 0', png({ width: 0, height: 0 })],
  [
    'a JPEG without its end',
    Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080014002801011100ffda0008010100003f00aabb', 'hex'),
  ],
])('%s is no logo', async (_, picture) => {
  const { status, body } = await give(picture);
  expect([status, body.errors?.logo]).toEqual([422, ['La imagen está incompleta: elige otra vez el archivo']]);
});

describe('the logo of the business', () => {
  it('the logo is public, at a URL that changes with each logo, and cannot run scripts', async () => {
    expect([await logo(), (await world.nobody().call(getEmpresa)).body.logo]).toEqual([null, undefined]);
    expect((await fetch(null)).statusCode).toBe(404);
    const { status, body } = await give(png());
    expect([status, body.message, body.data.logo]).toEqual([200, 'Logo guardado', await logo()]);
    expect((await world.nobody().call(getEmpresa)).body.logo).toBe(body.data.logo);
    const sent = await fetch(body.data.logo);
    expect(sent.rawPayload).toEqual(png());
    expect(sent.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
    });
    const other = (await give(png({ width: 41 }))).body.data.logo;
    expect(other).not.toBe(body.data.logo);
    expect((await give(null)).body.data.logo).toBeNull();
    expect((await fetch(other)).statusCode).toBe(404);
  });

  it.each([
    ['an SVG that holds a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script/></svg>')],
    ['an HTML page', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a GIF', Buffer.from('GIF89a\x08\x00\x08\x00\x00\x00\x00', 'latin1')],
    ['empty', Buffer.alloc(0)],
    ['too tall', png({ height: 481 })],
    ['too large', png({ bytes: MAX_PICTURE_BYTES + 1 })],
  ])('a logo that is %s is refused, and the old logo stays', async (_, bytes) => {
    const kept = (await give(png())).body.data.logo;
    const { status, body } = await give(bytes);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['logo']]);
    expect(await logo()).toBe(kept);
  });

  it('the logo is set by superadmins only, and stays when the settings are saved', async () => {
    for (const role of ['revendedor', 'transportista'] as const) expect((await give(png(), await world.as(role))).status).toBe(403);
    await give(png());
    const { data } = (await admin.call(getSettings)).body;
    expect((await admin.call(updateSettings, { body: { ...data, companyName: 'Almazara', companyEmail: 'a@b.es' } })).status).toBe(200);
    expect(await logo()).toBe(data.logo);
  });
});

it('a NIF with a wrong letter is refused, and a NIF with separators is kept as written', async () => {
  const bad = await admin.call(updateSettings, { body: { companyNif: 'B58378432' } });
  expect([bad.status, Object.keys(bad.body.errors ?? {})]).toEqual([422, ['companyNif']]);
  const good = await admin.call(updateSettings, { body: { companyNif: 'B-58.378.431', companyAddress: 'Calle Mayor 1, 28013 Madrid' } });
  expect(good.body.data).toMatchObject({ companyNif: 'B-58.378.431', companyAddress: 'Calle Mayor 1, 28013 Madrid' });
});
