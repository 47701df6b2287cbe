import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { type AuditEntry, listAudit } from '../../contract/audit/audit.ts';
import { auditEntry } from '../../contract/audit/schemas.ts';
import { type Answer, asDone } from '../../contract/kit/endpoint.ts';
import { PASOS_INICIO, type PasoInicio } from '../../contract/payments/fields.ts';
import { devolverPago, getInicio, listPagos, type Pago } from '../../contract/payments/payments.ts';
import { pago } from '../../contract/payments/schemas.ts';
import { getPedido, listPedidos, type Pedido, responderIncidencia, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { listPacks, listProducts } from '../../contract/products/products.ts';
import { adminStats, hoyStats, serieStats } from '../../contract/stats/stats.ts';
import { addDays } from '../../test/day.ts';
import { address, expectAccessible, onDesk, open, reload } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { emptyAnswer, server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, aProduct, listed, pageOf } from '../../test/web/samples.ts';

/* The superadmin's Dashboard: figures linked to their lists, pending matters, and recent activity. */

// 00:30 on the 21st in Madrid, but still the 20th in UTC and New York.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T23:30:00Z') }));

const block = (name: string) => page.getByRole('region', { name, exact: true });
const figure = (name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) });
const dates = page.getByRole('button', { name: /^Fechas: / });
const chart = block('Pedidos e ingresos');
const NOVEMBER = 'Fechas: 01/11/2026 — 30/11/2026';

/** Answers the series with every day of the range; the days in `busy` have orders. */
function serieOf(busy: Record<string, { pedidos: number; ingresos: number }>, anterior = { totalPedidos: 0, ingresos: 0 }) {
  server.reply(serieStats, ({ query: { from, to } }) => {
    const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    const days = Array.from({ length }, (_, i) => addDays(from, i));
    return {
      data: days.map((dia) => ({ dia, pedidos: 0, ingresos: 0, ...busy[dia] })),
      anterior: {
        desde: addDays(from, -length),
        hasta: addDays(from, -1),
        ...anterior,
        dias: days.map((dia) => ({ dia: addDays(dia, -length), pedidos: 1, ingresos: 2 })),
      },
    };
  });
}
type Stats = Answer<typeof adminStats>['data'];
const stats = (fields: Partial<Stats>) => server.answer(adminStats, { data: { ...emptyAnswer(adminStats).data, ...fields } });
type Hoy = Answer<typeof hoyStats>['data'];
/** Answers «Hoy»; `atencion` holds only the figures that are not zero. */
const hoy = ({ atencion, ...fields }: Partial<Omit<Hoy, 'atencion'>> & { atencion?: Partial<Hoy['atencion']> } = {}) => {
  const { data } = emptyAnswer(hoyStats);
  server.answer(hoyStats, { data: { ...data, hoy: '2026-11-21', ...fields, atencion: { ...data.atencion, ...atencion } } });
};
const now = page.getByRole('region', { name: /^Hoy/ });

test('the dashboard of an empty shop says so in every block, and keeps the chosen dates on reload', async () => {
  serieOf({ '2025-06-10': { pedidos: 1, ingresos: 40 } });
  // Simulates an address typed by hand with invalid dates.
  open('/?fecha_desde=2026-02-31&fecha_hasta=ayer');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect.element(figure('Total Pedidos')).toMatchTextContent(/0/);
  await expect.element(page.getByText('No hay pedidos recientes.')).toBeVisible();
  await expect.element(page.getByText('No hay pedidos en estas fechas')).toBeVisible();
  await expect.element(block('Actividad Reciente')).toMatchTextContent('Se muestran actividades de las últimas 24 horas');
  await expect.element(block('Actividad Reciente')).toMatchTextContent('No hay actividad reciente');
  // A zero is not shown.
  await expect.element(now).toMatchTextContent(/^HoyNada pendiente/);
  expect(now.getByRole('link').elements()).toEqual([]);
  await expectAccessible();

  await expect.element(dates).toHaveAccessibleName(NOVEMBER);
  expect(server.asked(adminStats).map(({ query }) => query)).toEqual([{ from: '2026-11-01', to: '2026-11-30' }]);
  // Half a month is compared with as many days before, not with a whole month.
  expect(server.asked(serieStats).at(-1)?.query).toEqual({ from: '2026-11-01', to: '2026-11-21' });
  await dates.click();
  await page.getByRole('button', { name: 'Año anterior', exact: true }).click();
  await expect.poll(address).toBe('/?fecha_desde=2025-01-01&fecha_hasta=2025-12-31');
  await expect.poll(() => server.asked(adminStats).at(-1)?.query).toEqual({ from: '2025-01-01', to: '2025-12-31' });
  reload();
  await expect.element(dates).toHaveAccessibleName('Fechas: 01/01/2025 — 31/12/2025');
  await expect.element(chart).toMatchTextContent(/Mejor mes: junio de 2025, con 1 pedido/);
  await chart.getByText('Ver los datos en una tabla').click();
  await expect.poll(() => chart.getByRole('row').elements()).toHaveLength(13);
  history.back();
  await expect.element(dates).toHaveAccessibleName(NOVEMBER);
});

const MARCH = 'fecha_desde=2025-03-01&fecha_hasta=2025-03-31';

test('the figures and the chart cover the chosen dates, compared with as many days before', async () => {
  stats({ totalPedidos: 4, ingresos: 2469, revendedoresActivos: 2, transportistasActivos: 1 });
  serieOf({ '2025-03-10': { pedidos: 4, ingresos: 2469 } }, { totalPedidos: 2, ingresos: 0 });
  const newest = theRecent();
  open(`/?${MARCH}`);
  await expect.element(figure('Total Pedidos')).toMatchTextContent(/4.*▲ 100 % más que los 31 días anteriores/);
  await expect.element(figure('Ingresos')).toMatchTextContent(/2\.469,00\s€.*Nada en los 31 días anteriores/);
  const people = page.getByRole('main');
  await expect.element(people).toMatchTextContent(/Revendedores Activos\s*2\s*Pueden entrar\s*Transportistas\s*1\s*Pueden entrar/);
  await expectAccessible();

  await expect
    .element(chart)
    .toMatchTextContent(
      /Del 01\/03\/2025 al 31\/03\/2025: 4 pedidos y 2\.469,00\s€ de ingresos\. Mejor día: 10\/03\/2025, con 4 pedidos\./,
    );
  const drawn = chart.getByRole('img', { name: /^Gráfico de pedidos e ingresos por día/ });
  await expect.poll(() => drawn.elements()[0]?.querySelector('svg')?.checkVisibility()).toBe(true);
  await chart.getByText('Ver los datos en una tabla').click();
  await expect.element(chart.getByRole('row', { name: /10\/03\/2025 4 2\.469,00\s€ 1 2,00/ })).toBeVisible();
  expect(chart.getByRole('row').elements()).toHaveLength(32);
  await expectAccessible();

  const first = recent.getByRole('listitem').first();
  for (const text of [newest.numero_orden, 'Asignado', 'Nuria Reciente', 'Tomás Gil', '1.234,50', '21/11/2026']) {
    await expect.element(first).toMatchTextContent(text);
  }
  expect(server.asked(listPedidos).map(({ query }) => query)).toEqual([{ per_page: '6' }]);
});

const INCOME = 'pendiente%2Casignado%2Cen_proceso%2Cen_ruta%2Ccompletado';
const NO_DAY = { toca: 0, calle: 0, hecho: 0, decidir: 0, cobrado: 0 };
const OPENS: [name: string, to: string][] = [
  ['Total Pedidos 21', `/pedidos?${MARCH}`],
  ['Ingresos', `/pedidos?${MARCH}&estado=${INCOME}`],
  ['Pendientes 1', `/pedidos?${MARCH}&estado=pendiente_pago%2Cpendiente`],
  ['En Proceso 2', `/pedidos?${MARCH}&estado=asignado%2Cen_proceso%2Cen_ruta`],
  ['Completados 3', `/pedidos?${MARCH}&estado=completado`],
  ['Cancelados 4', `/pedidos?${MARCH}&estado=cancelado`],
  ['Por cobrar 13', '/por-cobrar'],
  ['Toca hoy 5', '/pedidos?hoy=toca'],
  ['Toca hoy 3', '/pedidos?hoy=toca&transportista_id=11111111-1111-4111-8111-111111111111'],
  ['Toca hoy 2', '/pedidos?hoy=toca&transportista_id=sin'],
  ['Atrasados 6', '/pedidos?atrasado=si'],
  ['Por decidir 4', '/pedidos?incidencia=si'],
  ['y 3 más', '/pedidos?incidencia=si'],
  ['y 6 más', '/pedidos?transferencia=si'],
  ['y 7 más', '/pedidos?devolucion=pendiente'],
  ['Recibir', '/caja'],
  ['Pagos por revisar 9', '/pagos-por-revisar'],
  ['Se acaba 10', '/control-stock?ver=bajo'],
  ['Revisar', '/tienda'],
  ['Pend. pago 5', '/pedidos?estado=pendiente_pago'],
  ['Tareas con error 11', '/admin?tab=tareas'],
  ['Cuentas que no cuadran 12', '/admin?tab=cuadre'],
];
test('every figure opens the list that it counts, with its dates', async () => {
  const estado = { pendientes: 1, enProceso: 2, completados: 3, cancelados: 4 };
  stats({ totalPedidos: 21, ingresos: 1, revendedoresActivos: 22, transportistasActivos: 23, estado });
  hoy({
    atencion: {
      porCobrar: 13,
      porCobrarImporte: 120.5,
      sinPagar: 5,
      atrasados: 6,
      incidencias: 4,
      transferencias: 7,
      devoluciones: 8,
      cajas: 1,
      pagosPorRevisar: 9,
      stockBajo: 10,
      tienda: 2,
      tareas: 11,
      cuadre: 12,
    },
    dia: [
      { ...NO_DAY, transportista_id: '11111111-1111-4111-8111-111111111111', nombre: 'Ana Reparte', toca: 3 },
      { ...NO_DAY, transportista_id: 'sin', nombre: 'Sin asignar', toca: 2 },
    ],
    sinEntregar: [aPedido({ motivo: 'Ausente' })],
    transferencias: [aPedido()],
    reembolsos: [aPedido()],
    cajas: [{ transportista_id: '11111111-1111-4111-8111-111111111111', nombre: 'Ana Reparte', dia: '2026-11-20', euros: 62.5 }],
    stock: [{ id: '11111111-1111-4111-8111-111111111112', name: 'Torta', stock: 0 }],
    web: 1,
  });
  open(`/?${MARCH}`);
  await expect.element(figure('Tareas con error 11')).toBeVisible();
  await expect.element(now).toMatchTextContent('Hoy, sábado 21');
  await expect.element(now).toMatchTextContent('Torta: agotado · y 9 más');
  await expect.element(now).toMatchTextContent('2 pedidos por revisar · 1 ha entrado hoy');
  await expectAccessible();
  for (const [name, to] of OPENS) await expect.element(figure(name)).toHaveAttribute('href', to);
  await figure('Completados 3').click();
  await expect
    .poll(() => server.asked(listPedidos).at(-1)?.query)
    .toMatchObject({
      estado: 'completado',
      fecha_desde: '2025-03-01',
      fecha_hasta: '2025-03-31',
    });
});

test('«Atrasados» opens the list with a filter that can be removed like any other filter', async () => {
  const [late, soon] = [aPedido(), aPedido()];
  server.reply(listPedidos, ({ query }) => pageOf(query.atrasado ? [late] : [late, soon]));
  hoy({ atencion: { atrasados: 1 } });
  open('/');
  await now.getByRole('link', { name: /^Atrasados/ }).click();
  await expect.poll(address).toBe('/pedidos?atrasado=si');
  await expect.element(row(late.numero_orden)).toBeVisible();
  await expect.element(row(soon.numero_orden)).not.toBeInTheDocument();
  await expectAccessible();
  await page.getByRole('button', { name: 'Quitar filtro: Atrasados' }).click();
  await expect.poll(address).toBe('/pedidos');
  await expect.element(row(soon.numero_orden)).toBeVisible();
});

test('an order that was not delivered is answered from «Hoy»', async () => {
  const pedido = aPedido({ estado: 'asignado', cliente_nombre: 'José Cano', motivo: 'Ausente', incidencia_at: '2026-11-20T10:00:00Z' });
  hoy({ atencion: { incidencias: 1 }, sinEntregar: [pedido] });
  server.reply(responderIncidencia, () => {
    hoy();
    return asDone('Respuesta anotada', pedido);
  });
  open('/');
  await expect.element(now).toMatchTextContent(/Por decidir 1.*José Cano: Ausente/);
  await now.getByRole('button', { name: 'Lo recogerá en la tienda: José Cano' }).click();
  const form = page.getByRole('dialog', { name: '¿Qué hacemos con este pedido?' });
  await expect.element(form.getByRole('radio', { name: 'Lo recogerá en la tienda' })).toBeChecked();
  await form.getByRole('button', { name: 'Decidir' }).click();
  await expect.element(now).toMatchTextContent(/Nada pendiente/);
  expect(server.asked(responderIncidencia).map(({ body }) => body.respuesta)).toEqual(['recogida']);
});

test('an announced transfer is recorded as arrived from «Hoy», and a refund opens its order', async () => {
  const announced = aPedido({ cliente_nombre: 'Maribel Gil', precio_total: 126.7 });
  const owed = aPedido({ cliente_nombre: 'María Sanz', estado: 'completado', por_reembolsar: 26.7 });
  hoy({ atencion: { transferencias: 1, devoluciones: 1 }, transferencias: [announced], reembolsos: [owed] });
  server.reply(getPedido, ({ params }) => ({ data: params.id === owed.id ? owed : announced }));
  open('/');
  await expect.element(now).toMatchTextContent(/Maribel Gil dice que ha pagado 126,70\s€.*Devolver 26,70\s€ a María Sanz/);
  await now.getByRole('button', { name: 'Ha llegado: Maribel Gil' }).click();
  const paying = page.getByRole('dialog', { name: 'Anotar pago' });
  await expect.element(paying.getByLabelText(/^Importe/)).toHaveValue('126,70');
  await userEvent.keyboard('{Escape}');
  await now.getByRole('button', { name: 'Devolver: María Sanz' }).click();
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Anotar el reembolso' })).toBeVisible();
});

test('a refund due is listed until it is marked as refunded', async () => {
  const pedido = aPedido({ estado: 'cancelado' });
  let due: Pago = {
    ...(emptyOf(pago) as Pago),
    proveedor: 'manual',
    proveedor_nombre: 'Manual',
    referencia: 'TRF-2031',
    estado: 'devolucion_pendiente',
    importe: 43.21,
    fecha: '2026-11-18',
    updated_at: '2026-11-20T11:00:00Z',
  };
  server.reply(listPedidos, ({ query }) => pageOf(query.devolucion && due.estado === 'devuelto' ? [] : [pedido]));
  server.reply(listPagos, () => ({ data: [due] }));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(devolverPago, ({ body }) => {
    due = { ...due, estado: 'devuelto', nota: body.nota };
    return { success: true as const, message: 'Pago reembolsado' };
  });
  open('/pedidos?devolucion=pendiente');
  await row(pedido.numero_orden).getByRole('link', { name: pedido.numero_orden }).click();
  const pagos = page.getByRole('dialog').getByRole('region', { name: 'Pagos' });
  await expect.element(pagos).toMatchTextContent(/Ref\. TRF-2031.*Reembolso pendiente.*43,21\s€/);
  await page.getByRole('dialog').getByRole('button', { name: 'Anotar el reembolso' }).click();
  await expectAccessible();
  await pagos.getByRole('textbox', { name: 'Nota (opcional)' }).fill('Transferencia del día 20');
  await pagos.getByRole('button', { name: 'Marcar como reembolsado' }).click();
  await expect.element(page.getByText('Pago marcado como reembolsado')).toBeVisible();
  await expect.element(pagos).toMatchTextContent('«Transferencia del día 20»');
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Anotar el reembolso' })).not.toBeInTheDocument();
  expect(server.asked(devolverPago).map(({ params, body }) => [params.id, body.nota])).toEqual([[due.id, 'Transferencia del día 20']]);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('Ningún pedido coincide con los filtros')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar filtro: Reembolsos pendientes' }).click();
  await expect.poll(address).toBe('/pedidos');
});

test('«Se acaba» opens the products that are running out', async () => {
  const [low, enough] = [aProduct({ stock: 2, min_stock: 5 }), aProduct({ stock: 50, min_stock: 5 })];
  server.answer(listProducts, listed([low, enough]));
  server.answer(listPacks, listed([]));
  hoy({ atencion: { stockBajo: 1 } });
  open('/');
  await figure('Se acaba 1').click();
  await expect.poll(address).toBe('/control-stock?ver=bajo');
  await expect.element(page.getByText(low.name, { exact: true })).toBeVisible();
  await expect.element(page.getByText(enough.name, { exact: true })).not.toBeInTheDocument();
});

test('«Hoy» says if it cannot be loaded, and can be loaded again', async () => {
  server.refuse(hoyStats, 500, { message: 'Ha ocurrido un error inesperado' });
  open('/');
  await expect.element(now.getByRole('alert')).toMatchTextContent('No se pudo cargar lo de hoy');
  hoy({ atencion: { atrasados: 2 } });
  await now.getByRole('button', { name: 'Reintentar' }).click();
  await expect.element(now.getByRole('link', { name: 'Atrasados 2' })).toBeVisible();
});

test('a range of more than two years has figures but no chart', async () => {
  stats({ totalPedidos: 9 });
  open('/?fecha_desde=2020-01-01&fecha_hasta=2025-12-31');
  await expect.element(chart).toMatchTextContent('Elige como máximo dos años');
  await expect.element(figure('Total Pedidos 9')).toBeVisible();
  expect(server.asked(serieStats)).toEqual([]);
});

const recent = block('Pedidos Recientes');
function theRecent(): Pedido {
  let newest = aPedido({
    estado: 'asignado',
    cliente_nombre: 'Nuria Reciente',
    transportista_nombre: 'Tomás Gil',
    precio_total: 1234.5,
    fecha_pedido: '2026-11-20T23:20:00Z',
  });
  server.reply(listPedidos, () => pageOf([newest, aPedido()], 240));
  server.reply(getPedido, () => ({ data: newest }));
  server.reply(updatePedido, ({ body }) => {
    newest = { ...newest, ...(body as Partial<Pedido>), version: 2 };
    return { ...asDone('Pedido actualizado', newest), avisos: [] };
  });
  return newest;
}

test('a recent order can be viewed and edited from the dashboard', async () => {
  const { numero_orden } = theRecent();
  open('/');
  const see = recent.getByRole('button', { name: `Ver el pedido ${numero_orden}` });
  await expect.element(see).toBeVisible();
  (see.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const dialog = page.getByRole('dialog', { name: new RegExp(`Pedido ${numero_orden}$`) });
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(see).toHaveFocus();

  await recent.getByRole('button', { name: `Editar el pedido ${numero_orden}` }).click();
  await dialog.getByRole('textbox', { name: 'Cliente - Nombre' }).fill('Nuria Cambiada');
  await dialog.getByRole('textbox', { name: 'Cliente - Dirección' }).fill('Calle Mayor 1');
  await dialog.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect.element(recent.getByRole('listitem').first()).toMatchTextContent('Nuria Cambiada');
});

test('the recent activity shows what was done, by whom and how long ago', async () => {
  const entry = (fields: Partial<AuditEntry>): AuditEntry => ({ ...(emptyOf(auditEntry) as AuditEntry), ...fields });
  const data = [
    entry({ description: 'Pedido creado: ORD-1', user: 'Rita Sanz', created_at: '2026-11-20T23:29:45Z' }),
    entry({ description: 'Pedido cobrado: ORD-2', user: '', created_at: '2026-11-20T23:18:00Z' }),
  ];
  server.answer(listAudit, { data });
  open('/');
  const entries = block('Actividad Reciente').getByRole('listitem');
  await expect.element(entries.first()).toMatchTextContent(/Pedido creado: ORD-1.*Rita Sanz.*Ahora/);
  await expect.element(entries.last()).toMatchTextContent(/Pedido cobrado: ORD-2.*Sistema.*Hace 12m/);
  expect(server.asked(listAudit)[0]?.query.limit).toBe('7');
});

test('the recent activity links to a deleted order', async () => {
  const pedido = aPedido({ deleted_at: '2026-11-20T23:00:00Z' });
  const meta = { entity_type: 'pedido', entity_id: pedido.id };
  const description = `Pedido eliminado: ${pedido.numero_orden}`;
  server.answer(listAudit, { data: [{ ...(emptyOf(auditEntry) as AuditEntry), description, meta, created_at: '2026-11-20T23:00:00Z' }] });
  server.answer(getPedido, { data: pedido });
  open('/');
  await block('Actividad Reciente').getByRole('link', { name: description }).click();
  await expect.poll(address).toBe(`/pedidos/${pedido.id}`);
  await expect.element(page.getByRole('region', { name: 'Situación' })).toMatchTextContent(/Eliminado el/);
});

test('figures that fail to load show dashes instead of loading for ever', async () => {
  for (const endpoint of [adminStats, serieStats, listAudit]) {
    server.refuse(endpoint, 500, { message: 'Ha ocurrido un error inesperado' });
  }
  open('/');
  await expect.element(page.getByRole('link', { name: /^Total Pedidos —/ })).toBeVisible();
  await expect.element(block('Actividad Reciente')).toMatchTextContent('—');
  await expect.element(page.getByText('El gráfico no está disponible ahora')).toBeVisible();
  await expect.poll(() => document.querySelectorAll('[aria-busy=true]')).toHaveLength(0);
  await expect.element(page.getByText(/Ha ocurrido un error inesperado/)).not.toBeInTheDocument();
});

test('the two columns of the dashboard end at the same height', async () => {
  theRecent();
  serieOf({ '2026-11-10': { pedidos: 1, ingresos: 40 } });
  const endOf = (of: Locator) => Math.round(of.element().getBoundingClientRect().bottom);
  open('/');
  await expect.element(recent.getByRole('listitem').first()).toMatchTextContent('Nuria Reciente');
  await expect.element(block('Actividad Reciente')).toMatchTextContent('No hay actividad reciente');
  for (const width of [1280, 1440, 1920]) {
    await page.viewport(width, 900);
    await expect.poll(() => endOf(recent) - endOf(block('Actividad Reciente'))).toBe(0);
  }
  await onDesk();
});

test('a new shop sees its missing first steps until all are done', async () => {
  let faltan: PasoInicio[] = ['cobro', 'producto', 'pedido'];
  server.reply(getInicio, () => ({ data: { faltan } }));
  open('/');
  const card = page.getByRole('region', { name: 'Para empezar' });
  await expect.element(card).toMatchTextContent('4 de 7 pasos hechos');
  expect(card.getByRole('link', { name: /^Hacer/ }).elements()).toHaveLength(3);
  await expectAccessible();
  await card.getByRole('link', { name: 'Hacer: Un producto con su pack' }).click();
  await expect.poll(address).toBe('/control-stock');
  faltan = [...PASOS_INICIO];
  open('/');
  const target = (paso: string) => expect.element(card.getByRole('link', { name: `Hacer: ${paso}` }));
  await target('El nombre de tu empresa').toHaveAttribute('href', '/configuracion?tab=general&campo=companyName');
  await target('Cómo te pagan').toHaveAttribute('href', '/configuracion?tab=general&campo=companyIban');
  await target('Que se pueda abrir desde el teléfono').toHaveAttribute('href', '/telefono');
  await target('Un transportista').toHaveAttribute('href', '/gestion-usuarios?rol=transportista&nuevo=si');
  faltan = [];
  open('/');
  await expect.element(block('Pedidos Recientes')).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test('the first steps can be hidden for good', async () => {
  server.answer(getInicio, { data: { faltan: ['revendedor'] } });
  open('/');
  await page.getByRole('button', { name: 'No mostrar más' }).click();
  const card = page.getByRole('region', { name: 'Para empezar' });
  await expect.element(card).not.toBeInTheDocument();
  open('/');
  await expect.element(block('Pedidos Recientes')).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});
