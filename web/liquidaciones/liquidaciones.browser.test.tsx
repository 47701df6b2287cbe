import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Caja, listCajas } from '../../contract/caja/caja.ts';
import { caja } from '../../contract/caja/schemas.ts';
import { asDone, type QueryIn } from '../../contract/kit/endpoint.ts';
import {
  type Abierta,
  cerrarMes,
  crearAjuste,
  despagarLiquidacion,
  ficheroTransferencias,
  type Ganancia,
  getAbierta,
  getGanancia,
  getLiquidacion,
  type Liquidacion,
  listLiquidaciones,
  listPorCerrar,
  pagarLiquidacion,
  pagarLiquidaciones,
  type Reglas,
  setGanancia,
} from '../../contract/liquidaciones/liquidaciones.ts';
import { ganancia, liquidacion } from '../../contract/liquidaciones/schemas.ts';
import { listUsers, type User } from '../../contract/users/users.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { emptyOf, uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aUser, listed, pageOf } from '../../test/web/samples.ts';

/* «Liquidaciones» and «Lo que gana»: from earning rules to a paid statement. */

let rosa: User;
let luis: User;
let rules: Reglas;
let personas: Abierta[];
let lines: Ganancia[];
let statements: Liquidacion[];
const aLine = (fields: Partial<Ganancia>): Ganancia => ({
  ...(emptyOf(ganancia) as Ganancia),
  dia: '2026-11-20',
  concepto: 'entrega',
  pedido_id: uuid(),
  importe: 3.5,
  ...fields,
});
const aStatement = (fields: Partial<Liquidacion> = {}): Liquidacion => ({
  ...(emptyOf(liquidacion) as Liquidacion),
  numero: 'LIQ-2026100001',
  persona_nombre: 'Luis Paz',
  role: 'transportista',
  mes: '2026-10',
  total: 2.25,
  num_lineas: 2,
  created_at: '2026-11-02T10:00:00Z',
  version: 1,
  ...fields,
});
const hasOpen = (user: User, total: number): Abierta => ({
  user_id: user.id,
  persona_nombre: user.full_name,
  role: user.role as Abierta['role'],
  num_lineas: 1,
  total,
  desde: '2026-11-20',
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
  rosa = aUser('revendedor', { full_name: 'Rosa Gil' });
  luis = aUser('transportista', { full_name: 'Luis Paz' });
  rules = { role: 'revendedor', margen: null, tarifas: [], iban: null, titular: null, version: 1 };
  [personas, lines, statements] = [[], [], []];
  server.reply(listUsers, ({ query: { role } }) => listed([rosa, luis].filter((user) => !role || user.role === role)));
  server.reply(getGanancia, () => rules);
  server.reply(setGanancia, ({ body: { margen = null, tarifas = [] } }) => {
    rules = { ...rules, margen, tarifas };
    return asDone('Guardado', rules);
  });
  server.reply(getAbierta, () => ({ personas, lineas: pageOf(lines) }));
  server.reply(listLiquidaciones, ({ query: { estado, user_id } }: { query: QueryIn<typeof listLiquidaciones> }) =>
    pageOf(
      statements.filter(
        (statement) => (!estado || (estado === 'pagada') === !!statement.pagada_el) && (!user_id || statement.user_id === user_id),
      ),
    ),
  );
  const statement = () => statements[0] as Liquidacion;
  server.reply(getLiquidacion, () => ({ liquidacion: statement(), lineas: pageOf(lines) }));
  const change = (fields: Partial<Liquidacion>) => {
    statements = [{ ...statement(), ...fields, version: statement().version + 1 }];
    return statement();
  };
  server.reply(pagarLiquidacion, ({ body: { referencia, fecha } }) =>
    asDone('Marcada como pagada', change({ pagada_el: fecha, pago_referencia: referencia })),
  );
  server.reply(despagarLiquidacion, () => asDone('Pago quitado', change({ pagada_el: null, pago_referencia: null })));
});

const dialog = page.getByRole('dialog');
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (label: string) => dialog.getByLabelText(new RegExp(`^${label.replace(/[()]/g, '\\$&')}( \\*)?$`));
async function chooseMargin(option: string) {
  await dialog.getByRole('combobox', { name: 'Cómo gana' }).click();
  await page.getByRole('option', { name: option }).click();
}

test('the form of a reseller’s earnings limits the percentage to a hundred and checks the IBAN', async () => {
  open('/gestion-usuarios');
  await button('Lo que gana Rosa Gil').click();
  await expect.element(dialog.getByRole('combobox', { name: 'Cómo gana' })).toHaveValue('No gana nada');
  await chooseMargin('Un porcentaje');
  await press('Guardar');
  await expect.element(field('Porcentaje (%)')).toHaveAccessibleDescription('Indica cuánto gana');
  await field('Porcentaje (%)').fill('120');
  await press('Guardar');
  await expect.element(field('Porcentaje (%)')).toHaveAccessibleDescription('Como máximo 100 %');
  await field('Porcentaje (%)').fill('12,5');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Guardar' }).dblClick();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(setGanancia).map(({ body }) => body)).toEqual([{ version: 1, margen: { tipo: 'porcentaje', valor: 12.5 } }]);
  await button('Lo que gana Rosa Gil').click();
  await expect.element(field('Porcentaje (%)')).toHaveValue('12,50');

  await chooseMargin('Un importe por pack');
  await field('Euros por pack').fill('120');

  await field('IBAN para pagarle').fill('ES00');
  await press('Guardar');
  await expect.element(field('IBAN para pagarle')).toHaveAccessibleDescription(/El IBAN no es válido/);
  await field('IBAN para pagarle').fill('ES79 2100 0813 6101 2345 6789');
  await press('Guardar');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(setGanancia).at(-1)?.body).toEqual({
    version: 1,
    margen: { tipo: 'pack', valor: 120 },
    iban: 'ES7921000813610123456789',
  });
});

test('a carrier earns per delivery and per failed attempt in each zone', async () => {
  rules = { ...rules, role: 'transportista' };
  open('/gestion-usuarios?rol=transportista');
  await button('Lo que gana Luis Paz').click();
  const fees = dialog.getByRole('group', { name: 'Península' });
  await expect
    .element(dialog.getByRole('group', { name: 'Baleares' }).getByLabelText('Entrega (€)'))
    .toHaveAttribute('placeholder', 'Como la península');
  await expectAccessible();
  await fees.getByLabelText('Entrega (€)').fill('3,5');
  await fees.getByLabelText('Intento fallido (€)').fill('1');
  await press('Guardar');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(setGanancia)[0]?.body.tarifas).toContainEqual({ zona: 'peninsula', entrega: 3.5, intento: 1 });
  expect(server.asked(setGanancia)[0]?.body.tarifas).toContainEqual({ zona: 'baleares', entrega: null, intento: null });
});

test('a carrier sees their earnings since the last statement', async () => {
  personas = [hasOpen(luis, 3.5)];
  lines = [aLine({ numero_orden: 'ORD-2026000001', ciudad: 'Soria', zona: 'peninsula' })];
  open('/transportista-dashboard', 'transportista');
  await page.getByRole('navigation').getByRole('link', { name: 'Liquidaciones' }).click();
  await expect.element(page.getByRole('heading', { name: 'Desde la última liquidación' })).toBeVisible();
  await expect.element(row('ORD-2026000001')).toMatchTextContent(/20\/11\/2026.*Entrega.*Soria, Península.*3,50\s€/);
  await expect.element(page.getByText('Desde el 20/11/2026')).toBeVisible();
  await expect.element(page.getByText('Todavía no hay liquidaciones')).toBeVisible();
  await expect.element(button('Ajuste')).not.toBeInTheDocument();
  await expectAccessible();
});

test('a superadmin sees each person’s earnings, and can adjust them with an explanation', async () => {
  personas = [hasOpen(rosa, 6), hasOpen(luis, 3.5)];
  lines = [aLine({ concepto: 'margen', numero_orden: 'ORD-2026000001', detalle: '12,5 % de 48,00 €' })];
  open('/liquidaciones');
  await expect.element(row('Rosa Gil')).toMatchTextContent(/Revendedor.*6,00\s€/);
  await expect.element(page.getByRole('heading', { name: 'Meses por cerrar' })).not.toBeInTheDocument();
  await button('Ver líneas de Rosa Gil').click();
  await expect.element(page.getByRole('heading', { name: 'Sin liquidar: Rosa Gil' })).toBeVisible();
  await expect.poll(address).toContain(`persona=${rosa.id}`);
  await expect.element(row('12,5 % de 48,00 €').getByRole('link', { name: 'ORD-2026000001' })).toBeVisible();
  await button('Todas las personas').click();
  await expect.element(row('Rosa Gil')).toBeVisible();

  server.reply(crearAjuste, ({ body: { importe, nota } }) => {
    personas = [hasOpen(rosa, 6), hasOpen(luis, 3.5 + importe)];
    return asDone('Ajuste anotado', aLine({ concepto: 'ajuste', importe, nota }));
  });
  await expect.element(row('Luis Paz')).toMatchTextContent(/3,50\s€/);
  await button('Ajuste').click();
  await press('Anotar ajuste');
  await expect.element(dialog.getByText('Elige una persona').last()).toBeVisible();
  await expect.element(field('Importe (€)')).toHaveAccessibleDescription(/Indica el importe/);
  await expect.element(field('Nota')).toHaveAccessibleDescription('Explica el ajuste: la persona lo leerá');
  await expectAccessible(dialog.element());
  await dialog.getByRole('combobox', { name: 'Persona' }).fill('Luis');
  await page.getByRole('option', { name: 'Luis Paz' }).click();
  await field('Importe (€)').fill('-1,25');
  await field('Nota').fill('Garrafa rota');
  await dialog.getByRole('button', { name: 'Anotar ajuste' }).dblClick();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(crearAjuste).map(({ body }) => body)).toEqual([{ user_id: luis.id, importe: -1.25, nota: 'Garrafa rota' }]);
  await expect.element(row('Luis Paz')).toMatchTextContent(/2,25\s€/);
});

test('a carrier’s cash is shown beside the earnings, but only in a shop that collects', async () => {
  personas = [hasOpen(luis, 3.5), hasOpen(rosa, 6)];
  statements = [aStatement({ user_id: luis.id })];
  const day = { ...(emptyOf(caja) as Caja), transportista_id: luis.id, cobros: 1, estado: 'abierta' } as const;
  const done = { estado: 'confirmada', esperado: 900 } as const;
  server.answer(listCajas, {
    data: [
      { ...day, dia: '2026-11-19', esperado: 100.5 },
      { ...day, dia: '2026-11-20', esperado: 20 },
      { ...day, dia: '2026-11-18', ...done },
    ],
  });
  open('/liquidaciones');
  await expect.element(row('Rosa Gil')).toBeVisible();
  expect(server.asked(listCajas)).toEqual([]);
  open('/liquidaciones', 'superadmin', { contra_reembolso: true });
  await expect.element(row('Lleva 120,50')).toMatchTextContent(/Luis Paz.*Lleva 120,50\s€ en efectivo desde el jueves 19/);
  await expect.element(row('Rosa Gil')).not.toMatchTextContent('efectivo');
  await expectAccessible();
  open(`/liquidaciones/${statements[0]?.id}`, 'superadmin', { contra_reembolso: true });
  await expect.element(page.getByRole('link', { name: /^Lleva 120,50\s€ en efectivo$/ })).toHaveAttribute('href', '/caja');
  open('/liquidaciones', 'transportista', { contra_reembolso: true, id: luis.id });
  await expect.element(page.getByText(/^Llevas 120,50\s€ en efectivo desde el jueves 19/)).toBeVisible();
});

const REPEATED = {
  ...{ numero_orden: 'ORD-2026-000007', pedido_id: '00000000-0000-4000-8000-000000000007' },
  ...{ persona_nombre: 'Luis Paz', intentos: 3, importe: 4.5 },
};
test('several unpaid statements are paid at once with one reference', async () => {
  statements = [
    aStatement({ id: '00000000-0000-4000-8000-0000000000c1', numero: 'LIQ-2026100001', total: 6 }),
    aStatement({ id: '00000000-0000-4000-8000-0000000000c2', numero: 'LIQ-2026100002', total: 3.5 }),
    aStatement({ id: '00000000-0000-4000-8000-0000000000c3', numero: 'LIQ-2026100003', pagada_el: '2026-11-02' }),
  ];
  server.reply(pagarLiquidaciones, ({ body: { liquidaciones, referencia, fecha } }) => {
    statements = statements.map((statement) => ({ ...statement, pagada_el: fecha, pago_referencia: referencia }));
    return asDone('2 liquidaciones pagadas', { liquidaciones: liquidaciones.length, total: 9.5 });
  });
  open('/liquidaciones');
  await page
    .getByRole('checkbox', { name: /todas|todos|todo/i })
    .first()
    .click();
  const bar = page.getByRole('region', { name: 'Liquidaciones elegidas' });
  await expect.element(bar).toMatchTextContent(/2 liquidaciones, 9,50\s€/);
  await bar.getByRole('button', { name: 'Marcar como pagadas' }).click();
  await press('Marcar 2 liquidaciones');
  await expect.element(field('Referencia')).toHaveAccessibleDescription('Indica la referencia del pago');
  await field('Referencia').fill('Remesa 7');
  await expectAccessible(dialog.element());
  await dialog.getByRole('button', { name: 'Marcar 2 liquidaciones' }).dblClick();
  await expect.element(page.getByText('2 liquidaciones pagadas')).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  expect(server.asked(pagarLiquidaciones).map(({ body }) => [body.referencia, body.liquidaciones.map(({ id }) => id.slice(-2))])).toEqual([
    ['Remesa 7', ['c1', 'c2']],
  ]);
});

test('a transfer file leaves out people without an IBAN, and a dialog asks for the missing IBAN', async () => {
  const ids = ['c1', 'c2', 'c3'].map((end) => `00000000-0000-4000-8000-0000000000${end}`);
  const [first = '', second = '', third = ''] = ids;
  const rosa = '00000000-0000-4000-8000-000000000002';
  statements = [
    aStatement({ id: first, numero: 'LIQ-2026100001', total: 6 }),
    aStatement({ id: second, numero: 'LIQ-2026100002', total: 3.5, user_id: rosa, persona_nombre: 'Rosa Gil' }),
    aStatement({ id: third, numero: 'LIQ-2026100003', total: -2 }),
  ];
  const left = (id: string, numero: string, total: number, motivo: 'sin_iban' | 'total') => ({
    id,
    numero,
    user_id: rosa,
    persona_nombre: 'Rosa Gil',
    total,
    motivo,
  });
  const fuera = [left(second, 'LIQ-2026100002', 3.5, 'sin_iban'), left(third, 'LIQ-2026100003', -2, 'total')];
  server.reply(ficheroTransferencias, ({ query }) => ({
    data: query.ids.includes(first)
      ? { nombre: 'transferencias.xml', contenido: '<Document/>', incluidas: [first], total: 6, fuera, sin_titular: ['Rita Paz'] }
      : { nombre: 'transferencias.xml', contenido: null, incluidas: [], total: 0, fuera, sin_titular: [] },
  }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  open('/liquidaciones');
  for (const { numero } of statements) await page.getByRole('checkbox', { name: `Seleccionar ${numero}` }).click();
  await button('Fichero de transferencias').click();
  const outcome = page.getByRole('dialog', { name: 'Fichero de transferencias hecho' });
  await expect.element(outcome).toMatchTextContent(/Lleva 1 transferencia, 6,00\s€/);
  await expect.element(outcome).toMatchTextContent(/Rosa Gil, 3,50\s€ \(LIQ-2026100002\): falta su IBAN/);
  await expect.element(outcome.getByRole('link', { name: 'Ver la liquidación' })).toHaveAttribute('href', `/liquidaciones/${third}`);
  await expect.element(outcome).toMatchTextContent(/van con su propio nombre: Rita Paz/);
  await expectAccessible(outcome.element());
  await outcome.getByRole('button', { name: 'Escribir su IBAN: Rosa Gil' }).click();
  await expect.element(field('Titular de la cuenta')).not.toBeInTheDocument();
  await field('IBAN para pagarle').fill('ES79 2100 0813 6101 2345 6789');
  await field('Titular de la cuenta').fill('Gil Hermanas S.L.');
  await page.getByRole('dialog', { name: 'Lo que gana Rosa Gil' }).getByRole('button', { name: 'Guardar' }).click();
  await expect
    .poll(() => server.asked(setGanancia).map(({ params, body }) => [params.id, body.iban, body.titular]))
    .toEqual([[rosa, 'ES7921000813610123456789', 'Gil Hermanas S.L.']]);
  await outcome.getByRole('button', { name: 'Hacer otro fichero con estas' }).click();
  await expect.element(page.getByRole('dialog', { name: 'No hay nada que transferir' })).toBeVisible();
  expect(server.asked(ficheroTransferencias).at(-1)?.query.ids).toBe(`${second},${third}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar', exact: true }).last().click();
  await expect.element(page.getByRole('region', { name: 'Liquidaciones elegidas' })).toMatchTextContent(/1 liquidación, 6,00\s€/);
});

test('a file of transfers is downloaded, or a message says what is missing', async () => {
  statements = [aStatement({ numero: 'LIQ-2026100001', total: 6 })];
  const message = 'Faltan el nombre o el IBAN de la empresa: escríbelos en Configuración';
  server.refuse(ficheroTransferencias, 422, { message });
  open('/liquidaciones');
  await page.getByRole('checkbox', { name: 'Seleccionar LIQ-2026100001' }).click();
  await button('Fichero de transferencias').click();
  await expect.element(page.getByText(message)).toBeVisible();
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  server.answer(ficheroTransferencias, {
    data: {
      nombre: 'transferencias-2026-11-21.xml',
      contenido: '<Document/>',
      incluidas: statements.map(({ id }) => id),
      total: 6,
      fuera: [],
      sin_titular: ['Almazara Sur', 'Ana Paz'],
    },
  });
  await button('Fichero de transferencias').click();
  await expect.element(page.getByText('Fichero de transferencias hecho')).toBeVisible();
  expect(names).toEqual(['transferencias-2026-11-21.xml']);
  await expect.element(page.getByText(/van con su propio nombre: Almazara Sur, Ana Paz/)).toBeVisible();
});

test('a past month is closed after a confirmation that shows its totals and repeated attempts', async () => {
  personas = [hasOpen(luis, 2.25)];
  let months = [{ mes: '2026-10', personas: 2, lineas: 3, total: 8.25, repetidos: [REPEATED] }];
  server.reply(listPorCerrar, () => ({ data: months }));
  server.reply(cerrarMes, () => {
    [months, personas, statements] = [[], [], [aStatement()]];
    return asDone('Cerrado octubre de 2026: 2 liquidaciones', { liquidaciones: 2, lineas: 3, total: 8.25 });
  });
  open('/liquidaciones');
  await button('Cerrar octubre de 2026').click();
  await expect.element(dialog).toMatchTextContent(/2 personas, 3 líneas, 8,25\s€/);
  // Repeated attempts are listed for review before the month is closed.
  await expect.element(dialog).toMatchTextContent(/Intentos fallidos repetidos.*ORD-2026-000007: 3 intentos de Luis Paz, 4,50\s€/);
  await expect.element(dialog.getByRole('link', { name: 'ORD-2026-000007' })).toHaveAttribute('href', `/pedidos/${REPEATED.pedido_id}`);
  await expectAccessible(dialog.element());
  await press('Cerrar octubre de 2026');
  await expect.element(page.getByText('Cerrado octubre de 2026: 2 liquidaciones')).toBeVisible();
  await expect.element(page.getByText('No hay nada sin liquidar')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Meses por cerrar' })).not.toBeInTheDocument();
  expect(server.asked(cerrarMes).map(({ body }) => body)).toEqual([{ mes: '2026-10' }]);
  await page.getByRole('link', { name: 'LIQ-2026100001' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Liquidación LIQ-2026100001');
  history.back();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Liquidaciones');
});

test('the address filters the statements by person and payment', async () => {
  statements = [aStatement({ user_id: rosa.id, persona_nombre: 'Rosa Gil' })];
  open(`/liquidaciones?persona=${rosa.id}`);
  await expect.element(row('LIQ-2026100001')).toMatchTextContent(/Rosa Gil.*Octubre de 2026.*2,25\s€.*Por pagar/);
  await page.getByRole('combobox', { name: 'Pago' }).click();
  await page.getByRole('option', { name: 'Pagadas' }).click();
  await expect.poll(address).toContain('estado=pagada');
  await expect.element(page.getByText('Ninguna liquidación coincide')).toBeVisible();
});

test('a statement is marked as paid with a reference, and the payment is removed with a reason', async () => {
  statements = [aStatement()];
  const { id } = statements[0] as Liquidacion;
  open(`/liquidaciones/${id}`);
  await button('Marcar como pagada').click();
  await press('Marcar como pagada');
  await expect.element(field('Referencia')).toHaveAccessibleDescription('Indica la referencia del pago');
  await expect.element(field('Día del pago')).toHaveValue('21/11/2026');
  await expectAccessible();
  await field('Referencia').fill('SEPA 17');
  await userEvent.keyboard('{Escape}');
  await button('Seguir editando').click();
  await expect.element(field('Referencia')).toHaveValue('SEPA 17');
  await press('Marcar como pagada');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('SEPA 17')).toBeVisible();
  await expect.element(page.getByText('Pagada el 21/11/2026')).toBeVisible();
  expect(server.asked(pagarLiquidacion).map(({ body }) => body)).toEqual([{ referencia: 'SEPA 17', fecha: '2026-11-21', version: 1 }]);

  await button('Quitar el pago').click();
  await press('Quitar el pago');
  await expect.element(field('Motivo')).toHaveAccessibleDescription('Indica el motivo');
  await field('Motivo').fill('Devuelta por el banco');
  await press('Quitar el pago');
  await expect.element(page.getByText('Por pagar')).toBeVisible();
  expect(server.asked(despagarLiquidacion).map(({ body }) => body)).toEqual([{ motivo: 'Devuelta por el banco', version: 2 }]);
});

test('a carrier can read and download their own statement, but cannot remove its payment', async () => {
  statements = [aStatement({ pagada_el: '2026-11-20', pago_referencia: 'SEPA 17' })];
  lines = [aLine({ numero_orden: 'ORD-2026000001' }), aLine({ concepto: 'ajuste', importe: -1.25, nota: 'Garrafa rota' })];
  open('/liquidaciones', 'transportista');
  await page.getByRole('link', { name: 'LIQ-2026100001' }).click();
  await expect.element(page.getByText('Luis Paz · octubre de 2026')).toBeVisible();
  await expect.element(page.getByRole('main')).toMatchTextContent(/2,25\s€.*2 líneas.*SEPA 17/);
  await expect.element(row('Garrafa rota')).toMatchTextContent(/Ajuste.*-1,25\s€/);
  for (const name of ['PDF', 'CSV'])
    await expect
      .element(page.getByRole('link', { name: `Descargar en ${name}` }))
      .toHaveAttribute('href', `/api/liquidaciones/${statements[0]?.id}/${name.toLowerCase()}`);
  await expect.element(button('Quitar el pago')).not.toBeInTheDocument();
  await expectAccessible();
});

test('another person’s statement cannot be opened', async () => {
  server.refuse(getLiquidacion, 404, { message: 'No se ha encontrado' });
  open(`/liquidaciones/${uuid()}`, 'revendedor');
  await expect.element(page.getByText('No se pudo cargar la liquidación')).toBeVisible();
});
