import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import { createEnvio, envioFichero, leerRespuesta, listEnvios, listPlantillas, updatePlantilla } from '../../contract/envios/envios.ts';
import { getPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { admin, world, worldForEachTest } from '../../test/roles-world.ts';

/* Two batches, two templates, and lengths to each side of an edge. */

worldForEachTest();
beforeEach(async () => {
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ shipmentFiles: true, companyName: 'La Olivera' }) as never })
    .execute();
});

const batch = async (ids: string[], plantilla = 'correos') => {
  const { status, text, body } = await admin.call(createEnvio, { body: { plantilla, ids, aunque_tenga_envio: true } });
  expect(status, text).toBe(201);
  return body.data.id;
};
type Filas = { referencia: string; seguimiento?: string | null; estado?: string | null; lectura?: 'entregado' | 'incidencia' }[];
const read = async (id: string, filas: Filas) => (await admin.call(leerRespuesta, { params: { id }, body: { filas } })).body;
const listed = async () => new Map((await admin.call(listEnvios)).body.data.map((envio) => [envio.id, envio]));
const templates = async () => (await admin.call(listPlantillas)).body.data;
async function change(empresa: string, more: object) {
  const { clave: _, nombre: __, metodo_entrega: ___, ...fields } = (await templates()).find(({ clave }) => clave === empresa)!;
  const { status, text } = await admin.call(updatePlantilla, { params: { empresa }, body: { ...fields, ...more } });
  expect(status, text).toBe(200);
}
const fileOf = async (id: string) => (await admin.call(envioFichero, { params: { id } })).text;

test('a changed template leaves the others as they are', async () => {
  const before = await templates();
  await change('gls', { con_titulos: false, separador: ',' });
  const after = await templates();
  expect(after.filter(({ clave }) => clave !== 'gls')).toEqual(before.filter(({ clave }) => clave !== 'gls'));
  expect(after.find(({ clave }) => clave === 'gls')).toMatchObject({ con_titulos: false, separador: ',', version: 2 });
});

test('a file in Latin-1 has plain letters for what that lacks, and one in UTF-8 has every letter', async () => {
  const { id } = await world.pedido({ cliente_nombre: 'ÿ Łódź ñ 10 € 漢', cliente_direccion: 'C 1' });
  const columnas = [{ titulo: 'Ł', expresion: '{cliente_nombre}', max: 0 }];
  const written = async (codificacion: string) => {
    await change('correos', { columnas, codificacion, con_titulos: true });
    return fileOf(await batch([id]));
  };
  // Read as UTF-8, a byte of Latin-1 is a replacement character.
  expect(await written('latin1')).toBe('L\r\n\ufffd L\ufffddz \ufffd 10 EUR ?\r\n');
  expect(await written('utf8')).toContain('Ł\r\nÿ Łódź ñ 10 € 漢\r\n');
});

test('a file has the amount to collect, with a comma or a point, and nothing if nothing is to be collected', async () => {
  const [due, paid] = [
    await world.pedido({ numero_orden: 'A-1', contra_reembolso: true, precio_total_cents: 1 }),
    await world.pedido({ numero_orden: 'A-2', precio_total_cents: 2550 }),
  ];
  const columnas = ['numero_orden', 'reembolso', 'empresa'].map((name) => ({ titulo: name, expresion: `{${name}}`, max: 0 }));
  const written = async (coma_decimal: boolean) => {
    await change('correos', { columnas, codificacion: 'latin1', con_titulos: false, coma_decimal, separador: ';' });
    return fileOf(await batch([paid.id, due.id]));
  };
  expect(await written(true)).toBe('A-1;0,01;La Olivera\r\nA-2;;La Olivera\r\n');
  expect(await written(false)).toBe('A-1;0.01;La Olivera\r\nA-2;;La Olivera\r\n');
});

test('an answer to one batch leaves another as it was, even if both have the order', async () => {
  const [both, own] = [await world.pedido(), await world.pedido()];
  const [first, second] = [await batch([own.id, both.id]), await batch([both.id], 'gls')];
  const delivered = { referencia: both.numero_orden, seguimiento: 'PQ1', lectura: 'entregado' as const };
  await read(second, [delivered, { referencia: 'NADA' }]);
  const envios = await listed();
  expect(envios.get(second)).toMatchObject({ pedidos: 1, completados: 1, incidencias: 0, sacados: 0, sin_respuesta: 0 });
  expect(envios.get(second)?.sin_pareja).toHaveLength(1);
  expect(envios.get(first)).toMatchObject({
    pedidos: 2,
    completados: 0,
    sacados: 1,
    sin_respuesta: 1,
    sin_pareja: [],
    respondido_at: null,
  });
  // In the first, the order was taken out, and is completed by now.
  const { data } = await read(first, [
    delivered,
    { ...delivered, seguimiento: 'PQ2' },
    { referencia: own.numero_orden, estado: 'Ausente' },
  ]);
  expect(data.map(({ resultado, message }) => [resultado, message])).toEqual([
    ['igual', 'Ya estaba completado'],
    ['igual', 'Del mismo pedido vale la fila 1; su número PQ2 no se guarda'],
    ['incidencia', 'No entregado: Ausente'],
  ]);
  expect((await listed()).get(first)).toMatchObject({ completados: 0, incidencias: 1, sin_respuesta: 0, sin_pareja: [] });
});

test('a row of a reference that did not match before takes the place of its earlier row', async () => {
  const { id: order, numero_orden } = await world.pedido();
  const id = await batch([order]);
  await read(id, [{ referencia: 'NADA 1' }, { referencia: 'nada-2' }]);
  await read(id, [
    { referencia: 'NADA-2', seguimiento: 'X1' },
    { referencia: numero_orden, lectura: 'entregado' },
  ]);
  const { sin_pareja } = (await listed()).get(id)!;
  expect(sin_pareja.map(({ referencia, seguimiento }) => [referencia, seguimiento])).toEqual([
    ['NADA 1', null],
    ['NADA-2', 'X1'],
  ]);
  const logs = (await admin.call(listLogs, { query: { entity_type: 'envio' } })).body.data.map(({ description }) => description);
  expect(logs.toSorted()).toEqual([
    'Fichero de envío de Correos: 1 pedido',
    'Respuesta de Correos leída: 0 de 2 filas',
    'Respuesta de Correos leída: 1 de 2 filas',
  ]);
});

test('an incident keeps 300 characters of the company’s words, and the same words are noted once', async () => {
  const { id: order, numero_orden } = await world.pedido();
  const id = await batch([order]);
  const row = { referencia: numero_orden, lectura: 'incidencia' as const };
  const results = [];
  for (const estado of ['x'.repeat(300), 'x'.repeat(300), 'Otra cosa', null])
    results.push((await read(id, [{ ...row, estado }])).data[0]?.resultado);
  expect(results).toEqual(['incidencia', 'igual', 'incidencia', 'incidencia']);
  const { rows } = await world.db
    .selectFrom('pedidos_historial')
    .select('nota')
    .where('pedido_id', '=', order)
    .where('nota', 'like', 'Correos: x%')
    .execute()
    .then((rows) => ({ rows }));
  expect(rows.map(({ nota }) => nota?.length)).toEqual([300]);
  expect((await admin.call(getPedido, { params: { id: order } })).body.data).toMatchObject({ motivo: 'Correos: no entregado' });
});

test('a row says what becomes of its order, and why nothing does', async () => {
  const make = () => world.pedido();
  const [unknown, silent, onWay, plain, done, doneOtherwise, broken, gone, ended] = await Promise.all(Array.from({ length: 9 }, make));
  const orders = [unknown, silent, onWay, plain, done, doneOtherwise, broken, gone, ended].map((order) => order!);
  const id = await batch(orders.map((order) => order.id));
  const complete = (order: { id: string }, more: object) =>
    admin.call(setEstado, { params: { id: order.id }, body: { estado: 'completado', metodo_entrega: 'manual', ...more } as never });
  await complete(done!, { numero_seguimiento: 'PQ1' });
  await complete(doneOtherwise!, {});
  await admin.call(setEstado, { params: { id: ended!.id }, body: { estado: 'cancelado' } });
  await sql`UPDATE pedidos SET deleted_at = now() WHERE id = ${gone!.id}`.execute(world.db);
  const delivered = { lectura: 'entregado' as const };
  const rows: [(typeof orders)[0], object, string, string][] = [
    [unknown!, { estado: 'Finalizado' }, 'no_encaja', 'No se sabe qué significa «Finalizado»: compruébalo con la empresa'],
    [silent!, {}, 'no_encaja', 'No dice si está entregado'],
    [onWay!, { lectura: 'en_camino' }, 'en_camino', 'No se da por entregado: en camino'],
    [plain!, { ...delivered }, 'completar', 'Completado'],
    [done!, { ...delivered, seguimiento: 'PQ2' }, 'no_encaja', 'Ya está completado con otro número'],
    [doneOtherwise!, { ...delivered, seguimiento: 'PQ2' }, 'no_encaja', 'Ya está completado con otra entrega, sin número'],
    [
      broken!,
      { ...delivered, seguimiento: '1,23E+10' },
      'no_encaja',
      '«1,23E+10» no es un número de seguimiento: la hoja lo ha estropeado. Escríbelo como texto',
    ],
    [gone!, { ...delivered }, 'no_encaja', 'El pedido está eliminado'],
    [ended!, { lectura: 'incidencia' }, 'incidencia', 'Comentario: no entregado'],
  ];
  const filas = rows.map(([{ numero_orden }, more]) => ({ referencia: numero_orden, ...more }));
  const more = [filas[3]!, { referencia: done!.numero_orden, ...delivered }, { referencia: 'NADA', ...delivered }];
  const { data, message } = await read(id, [...filas, ...more]);
  expect(message).toBe('1 pedido completado');
  expect(data.slice(0, 9).map(({ resultado, message }) => [resultado, message])).toEqual(rows.map(([, , ...outcome]) => outcome));
  expect(data[9]).toMatchObject({ resultado: 'igual', message: 'Repetida en el fichero' });
  expect(data[10]?.message).toBe('Del mismo pedido vale la fila 5');
  expect(data[11]).toMatchObject({ pedido_id: null, resultado: 'no_encaja', message: 'Ningún pedido de este envío tiene esa referencia' });
  const [log] = (await admin.call(listLogs, { query: { entity_type: 'envio' } })).body.data;
  expect(log?.description).toBe('Respuesta de Correos leída: 2 de 12 filas');
  // Without a number, or with the same one, it is the delivery that is known.
  for (const seguimiento of [null, 'PQ1'])
    expect((await read(id, [{ referencia: done!.numero_orden, ...delivered, seguimiento }])).data[0]?.message).toBe('Ya estaba completado');
  expect((await admin.call(getPedido, { params: { id: plain!.id } })).body.data).toMatchObject({
    estado: 'completado',
    numero_seguimiento: null,
  });
});

test('a refusal names five orders that others have, and counts the rest', async () => {
  const carrier = await world.user({ role: 'transportista', full_name: 'Luis' });
  const orders = await Promise.all(Array.from({ length: 6 }, () => world.pedido({ estado: 'asignado', transportista_id: carrier.id })));
  const refused = async (n: number) => {
    const body = { plantilla: 'correos', ids: orders.slice(0, n).map(({ id }) => id), aunque_tenga_envio: false };
    return (await admin.call(createEnvio, { body })).body.message;
  };
  expect(await refused(1)).toBe(`Ya lo tiene otro: ${orders[0]?.numero_orden} (Luis)`);
  expect((await refused(5)).match(/\(Luis\)/g)).toHaveLength(5);
  expect(await refused(5)).toMatch(/^Ya los tienen otros: .*\(Luis\)$/);
  expect(await refused(6)).toMatch(/ y 1 más$/);
  expect((await refused(6)).match(/\(Luis\)/g)).toHaveLength(5);
});
