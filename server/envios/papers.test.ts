import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { comprobarRespuesta, createEnvio, envioFichero, listPlantillas } from '../../contract/envios/envios.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { telephoneDigits } from '../../contract/text/telephone.ts';
import { pdfPages } from '../../test/pdf.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* What goes out keeps number, door, gate and telephone: the eighty longest addresses of real chats, made longer, on each paper. */

const ADDRESSES = readFileSync(join(import.meta.dirname, '../../web/pedidos/chat/corpus.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('=> '))
  .map((line) => line.slice(3).split('|'))
  .map(([nombre = '', telefono = '', calle = '', piso = '']) => [nombre.trim(), telefono.trim(), calle.trim(), piso.trim()] as const)
  .filter(([nombre, telefono, calle]) => nombre && telefono && /\d/.test(calle))
  .toSorted((a, b) => b.join().length - a.join().length)
  .slice(0, 80);
const BEFORE = 'Urbanización Residencial Jardines de la Constitución Española, fase segunda, ';
const NOTE =
  'Dejar en la conserjería del edificio si no hay nadie en casa. Código de la verja 4521B. Llamar antes al 611 222 333, por favor';

type Order = { id: string; numero_orden: string; address: (typeof ADDRESSES)[number] };
let world: World;
let admin: Person;
const orders: Order[] = [];
beforeAll(async () => {
  world = await createWorld();
  admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { shipmentFiles: true, labelsAndLoading: true, companyName: 'La Olivera' } });
  for (const [i, address] of ADDRESSES.entries()) {
    const [cliente_nombre, telefono, calle, cliente_direccion2] = address;
    const row = await world.pedido({
      ...{ numero_orden: `TIENDA-CENTRO-${i % 2 ? 'SUR' : 'NORTE'}-2026-${String(i >> 1).padStart(6, '0')}`, cliente_nombre },
      ...{ cliente_telefono: `${telefono}, 911 234 567`, cliente_direccion: BEFORE + calle, cliente_direccion2, instrucciones: NOTE },
    });
    orders.push({ ...row, address });
  }
  return world.close;
});

const figures = (text: string) => text.match(/\d+/g) ?? [];
const ids = () => orders.map(({ id }) => id);

test('there are eighty addresses', () => expect(ADDRESSES).toHaveLength(80));

test.each(['correos', 'mrw', 'gls', 'seur'])('the file of %s holds what finds the door, and its answer is read', async (plantilla) => {
  const { body } = await admin.call(createEnvio, { body: { plantilla, ids: ids(), aunque_tenga_envio: true } });
  expect(body.data.pedidos).toBe(orders.length);
  expect(body.avisos).toEqual([expect.stringMatching(/^No cabe entero en «Observaciones»: TIENDA-.* y 75 más$/)]);
  const company = (await admin.call(listPlantillas, {})).body.data.find(({ clave }) => clave === plantilla);
  const columnas = company?.columnas ?? [];
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const url = envioFichero.path.replace(':id', body.data.id);
  const { rawPayload } = await world.app.inject({ method: 'GET', url, headers: { cookie } });
  const text = rawPayload.toString(company?.codificacion);
  const rows = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(';').map((cell) => cell.replace(/^"|"$/g, '')));
  const at = (titulo: string) => columnas.findIndex((columna) => columna.titulo === titulo);
  for (const [i, order] of orders.toSorted((a, b) => (a.numero_orden < b.numero_orden ? -1 : 1)).entries()) {
    const row = rows[i] ?? [];
    for (const [column, { max }] of columnas.entries()) expect(row[column]?.length ?? 0).toBeLessThanOrEqual(max || 999);
    const [, telefono, calle, piso] = order.address;
    const direccion = row[at('Direccion')] ?? '';
    for (const figure of figures(`${calle} ${piso}`)) expect(direccion).toContain(figure);
    const door = piso.split(' ').at(-1) ?? '';
    if (door.length < 3) expect(direccion.endsWith(door), direccion).toBe(true);
    expect(telephoneDigits(row[at('Telefono')])).toBe(telephoneDigits(telefono));
    expect(figures(row[at('Observaciones')] ?? '')).toEqual(figures(NOTE));
  }
  const references = rows.map((row) => row[at('Referencia')] ?? '');
  expect(new Set(references).size).toBe(orders.length);
  const filas = references.map((referencia) => ({ referencia, seguimiento: null, estado: null, lectura: 'entregado' as const }));
  const { data } = (await admin.call(comprobarRespuesta, { params: { id: body.data.id }, body: { filas } })).body;
  expect(new Set(data.map(({ pedido_id }) => pedido_id)).size).toBe(orders.length);
});

test('a label holds address, telephone and note whole', async () => {
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const url = `/api/pedidos/etiquetas?ids=${ids().join(',')}`;
  const { rawPayload, statusCode } = await world.app.inject({ method: 'GET', url, headers: { cookie } });
  expect(statusCode).toBe(200);
  const words = pdfPages(rawPayload).join(' ').replace(/\s+/g, '');
  for (const { address } of orders) expect(words).toContain((BEFORE + address[2]).replace(/\s+/g, ''));
});

test('an order that no rule makes short enough stays out, by its name', async () => {
  const long = await world.pedido({ cliente_direccion: `Calle ${'1234567890 '.repeat(12)}`, numero_orden: 'ORD-LARGO' });
  const alone = await admin.call(createEnvio, { body: { plantilla: 'mrw', ids: [long.id] } });
  expect([alone.status, alone.body.message]).toEqual([409, 'Fuera del fichero, porque no cabe en «Direccion»: ORD-LARGO']);
  const { body } = await admin.call(createEnvio, {
    body: { plantilla: 'mrw', ids: [long.id, ...ids().slice(0, 1)], aunque_tenga_envio: true },
  });
  expect([body.data.pedidos, body.avisos[0]]).toEqual([1, 'Fuera del fichero, porque no cabe en «Direccion»: ORD-LARGO']);
});
