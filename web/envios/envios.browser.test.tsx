import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  comprobarRespuesta,
  createEnvio,
  deshacerRespuesta,
  type Envio,
  type FilaLeida,
  leerRespuesta,
  listEnvios,
  listPlantillas,
  type Plantilla,
  sacarDeEnvio,
  updatePlantilla,
  verRespuesta,
} from '../../contract/envios/envios.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { keepFormat, listFormats } from '../../contract/sheets/formats.ts';
import { expectAccessible, onPhone, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aPedido, pedidosAsked, theSettings } from '../../test/web/samples.ts';

const correos: Plantilla = {
  clave: 'correos',
  nombre: 'Correos',
  metodo_entrega: 'correos',
  columnas: [{ titulo: 'Referencia', expresion: '{numero_orden}', max: 30 }],
  separador: ';',
  codificacion: 'latin1',
  coma_decimal: true,
  con_titulos: true,
  verificada: false,
  version: 1,
};
const envio: Envio = {
  id: crypto.randomUUID(),
  empresa: 'Correos',
  created_at: '2026-11-25T10:00:00.000Z',
  creado_por: 'Ada Ruiz',
  pedidos: 2,
  completados: 0,
  incidencias: 0,
  sin_respuesta: 2,
  sacados: 0,
  sin_pareja: [],
  fuera: [],
  respondido_at: null,
  respuesta: null,
};
let pedidos: Pedido[];
beforeEach(() => {
  pedidos = [aPedido({ cliente_nombre: 'Ana' }), aPedido({ cliente_nombre: 'Bea' })];
  server.reply(listPedidos, ({ query }) => pedidosAsked(pedidos, query));
  server.answer(listPlantillas, { data: [correos] });
  server.answer(listFormats, { data: [] });
  server.answer(keepFormat, { success: true, message: '' });
  server.answer(listEnvios, { success: true, data: [envio] });
});

const dialog = page.getByRole('dialog');
const FILE = 'Referencia cliente;Código de envío;Situación\r\nord 1;PQ1;Entregado\r\nord 2;PQ2;Ausente\r\nNADA;PQ3;\r\n';
const leida = (fila: number, referencia: string, resultado: FilaLeida['resultado'], message: string): FilaLeida => ({
  fila,
  referencia,
  pedido_id: null,
  seguimiento: null,
  resultado,
  message,
});
const READ = [
  leida(0, 'ord 1', 'completar', 'Completado con PQ1'),
  leida(1, 'ord 2', 'incidencia', 'Comentario: Ausente'),
  leida(2, 'NADA', 'no_encaja', 'Ningún pedido'),
];
async function choose(text: string) {
  await page.getByRole('button', { name: /^Leer respuesta de Correos/ }).click();
  await expect.element(dialog.getByRole('button', { name: 'Elegir fichero' })).toBeVisible();
  const input = dialog.element().querySelector('input[type=file]') ?? document.querySelector('input[type=file]');
  await userEvent.upload(input as Element, new File([text], 'respuesta.csv', { type: 'text/csv' }));
}

test('chosen orders become a batch for a company', async () => {
  server.answer(createEnvio, { ...asDone('Envío creado', { ...envio, pedidos: 1 }), avisos: [] });
  open('/pedidos', 'superadmin', { envios: true });
  await row('Ana').getByRole('checkbox').click();
  await row('Bea').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Fichero de envío…' }).click();
  await dialog.getByRole('button', { name: 'Descargar fichero' }).click();
  await expect.element(dialog).toMatchTextContent('Elige una empresa');
  await dialog.getByRole('combobox', { name: 'Empresa' }).click();
  await page.getByRole('option', { name: 'Correos (sin verificar)' }).click();
  await expect.element(dialog.getByRole('note')).toMatchTextContent('Nadie ha probado aún esta plantilla');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Descargar fichero' }).click();
  await expect.element(page.getByText('Fichero de Correos con 1 pedido. 1 no se pueden enviar y quedan fuera.')).toBeVisible();
  expect(server.asked(createEnvio).map(({ body }) => body)).toMatchObject([{ plantilla: 'correos', ids: pedidos.map(({ id }) => id) }]);
});

test("a second file for orders already in a company's file needs a confirmation", async () => {
  server.refuse(createEnvio, 409, { message: 'Ya lo tiene otro: ORD-1 (Correos)', code: 'en_empresa' });
  open('/pedidos', 'superadmin', { envios: true });
  await row('Ana').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Fichero de envío…' }).click();
  await dialog.getByRole('combobox', { name: 'Empresa' }).click();
  await page.getByRole('option', { name: 'Correos (sin verificar)' }).click();
  await dialog.getByRole('button', { name: 'Descargar fichero' }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Ya lo tiene otro: ORD-1 (Correos)');
  server.answer(createEnvio, { ...asDone('Envío creado', { ...envio, pedidos: 1 }), avisos: [] });
  await dialog.getByRole('button', { name: 'Hacer otro fichero' }).click();
  await expect.element(page.getByText('Fichero de Correos con 1 pedido.')).toBeVisible();
  expect(server.asked(createEnvio).map(({ body }) => body.aunque_tenga_envio)).toEqual([false, true]);
});

test('an order handed to a company is marked in the list, and can be taken back', async () => {
  const held = aPedido({ cliente_nombre: 'Eva', en_empresa: 'Correos', en_empresa_at: '2026-11-26T09:00:00.000Z' });
  pedidos.push(held);
  server.reply(getPedido, () => ({ data: held }));
  server.answer(sacarDeEnvio, { message: '1 pedido sacado de su envío', sacados: 1 });
  open('/pedidos', 'superadmin', { envios: true });
  await expect.element(row('Eva')).toMatchTextContent('Con Correos desde 26/11');
  await row('Eva').getByText(held.numero_orden).click();
  await expect.element(dialog.getByRole('region', { name: 'Situación' })).toMatchTextContent('Con Correos desde el 26/11');
  await expect.element(dialog.getByRole('button', { name: 'Asignar transportista' })).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Sacar del envío' }).click();
  await expect.element(page.getByText('1 pedido sacado de su envío')).toBeVisible();
  expect(server.asked(sacarDeEnvio).map(({ body }) => body)).toEqual([{ ids: [held.id] }]);
});

test('a batch links to the orders in its file, and lists the orders left out with reasons', async () => {
  server.answer(listEnvios, { success: true, data: [{ ...envio, fuera: [{ numero_orden: 'ORD-7', motivo: 'Cancelado' }] }] });
  open('/envios', 'superadmin', { envios: true });
  await page.getByText('Ya no van en el fichero: 1').click();
  await expect.element(page.getByText('ORD-7: Cancelado')).toBeVisible();
  await page.getByRole('link', { name: /ver los pedidos de Correos/ }).click();
  await expect.element(page.getByRole('button', { name: 'Quitar filtro: Un envío' })).toBeVisible();
  expect(server.asked(listPedidos).at(-1)?.query).toMatchObject({ envio_id: envio.id });
});

test('a shop without shipment files has neither their button nor their screen', async () => {
  open('/pedidos');
  await row('Ana').getByRole('checkbox').click();
  await expect.element(page.getByRole('button', { name: 'Asignar', exact: true })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Fichero de envío…' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Envíos' })).not.toBeInTheDocument();
});

test('a company’s answer is previewed before acceptance, and unmatched rows stay listed', async () => {
  server.answer(comprobarRespuesta, { data: READ });
  const after = {
    ...envio,
    completados: 1,
    incidencias: 1,
    sin_respuesta: 0,
    sin_pareja: [{ referencia: 'NADA', seguimiento: 'PQ3', motivo: 'Ningún pedido' }],
  };
  server.answer(leerRespuesta, { message: '1 pedido completado', data: READ, envio: after });
  await onPhone();
  open('/envios', 'superadmin', { envios: true });
  await choose(FILE);
  await dialog.getByRole('group', { name: '1 fila no dice nada en «Situación»' }).getByRole('button', { name: 'No se sabe' }).click();
  await expect.element(dialog).toMatchTextContent('1 no se lee · 1 no entregado · 1 entregado');
  expect(server.asked(comprobarRespuesta).at(-1)?.body.filas).toEqual([
    { referencia: 'ord 1', seguimiento: 'PQ1', estado: 'Entregado', lectura: 'entregado' },
    { referencia: 'ord 2', seguimiento: 'PQ2', estado: 'Ausente', lectura: 'incidencia' },
    { referencia: 'NADA', seguimiento: 'PQ3', estado: null, lectura: 'no_se_sabe' },
  ]);
  expect(server.asked(leerRespuesta)).toEqual([]);
  await expectAccessible();
  server.answer(listEnvios, { success: true, data: [after] });
  await dialog.getByRole('button', { name: 'Aceptar' }).click();
  await expect.element(dialog).toMatchTextContent('1 pedido completado: 1 no se lee');
  await dialog.getByRole('button', { name: 'Cerrar' }).last().click();
  await page.getByText('No encajan: 1').click();
  await expect.element(page.getByText('NADA · PQ3: Ningún pedido')).toBeVisible();
});

test('the latest answer can be taken back, after a look at what goes back and what stays', async () => {
  const respuesta = { id: crypto.randomUUID(), created_at: '2026-11-28T09:30:00.000Z', leida_por: 'Ada Ruiz' };
  const stays = { id: crypto.randomUUID(), numero_orden: 'ORD-7', motivo: 'Ya se ha respondido a su incidencia' };
  const answered = { ...envio, completados: 38, respondido_at: respuesta.created_at, respuesta };
  server.answer(listEnvios, { success: true, data: [answered] });
  server.answer(verRespuesta, { data: { entregas: 38, incidencias: 1, se_quedan: [stays] } });
  server.answer(deshacerRespuesta, asDone('Respuesta deshecha', envio));
  await onPhone();
  open('/envios', 'superadmin', { envios: true });
  await page.getByRole('button', { name: /^Deshacer la respuesta de Correos/ }).click();
  await expect.element(dialog.getByRole('list', { name: 'Qué se deshace' })).toMatchTextContent('38 entregas');
  await expect
    .element(dialog.getByRole('list', { name: 'Pedidos que se quedan como están' }))
    .toMatchTextContent('ORD-7: Ya se ha respondido');
  await expectAccessible();
  expect(server.asked(deshacerRespuesta)).toEqual([]);
  server.answer(listEnvios, { success: true, data: [envio] });
  await dialog.getByRole('button', { name: 'Deshacer lo demás' }).click();
  await expect.element(page.getByText('Respuesta de Correos deshecha')).toBeVisible();
  expect(server.asked(deshacerRespuesta).map(({ params, body }) => [params, body])).toEqual([
    [{ id: respuesta.id }, { se_quedan: [stays.id] }],
  ]);
  await expect.element(page.getByRole('button', { name: /^Deshacer la respuesta/ })).not.toBeInTheDocument();
});

test('an answer that can no longer be taken back says why', async () => {
  const respuesta = { id: crypto.randomUUID(), created_at: '2026-11-28T09:30:00.000Z', leida_por: 'Ada Ruiz' };
  server.answer(listEnvios, { success: true, data: [{ ...envio, respondido_at: respuesta.created_at, respuesta }] });
  server.refuse(verRespuesta, 409, { message: 'Esa respuesta ya se ha deshecho', code: 'estado' });
  open('/envios', 'superadmin', { envios: true });
  await page.getByRole('button', { name: /^Deshacer la respuesta de Correos/ }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Esa respuesta ya se ha deshecho');
  await expect.element(dialog.getByRole('button', { name: 'Deshacer' })).not.toBeInTheDocument();
});

test('an answer of more than 2000 rows is refused before anything is read', async () => {
  open('/envios', 'superadmin', { envios: true });
  await choose(`Referencia;Seguimiento\r\n${'ord 1;PQ1\r\n'.repeat(2001)}`);
  const why = 'Ese fichero tiene 2.001 filas, y se leen 2.000 como máximo: divídelo.';
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(why);
  await expect.element(dialog.getByRole('button', { name: 'Aceptar' })).not.toBeInTheDocument();
  expect(server.asked(comprobarRespuesta)).toEqual([]);
});

test('a person can choose the columns of an answer whose headings are not recognised', async () => {
  server.answer(comprobarRespuesta, { data: READ });
  open('/envios', 'superadmin', { envios: true });
  await choose('A;B\r\nord 1;PQ1\r\n');
  await expect.element(dialog).toMatchTextContent('Di en qué columna está');
  await dialog.getByRole('combobox', { name: 'A', exact: true }).click();
  await page.getByRole('option', { name: 'Nuestra referencia' }).click();
  await dialog.getByRole('button', { name: 'No se usa' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Aceptar' })).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Entregado', exact: true }).click();
  await expect
    .poll(() => server.asked(comprobarRespuesta).at(-1)?.body.filas)
    .toEqual([{ referencia: 'ord 1', seguimiento: null, estado: null, lectura: 'entregado' }]);
});

test('a template of a shipment file must name known fields', async () => {
  server.answer(getSettings, { data: theSettings({ shipmentFiles: true }) });
  server.answer(updatePlantilla, asDone('Plantilla guardada', correos));
  open('/configuracion?tab=delivery', 'superadmin', { envios: true });
  await page.getByRole('button', { name: 'Cambiar la plantilla de Correos' }).click();
  const columns = dialog.getByRole('textbox', { name: 'Columnas' });
  await expect.element(columns).toHaveValue('Referencia | {numero_orden} | 30');
  await columns.fill('Nombre | {nombre}');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.element(dialog).toMatchTextContent('Línea 1: No existe el campo {nombre}');
  await columns.fill('Nombre | {cliente_nombre} | 35');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect
    .poll(() => server.asked(updatePlantilla).at(-1)?.body)
    .toMatchObject({
      columnas: [{ titulo: 'Nombre', expresion: '{cliente_nombre}', max: 35 }],
      version: 1,
    });
});
