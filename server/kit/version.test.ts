import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPacks, listProducts, updatePack, updateProduct } from '../../contract/products/products.ts';
import { getSettings, updateSettings } from '../../contract/settings/settings.ts';
import { listUsers, updateUser } from '../../contract/users/users.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* Two superadmins have the same form open. The second to save has not seen the change of the first. */

let world: World;
let ada: Person;
let eva: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  [ada, eva] = [await world.as('superadmin'), await world.as(await world.user({ role: 'superadmin' }))];
});

const CONFLICT = (what: string) => ({ message: `Otra persona ha cambiado ${what}`, code: 'version' });
const byId = <T extends { id: string }>(list: T[], id: string) => list.find((row) => row.id === id) as T;

async function person() {
  const { id } = await world.user({ role: 'revendedor', full_name: 'Rita', email: 'rita@enruta.test' });
  const form = async () => byId((await ada.call(listUsers, {})).body.data, id);
  const save = (by: Person, body: object) => by.call(updateUser, { params: { id }, body });
  return { form, save };
}
async function product() {
  const { id } = await world.product({ name: 'Aceite', stock: 10, min_stock: 2 });
  const form = async () => byId((await ada.call(listProducts)).body.data, id);
  const save = (by: Person, body: object) => by.call(updateProduct, { params: { id }, body });
  return { form, save };
}
async function pack() {
  const { id } = await world.pack({ name: 'Caja', pack_price_cents: 1250 });
  const form = async () => byId((await ada.call(listPacks)).body.data, id);
  const save = (by: Person, body: object) => by.call(updatePack, { params: { id }, body });
  return { form, save };
}

describe('a stale form', () => {
  test('a stale form with a new name does not reactivate a deactivated person', async () => {
    const { form, save } = await person();
    const { version, full_name, email } = await form();
    expect((await save(eva, { full_name, email, is_active: false, version })).status).toBe(200);
    const { status, body } = await save(ada, { full_name: 'Rita Ruiz', email, is_active: true, version });
    expect([status, body]).toEqual([409, CONFLICT('este usuario mientras lo tenías abierto')]);
    expect(await form()).toMatchObject({ full_name: 'Rita', is_active: false, version: version + 1 });
  });

  test('a stale form with a new name does not restore the old price of a pack', async () => {
    const { form, save } = await pack();
    const { version, name, alias, pack_quantity, is_active } = await form();
    const fields = { name, alias, pack_quantity, is_active, version };
    expect((await save(eva, { ...fields, pack_price: 15 })).status).toBe(200);
    const { status, body } = await save(ada, { ...fields, name: 'Caja grande', pack_price: 12.5 });
    expect([status, body]).toEqual([409, CONFLICT('este pack mientras lo tenías abierto')]);
    expect(await form()).toMatchObject({ name: 'Caja', pack_price: 15 });
  });

  test('a stale form with a new name neither offers a withdrawn product again nor moves its stock', async () => {
    const { form, save } = await product();
    const { version } = await form();
    const fields = { name: 'Aceite', stock: 10, stock_visto: 10, min_stock: 2, version };
    expect((await save(eva, { ...fields, is_active: false })).status).toBe(200);
    const { status, body } = await save(ada, { ...fields, name: 'Aceite virgen', stock: 30, is_active: true });
    expect([status, body]).toEqual([409, CONFLICT('este producto mientras lo tenías abierto')]);
    expect(await form()).toMatchObject({ name: 'Aceite', is_active: false, stock: 10 });
  });

  test('a stale form of the settings does not overwrite changes', async () => {
    const { version } = (await ada.call(getSettings)).body.data;
    expect((await eva.call(updateSettings, { body: { retentionDays: 7, version } })).status).toBe(200);
    const { status, body } = await ada.call(updateSettings, { body: { retentionDays: 8, version } });
    expect([status, body]).toEqual([409, CONFLICT('la configuración mientras la tenías abierta')]);
    expect((await ada.call(getSettings)).body.data.retentionDays).toBe(7);
  });

  test.each([
    ['person', person],
    ['product', product],
    ['pack', pack],
  ])('concurrent requests save the form of a %s only once', async (_, make) => {
    const { form, save } = await make();
    const { version } = await form();
    const name = make === person ? 'full_name' : 'name';
    const replies = await Promise.all([save(ada, { [name]: 'Una', version }), save(eva, { [name]: 'Otra', version })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('a current form', () => {
  test('the form of a product is not stale after orders take units or a save changes nothing', async () => {
    const { form, save } = await product();
    const { version, id } = await form();
    await world.pedido({ pack: await world.pack({ product_id: id, pack_quantity: 3 }) });
    expect((await save(eva, { name: 'Aceite', version })).status).toBe(200);
    const { status, body } = await save(ada, { stock: 15, stock_visto: 10, version });
    expect([status, body.data.stock, body.data.version]).toEqual([200, 12, version]);
  });
});

describe('a change without a version, as in section 7 of the specification', () => {
  test.each([
    ['a person', person, { full_name: 'Rita', email: 'rita@enruta.test', is_active: false }],
    ['a product', product, { name: 'Aceite', stock: 4, min_stock: 1, is_active: false }],
    ['a pack', pack, { name: 'Caja', alias: 'C', pack_quantity: 6, pack_price: 20, is_active: false }],
  ])('a change of %s without a version is saved', async (_, make, body) => {
    const { form, save } = await make();
    const { version } = await form();
    expect((await save(ada, body)).status).toBe(200);
    expect(await form()).toMatchObject({ ...body, version: version + 1 });
  });

  test('a change without a version leaves absent fields as another person changed them', async () => {
    const [rita, oil, box] = [await person(), await product(), await pack()];
    for (const { save } of [rita, oil, box]) expect((await save(eva, { is_active: false })).status).toBe(200);
    expect((await box.save(eva, { pack_price: 15 })).status).toBe(200);
    expect((await rita.save(ada, { full_name: 'Rita Ruiz' })).status).toBe(200);
    for (const { save } of [oil, box]) expect((await save(ada, { name: 'Otro nombre' })).status).toBe(200);
    expect(await rita.form()).toMatchObject({ full_name: 'Rita Ruiz', email: 'rita@enruta.test', is_active: false });
    expect(await oil.form()).toMatchObject({ name: 'Otro nombre', stock: 10, min_stock: 2, is_active: false });
    expect(await box.form()).toMatchObject({ name: 'Otro nombre', pack_price: 15, pack_quantity: 2, is_active: false });
  });
});
