import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  type Caja,
  cobroSinLlegar,
  comprobarCobros,
  confirmarCaja,
  deshacerRemesa,
  entregarCaja,
  listCajas,
  listCobros,
  listDeEmpresas,
  listSinRegistrar,
  ponerPlazo,
  recibirCaja,
  recibirDeEmpresa,
  registrarLoQuePaso,
} from '../../contract/caja/caja.ts';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import { caja } from '../../contract/caja/schemas.ts';
import { listPorRecibir, recibirMercancia } from '../../contract/devoluciones/devoluciones.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { contarNoAceptado } from '../../contract/transportista/transportista.ts';
import { expectAccessible, open, person } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { operation } from '../../test/web/operations.ts';
import { aPedido } from '../../test/web/samples.ts';
import { queryClient } from '../api.ts';
import { openStore } from '../outbox/store.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const aDay = (fields: Partial<Caja>): Caja => ({
  ...(emptyOf(caja) as Caja),
  transportista_id: ID,
  dia: '2026-03-10',
  transportista_nombre: 'Tomás Gil',
  cobros: 2,
  esperado: 44.5,
  ...fields,
});
test('a carrier hands over the open round of a day with a reason for the difference', async () => {
  await page.viewport(390, 844);
  let esperado = 44.5;
  server.reply(listCajas, () => ({ data: [aDay({ ronda: 1, estado: 'entregada' }), aDay({ ronda: 2, estado: 'abierta', esperado })] }));
  server.refuse(entregarCaja, 422, { message: 'No', errors: { motivo: ['Lo contado no es lo cobrado: indica el motivo'] } });
  open('/caja', 'transportista', { contra_reembolso: true });
  await expect.element(page.getByText('En mano: 44,50 €, desde el 10/03/2026')).toBeVisible();
  expect(page.getByRole('button', { name: /^Entregar caja/ }).elements()).toHaveLength(1);

  await page.getByRole('button', { name: 'Entregar caja del 10/03/2026 (2.ª entrega)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Entregar caja' });
  const handOver = dialog.getByRole('button', { name: 'Entregar caja' });
  // More cash is collected while the dialog is open: the dialog asks for a reason and shows the new amount.
  await handOver.click();
  await expect.element(dialog.getByLabelText('Motivo de la diferencia')).toBeVisible();
  esperado = 54.5;
  await queryClient.invalidateQueries();
  await expect.element(dialog).toMatchTextContent('54,50 €');

  server.answer(entregarCaja, asDone('Caja entregada', aDay({ estado: 'entregada' })));
  await dialog.getByLabelText('Contado (€)').fill('40');
  await handOver.click();
  await expect.element(dialog.getByText('Indica el motivo de la diferencia')).toBeVisible();
  await dialog.getByLabelText('Motivo de la diferencia').fill('Di cambio de más');
  await expectAccessible();
  await page.viewport(1440, 844);
  await expect.element(dialog.getByLabelText('Motivo de la diferencia')).toHaveValue('Di cambio de más');
  await expectAccessible();
  await handOver.click();
  await expect.poll(() => server.asked(entregarCaja).at(-1)?.body).toEqual({ dia: '2026-03-10', contado: 40, motivo: 'Di cambio de más' });
});

test('the office confirms cash that was handed over, or receives the cash of an open day directly', async () => {
  const handedOver = aDay({ estado: 'entregada', caja_id: ID, contado: 44.5 });
  server.answer(listCajas, { data: [handedOver, aDay({ estado: 'abierta', dia: '2026-03-11' })] });
  server.answer(confirmarCaja, asDone('Caja confirmada', aDay({ estado: 'confirmada' })));
  server.answer(recibirCaja, asDone('Caja recibida', aDay({ estado: 'confirmada' })));
  open('/caja', 'superadmin', { contra_reembolso: true });
  await expect.element(page.getByRole('link', { name: 'Caja', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Recibir .* del 10/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Recibir caja' }).click();
  await expect.poll(() => server.asked(confirmarCaja)[0]?.body).toEqual({ recibido: 44.5, motivo: null });
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  await page.getByRole('button', { name: 'Recibir 44,50 € de Tomás Gil del 11/03/2026' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recibir caja' });
  await dialog.getByLabelText('Recibido (€)').fill('40');
  await dialog.getByLabelText('Motivo de la diferencia').fill('Faltan monedas');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Recibir caja' }).click();
  const body = { transportista_id: ID, dia: '2026-03-11', recibido: 40, motivo: 'Faltan monedas' };
  await expect.poll(() => server.asked(recibirCaja)[0]?.body).toEqual(body);
});

const OTHER = '00000000-0000-4000-8000-000000000002';
const ORDER = { pedido_id: ID, numero_orden: 'ORD-20260310001', transportista_nombre: 'Tomás Gil' };

test('a list cut at 500 rows says so', async () => {
  const goodsOfOrder = { ...ORDER, desde: '2026-03-10T10:00:00.000Z', lineas: [] };
  const goods = Array.from({ length: MAX_OFICINA }, (_, n) => ({
    ...goodsOfOrder,
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  }));
  server.answer(listCajas, { data: [] });
  server.answer(listPorRecibir, { data: goods });
  open('/caja', 'superadmin', { caja: true });
  await expect.element(page.getByText('Se muestran los 500 más antiguos: los demás aparecen al resolver estos.')).toBeVisible();
});

test('the office ticks Bizum and card payments found at the bank, and cancels a missing payment', async () => {
  await page.viewport(390, 844);
  server.answer(listCajas, { data: [] });
  const cobro = { ...ORDER, id: ID, transportista_id: ID, metodo: 'bizum' as const, importe: 25, dia: '2026-03-10' };
  server.answer(listCobros, { data: [cobro, { ...cobro, id: OTHER, metodo: 'tarjeta' as const, importe: 10 }] });
  server.answer(comprobarCobros, { success: true, message: '1 cobro comprobado' });
  server.answer(cobroSinLlegar, { success: true, message: 'Cobro anulado' });
  open('/caja', 'superadmin', { contra_reembolso: true });
  await page.getByRole('checkbox', { name: '25,00 € de ORD-20260310001: está' }).click();
  await expectAccessible();
  await page.viewport(1280, 844);
  await expect.element(page.getByRole('checkbox', { name: '25,00 € de ORD-20260310001: está' })).toBeChecked();
  await expectAccessible();
  await page.getByRole('button', { name: 'Están 1: 25,00 €' }).click();
  await expect.poll(() => server.asked(comprobarCobros)[0]?.body).toEqual({ cobros: [ID] });
  await page.getByRole('button', { name: '10,00 € de ORD-20260310001: no está' }).click();
  const dialog = page.getByRole('dialog', { name: 'El cobro no ha llegado' });
  await dialog.getByRole('button', { name: 'Anular el cobro' }).click();
  await expect.element(dialog.getByText('Indica el motivo')).toBeVisible();
  await dialog.getByRole('textbox', { name: /^Motivo/ }).fill('No está en el datáfono');
  await dialog.getByRole('button', { name: 'Anular el cobro' }).click();
  await expect
    .poll(() => server.asked(cobroSinLlegar)[0])
    .toMatchObject({ params: { id: OTHER }, body: { motivo: 'No está en el datáfono' } });
});

const ofCompany = { empresa: 'Correos', cobros: 2, importe: 27, desde: '2026-03-10', plazo: 0, tarde: 0 };

test('a list of company money that is not whole says so', async () => {
  const cobro = { ...ORDER, id: ID, empresa: 'Correos', importe: 1, dia: '2026-03-10', dias: 9 };
  const many = Array.from({ length: MAX_OFICINA }, (_, n) => ({ ...cobro, id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` }));
  server.answer(listCajas, { data: [] });
  server.answer(listDeEmpresas, { data: many, empresas: [ofCompany], sin_deuda: [], remesas: [] });
  open('/caja', 'superadmin', { caja: true });
  await expect.element(page.getByText(/Se marcan de 500 en 500/)).toBeVisible();
  server.answer(listDeEmpresas, { data: many.slice(1), empresas: [ofCompany], sin_deuda: [], remesas: [] });
  await queryClient.invalidateQueries();
  await expect.element(page.getByText(/Se marcan de 500/)).not.toBeInTheDocument();
});

test('the office notes what a company has paid, less its commission, and undoes it', async () => {
  await page.viewport(390, 844);
  server.answer(listCajas, { data: [] });
  const cobro = { ...ORDER, id: ID, empresa: 'Correos', importe: 17, dia: '2026-03-10', dias: 9 };
  const remesa = {
    id: OTHER,
    numero: 4,
    empresa: 'MRW',
    fecha: '2026-03-12',
    cobros: 2,
    recibido: 40,
    comision: 1.5,
    referencia: 'L-8',
    aparte: [],
    creada_por: 'Ana',
  };
  const empresas = [ofCompany];
  server.answer(listDeEmpresas, {
    data: [cobro, { ...cobro, id: OTHER, importe: 10, dias: 2 }],
    empresas,
    sin_deuda: [],
    remesas: [remesa],
  });
  server.answer(recibirDeEmpresa, { success: true, message: 'Recibido de Correos: 1 cobro' });
  server.answer(deshacerRemesa, { success: true, message: 'Liquidación deshecha' });
  open('/caja', 'superadmin', { contra_reembolso: true });
  await expect.element(page.getByText(/27,00\s€ · Correos · 2 cobros, el más antiguo del 10\/03\/2026 · Sin plazo/)).toBeVisible();
  await page.getByRole('button', { name: 'Ha pagado Correos' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ha pagado Correos' });
  await dialog.getByRole('checkbox', { name: /10,00/ }).click();
  await expect.element(dialog.getByLabelText(/^Recibido/)).toHaveValue('17,00');
  await dialog.getByLabelText(/^Recibido/).fill('18');
  await expect.element(dialog.getByText(/sobran 1,00/)).toBeVisible();
  await dialog.getByLabelText(/^Recibido/).fill('16');
  await expect.element(dialog.getByText(/se queda 1,00\s€ de comisión/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Anotar 1 cobro' }).click();
  await expect
    .poll(() => server.asked(recibirDeEmpresa)[0]?.body)
    .toMatchObject({ empresa: 'Correos', cobros: [ID], recibido: 16, comision: 1, referencia: null });
  await page.getByRole('button', { name: 'Deshacer lo pagado por MRW el 12/03/2026' }).click();
  await expect.poll(() => server.asked(deshacerRemesa)[0]?.params).toEqual({ id: OTHER });
});

test('a company that pays late says so, and its term is changed', async () => {
  server.answer(listCajas, { data: [] });
  server.answer(listDeEmpresas, { data: [], empresas: [{ ...ofCompany, plazo: 7, tarde: 2 }], sin_deuda: [], remesas: [] });
  server.answer(ponerPlazo, { success: true, message: 'Plazo guardado' });
  open('/caja', 'superadmin', { caja: true });
  await expect.element(page.getByText(/2 días tarde/)).toBeVisible();
  await page.getByRole('button', { name: 'Paga a 7 días: cambiar el de Correos' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plazo de Correos' });
  await dialog.getByLabelText(/^Días desde la entrega/).fill('15');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.poll(() => server.asked(ponerPlazo)[0]?.body).toEqual({ empresa: 'Correos', dias: 15 });
});

test('the office settles deliveries that were not accepted and goods that did not come back', async () => {
  server.answer(listCajas, { data: [] });
  server.answer(listSinRegistrar, {
    data: [{ ...ORDER, id: OTHER, metodo: 'efectivo', importe: 25, ocurrido_at: '2026-03-10T09:00:00Z', nota: 'Ya estaba cancelado' }],
  });
  const goods = { ...ORDER, id: ID, desde: '2026-03-10T09:00:00Z', lineas: [{ producto: 'Aceite', cantidad: 9 }] };
  server.answer(listPorRecibir, { data: [goods] });
  server.answer(registrarLoQuePaso, { success: true, message: 'Registrado' });
  server.answer(recibirMercancia, asDone('Recibida', aPedido()));
  open('/caja', 'superadmin', { caja: true });
  expect(page.getByText(/^Se muestran los/).elements()).toEqual([]);
  await page.getByRole('button', { name: 'Registrar lo que pasó en ORD-20260310001' }).click();
  await expect.poll(() => server.asked(registrarLoQuePaso)[0]?.params).toEqual({ id: OTHER });
  await expect.element(page.getByText(/9 × Aceite · Tomás Gil/)).toBeVisible();
  await page.getByRole('button', { name: 'No ha vuelto de ORD-20260310001' }).click();
  await page.getByRole('textbox', { name: /^Motivo/ }).fill('Se ha roto');
  await expectAccessible();
  await page.getByRole('button', { name: 'Dar de baja' }).click();
  await expect.poll(() => server.asked(recibirMercancia)[0]?.body).toEqual({ destino: 'baja', motivo: 'Se ha roto' });
});

test('cash in hand includes unsent and refused collections, which the hand-over leaves out', async () => {
  const store = openStore();
  const paid = { estado: 'completado', paso: 'completar', cobrado_metodo: 'efectivo' };
  const me = person('transportista').id;
  // Keeps the operations from coming due during the test.
  const later = { person: me, next: Date.now() + 3_600_000, tries: 3 };
  await store.add(operation('unsent', ID, { ...later, numero: 'ORD-2', body: { ...paid, cobrado: 25 } }));
  await store.add(
    operation('refused', OTHER, { ...later, numero: 'ORD-3', state: 'rechazado', reported: true, body: { ...paid, cobrado: 10 } }),
  );
  server.refuse(setEstado, 503, { message: 'No está disponible' });
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  server.answer(listCajas, { data: [aDay({ estado: 'abierta', dia: '2026-03-10' })] });
  open('/caja', 'transportista', { contra_reembolso: true });
  await expect.element(page.getByText('En mano: 79,50 €, desde el 10/03/2026')).toBeVisible();
  await expect.element(page.getByText(/De ellos, 25,00\s€ de 1 cobro \(ORD-2\) que este teléfono no ha enviado/)).toBeVisible();
  await expect.element(page.getByText(/De ellos, 10,00\s€ de 1 cobro \(ORD-3\) que no se ha registrado/)).toBeVisible();
  await page.getByRole('button', { name: 'Entregar caja del 10/03/2026' }).click();
  const dialog = page.getByRole('dialog', { name: 'Entregar caja' });
  await expect.element(dialog.getByText(/No cuentes aquí 35,00\s€ de 2 cobros/)).toBeVisible();
  await expectAccessible();
  store.close();
});
