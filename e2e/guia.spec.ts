import { ROLES } from '../contract/policy.ts';
import { autoAsignar } from '../contract/transportista.ts';
import { expect, expectFilled, SUPERADMIN, signIn, test } from './fixtures.ts';
import { arrangePicture, GUIDE_PICTURES, windowOf } from './guide-pictures.ts';
import { closedLastMonth } from './liquidaciones.ts';

/* The pictures of the guide show today's program: what a reader looks for on the screen is there. `npm run pictures` takes them again. */

test('every picture of the guide shows what its screen still has', async ({ page, api, server }) => {
  test.setTimeout(300_000);
  const people = { superadmin: SUPERADMIN, revendedor: await api.user('revendedor'), transportista: await api.user('transportista') };
  const { revendedor, transportista } = people;
  const pack_id = (await api.pack({ product_id: (await api.product({ name: 'Aceite de oliva' })).id, name: 'Caja' })).id;
  const unpaid = await api.pedido({ pack_id }, await api.as(revendedor));
  const [taken] = [await api.pedido({ pack_id }), await api.pedido({ pack_id }), await api.pedido({ pack_id })];
  await (await api.as(transportista)).call(autoAsignar, { params: { id: taken.id }, body: {} });
  await closedLastMonth(api, server, [revendedor, transportista]);

  for (const role of [...ROLES, 'cliente'] as const) {
    await page.context().clearCookies();
    if (role !== 'cliente') await signIn(page, people[role].email, people[role].password);
    for (const picture of GUIDE_PICTURES.filter((one) => one.role === role)) {
      await page.setViewportSize(windowOf(picture));
      await arrangePicture(page, picture, new URL(unpaid.payment_link ?? '').pathname);
      await expectFilled(page, picture.name);
      const missing = async () => {
        const said = await page.evaluate(textsOnScreen);
        return picture.labels.filter((label) => !said.includes(label));
      };
      await expect.poll(missing, `labels of the picture ${picture.name} that its screen no longer has`).toEqual([]);
    }
  }
});

/** Lines of text, values of fields and names of buttons that a person sees. */
function textsOnScreen(): string[] {
  const fields = [...document.querySelectorAll('input')].filter((field) => field.checkVisibility());
  const named = [...document.querySelectorAll('[aria-label]')].filter((element) => element.checkVisibility());
  return [
    ...document.body.innerText.split('\n').map((line) => line.replace(/\s*\*$/, '').trim()),
    ...fields.map(({ value }) => value),
    ...named.map((element) => element.getAttribute('aria-label') ?? ''),
  ];
}
