import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { pedidoTransportista } from '../../../contract/pedidos/schemas.ts';
import { SITUATION_IDS } from '../../../contract/pedidos/situations.ts';
import type { Role } from '../../../contract/policy/policy.ts';
import { randomAddress } from '../../../demo/addresses.ts';
import { businessName, personName, randomPhone } from '../../../demo/names.ts';
import { seededRandom } from '../../../demo/random.ts';
import { CASES } from '../../../test/situations.ts';
import { open, person } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { row } from '../../../test/web/list.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';

/* Every list of orders shows its texts whole: customer, address, product, estado and sentence. */

/** Long names of the demonstration's catalogue, whose module needs a database. */
const GOODS = [
  'Aceite de oliva virgen extra 500 ml – Caja de 12 botellas',
  'Jamón ibérico de bellota, sobre de 100 g – Pack de 20 sobres',
  'Vino tinto crianza 75 cl – Caja de 12 botellas',
  'Miel de encina y castaño 500 g – Caja de 12 tarros',
  'Torta del Casar 500 g – 1 pieza',
];

/** Orders of the demonstration, at least one in each situation. */
function ordersOf(role: Role): Pedido[] {
  const random = seededRandom(48);
  return SITUATION_IDS.filter((id) => id !== 'eliminado').map((id, i) => {
    const business = i % 4 === 0;
    const several = i % 5 === 0;
    const fields = {
      ...randomAddress(random, business),
      cliente_nombre: business ? businessName(random) : personName(random),
      cliente_telefono: randomPhone(random) ?? '+34 600 11 22 33',
      producto: `${random.pick(GOODS)}${several ? ' y 2 más' : ''}`,
      num_lineas: several ? 3 : 1,
      cantidad: 12,
      precio_total: 1234.5,
      pagado: i % 2 ? 1234.5 : 50,
      contra_reembolso: i % 3 === 0,
      numero_seguimiento: 'PQ4F8A0400010127280130',
      ...(CASES[id][0] as Partial<Pedido>),
      revendedor_id: person('revendedor').id,
      revendedor_nombre: personName(random),
      transportista_nombre: personName(random),
    };
    return aPedido({
      ...fields,
      transportista_id: role === 'transportista' ? person('transportista').id : '00000000-0000-4000-8000-0000000000c1',
    });
  });
}

/** Texts of the cells that are cut: wider than their box, or longer than the lines that they may have. */
function cutTexts(): string[] {
  const isCut = (element: Element) => {
    const { overflowX, webkitLineClamp, display } = getComputedStyle(element);
    // A text for screen readers alone has a box of one pixel.
    if (display === 'inline' || element.clientWidth <= 1) return false;
    const hides = element.tagName === 'TD' || overflowX !== 'visible';
    const clamps = webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1;
    return clamps || (hides && element.scrollWidth > element.clientWidth + 1);
  };
  return [...document.querySelectorAll('tbody td, tbody td *')]
    .filter((element) => element.textContent && isCut(element))
    .map((element) => `${element.tagName}: ${element.textContent}`);
}

const LISTS = [
  ['/pedidos', 'superadmin'],
  ['/entregas?estado=todos', 'superadmin'],
  ['/admin', 'superadmin'],
  ['/mis-pedidos', 'revendedor'],
  ['/pedidos-asignados', 'transportista'],
] as const;
/** «Entregas» has most columns: it is asked in half a window and on a tablet too. */
const tablesAt = (width: number) => LISTS.filter(([path]) => width >= 1280 || path.startsWith('/entregas'));
for (const width of [768, 820, 870, 920, 1280, 1440])
  test.each(tablesAt(width))(
    `%s shows every cell whole at ${width} pixels, and the menu of a row without a pointer`,
    async (path, role) => {
      await page.viewport(width, 900);
      const orders = ordersOf(role);
      server.reply(listPedidos, () => pageOf(role === 'transportista' ? orders.map((order) => pedidoTransportista.parse(order)) : orders));
      open(path, role, { contra_reembolso: true, envios: true });
      const last = orders.at(-1)?.numero_orden ?? '';
      await expect.element(row(last)).toBeInTheDocument();
      expect(document.querySelectorAll('tbody tr').length).toBe(orders.length);
      expect(cutTexts()).toEqual([]);
      const menus = [...document.querySelectorAll('tbody td:last-child button')];
      expect(menus.length).toBeGreaterThanOrEqual(orders.length);
      for (const menu of menus) expect(menu.checkVisibility({ opacityProperty: true, visibilityProperty: true })).toBe(true);
      const frame = document.querySelector('[data-scrollarea-viewport]') as HTMLElement;
      expect(frame.scrollWidth, 'the list does not scroll sideways').toBeLessThanOrEqual(frame.clientWidth);
    },
  );
