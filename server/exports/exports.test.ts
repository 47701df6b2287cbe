import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listDeEmpresas, ponerPlazo, recibirDeEmpresa } from '../../contract/caja/caja.ts';
import { cancelExport, createExport, downloadExport, listExports } from '../../contract/exports/exports.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { listPedidos, setEstado } from '../../contract/pedidos/pedidos.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { refuseWrongText } from '../../test/wrong-texts.ts';
import { buildExports, writeExport } from './build.job.ts';
import type { Cell } from './columns.ts';

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

const HOSTILE = [
  '=1+1',
  '+1+cmd',
  '-2',
  '@SUM(A1)',
  '\tx',
  '=HYPERLINK("http://mal.es")',
  '|calc',
  'ñ; "Peña"\r\ndos',
  '007',
  "'=1",
  'Peña,=1+1',
];

async function download(id: string): Promise<Uint8Array> {
  const reply = await world.app.inject({
    method: 'GET',
    url: `/api/exports/${id}/archivo`,
    headers: { cookie: [...admin.cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
  });
  expect(reply.statusCode).toBe(200);
  return reply.rawPayload;
}
async function make(body: BodyIn<typeof createExport>) {
  const { status, body: created } = await admin.call(createExport, { body });
  expect(status).toBe(201);
  await buildExports(world.db, world.open.freeRoom);
  const [record] = (await admin.call(listExports)).body.data;
  expect(record).toMatchObject({ id: created.data.id, estado: 'listo' });
  const bytes = await download(created.data.id);
  const files = bytes[0] === 'P'.charCodeAt(0) ? unzipSync(bytes) : { csv: bytes };
  for (const [name, file] of Object.entries(files)) refuseWrongText(strFromU8(file), name);
  return { record, bytes };
}

/** Returns the cells of each sheet, with type and text as stored in the file. */
function cellsOf(bytes: Uint8Array): Record<string, { type: string; text: string }[][]> {
  const files = unzipSync(bytes);
  const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const unescaped = (s: string) =>
    s
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&(apos|#39);/g, "'")
      .replace(/&#(\d+);/g, (_, n) => String.fromCharCode(Number(n)))
      .replace(/&amp;/g, '&');
  const shared = [...text('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, si = '']) =>
    unescaped([...si.matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map((m) => m[1]).join('')),
  );
  const names = [...text('xl/workbook.xml').matchAll(/<sheet [^>]*name="([^"]+)"/g)].map((m) => m[1] ?? '');
  return Object.fromEntries(
    names.map((name, i) => [
      name,
      [...text(`xl/worksheets/sheet${i + 1}.xml`).matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
        [...row.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes = '', inner = '']) => {
          const type = /t="(\w+)"/.exec(attributes)?.[1] ?? 'n';
          const value = unescaped(/<(?:v|t)[^>]*>(.*?)<\/(?:v|t)>/s.exec(inner)?.[1] ?? '');
          return {
            type: /<f>/.test(inner) ? 'FORMULA' : type === 's' || type === 'inlineStr' ? 'text' : type,
            text: type === 's' ? (shared[Number(value)] ?? '') : value,
          };
        }),
      ),
    ]),
  );
}

describe('an export', () => {
  it('an export has all matching rows, in the columns of the specification with the right cell types', async () => {
    const reseller = await world.user({ role: 'revendedor', full_name: 'Begoña' });
    for (let i = 0; i < 25; i += 1)
      await world.pedido({
        revendedor_id: reseller.id,
        cliente_nombre: `Íñigo ${i}`,
        cliente_telefono: '0034600112233',
        cliente_direccion: 'Calle Mayor 1',
        cliente_direccion2: '2.º B',
        cliente_codigo_postal: '08001',
        cliente_ciudad: 'Barcelona',
        precio_total_cents: 123456,
        fecha_pedido: '2026-03-01T23:30:00Z',
      });
    await world.pedido({ estado: 'cancelado', fecha_pedido: '2026-02-01T10:00:00Z' });
    const { bytes, record } = await make({
      conjuntos: ['pedidos', 'lineas', 'revendedores', 'transportistas'],
      formato: 'xlsx',
      filtro: { fecha_desde: '2026-03-02', fecha_hasta: '2026-03-02' },
    });
    const sheets = cellsOf(bytes);
    expect(Object.keys(sheets)).toEqual(['Pedidos', 'Líneas', 'Revendedores', 'Transportistas']);
    expect(sheets.Líneas?.length).toBe(26);
    const [header, first, ...rest] = sheets.Pedidos ?? [];
    // Columns of the specification, in order; later additions can be among them.
    const SPECIFIED = [
      'Nº de pedido',
      'Cliente',
      'Teléfono',
      'Dirección',
      'Piso / Puerta / Oficina',
      'Código Postal',
      'Ciudad',
      'Provincia / Estado',
      'País',
      'Fecha',
      'Estado',
      'Total (€)',
      'Pagado (€)',
      'Por cobrar (€)',
      'Producto',
      'Cantidad',
      'Método de entrega',
      'Nº de seguimiento',
      'Empresa de transporte',
      'Franja horaria',
      'Revendedor',
      'Transportista',
      'Envío (€)',
      'Descuento (€)',
      'Devueltos',
      'Reembolsado (€)',
    ];
    expect(header?.map((c) => c.text).filter((text) => SPECIFIED.includes(text))).toEqual(SPECIFIED);
    const { total } = (await admin.call(listPedidos, { query: { fecha_desde: '2026-03-02', fecha_hasta: '2026-03-02' } })).body;
    expect([rest.length + 1, total]).toEqual([25, 25]);
    expect(first?.[2]).toEqual({ type: 'text', text: '0034600112233' });
    // 46083 is 2 March 2026 in Excel: the order was placed on 1 March in UTC, but after midnight in Madrid.
    const cell = (title: string) => first?.[header?.findIndex(({ text }) => text === title) ?? -1];
    expect(cell('Fecha')).toEqual({ type: 'n', text: '46083' });
    expect(cell('Total (€)')).toEqual({ type: 'n', text: '1234.56' });
    expect(first?.slice(3, 7).map(({ text }) => text)).toEqual(['Calle Mayor 1', '2.º B', '08001', 'Barcelona']);
    expect(first).toContainEqual({ type: 'text', text: 'Begoña' });
    expect(record?.name).toMatch(/^enruta_export_\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}\.xlsx$/);
    expect([record?.hechas, record?.total, record?.size]).toEqual([record?.total, record?.total, bytes.length]);
  });

  it('a CSV export has the format of a Spanish Excel, in a zip for several sets', async () => {
    await world.pedido({ cliente_nombre: 'Peña; "Ñ"', precio_total_cents: 123450, fecha_pedido: '2026-03-01T12:00:00Z' });
    const { bytes } = await make({ conjuntos: ['pedidos'], formato: 'csv' });
    const text = strFromU8(bytes);
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain(';"Peña; ""Ñ""";');
    expect(text).toContain(';01/03/2026;Pendiente;1234,50;');
    const zip = await make({ conjuntos: ['pedidos', 'revendedores'], formato: 'csv' });
    expect(Object.keys(unzipSync(zip.bytes))).toEqual(['pedidos.csv', 'revendedores.csv']);
  });

  it('an export never turns text into a formula, even in ten thousand hostile cells', async () => {
    const rows = Array.from({ length: 1000 }, (_, i): Cell[] => HOSTILE.map((text) => `${text}${i}`));
    const source = {
      sheet: { name: 'Pedidos', header: HOSTILE.map((_, i) => `c${i}`), widths: [] },
      count: async () => rows.length,
      batches: async function* () {
        yield rows;
      },
    };
    const xlsx = cellsOf((await writeExport('xlsx', [source], async () => true)) ?? new Uint8Array()).Pedidos ?? [];
    expect(xlsx.flat().filter((cell) => cell.type === 'FORMULA')).toEqual([]);
    expect(xlsx.slice(1).map((row) => row.map((cell) => cell.text.replace(/\r\n/g, '\n')))).toEqual(
      rows.map((row) => row.map((text) => String(text).replace(/\r\n/g, '\n'))),
    );
    const csv = strFromU8((await writeExport('csv', [source], async () => true)) ?? new Uint8Array());
    for (const start of csv.matchAll(/(?:^|;|\r\n)"?([=+\-@\t])/g)) throw new Error(`a cell begins with ${start[1]}`);
    expect(csv).toContain(`'=1+10`);
    expect(csv).toContain(`Peña,'=1+1`);
  });

  it('an export can have the money collected at the door, by payment and by day', async () => {
    const carrier = await world.as(await world.user({ role: 'transportista', full_name: 'Nuria' }));
    for (const [cobrado_metodo, precio_total_cents] of [
      ['efectivo', 3450],
      ['tarjeta', 1000],
    ] as const) {
      const held = { estado: 'en_ruta', contra_reembolso: true, precio_total_cents, transportista_id: carrier.user.id } as const;
      const { id } = await world.pedido(held);
      const body = { estado: 'completado', metodo_entrega: 'manual', cobrado: precio_total_cents / 100, cobrado_metodo } as const;
      expect((await carrier.call(setEstado, { params: { id }, body })).status).toBe(200);
    }
    const {
      Pedidos,
      'Cobros al entregar': cobros,
      Caja,
    } = cellsOf((await make({ conjuntos: ['pedidos', 'cobros', 'caja'], formato: 'xlsx' })).bytes);
    // Counts columns from the end, because the file leaves out empty cells.
    expect(Pedidos?.map((row) => row.at(-4)?.text)).toEqual(['Contra reembolso', 'Sí', 'Sí']);
    const [day = ''] = (cobros ?? []).slice(1).map((row) => row[3]?.text);
    expect(
      cobros
        ?.slice(1)
        .map((row) => row.slice(2).map(({ text }) => text))
        .sort(),
    ).toEqual([
      ['Nuria', day, 'Efectivo', '34.5', 'No', day],
      ['Nuria', day, 'Tarjeta (datáfono)', '10', 'No'],
    ]);
    expect(Caja?.slice(1).map((row) => row.slice(0, 5).map(({ text }) => text))).toEqual([['Nuria', day, 'En mano', '1', '34.5']]);
    const before = { conjuntos: ['caja', 'cobros'], formato: 'xlsx', filtro: { fecha_hasta: '2020-01-01' } } as const;
    const none = cellsOf((await make({ ...before, conjuntos: [...before.conjuntos] })).bytes);
    expect([none.Caja?.length, none['Cobros al entregar']?.length]).toEqual([1, 1]);
  });

  it('an export can have what companies collected, with the day by which and on which they paid', async () => {
    const admin = await world.as('superadmin');
    await admin.call(ponerPlazo, { body: { empresa: 'Correos', dias: 7 } });
    for (const cents of [1700, 900]) {
      const { id } = await world.pedido({ contra_reembolso: true, precio_total_cents: cents, precio_unitario_cents: cents });
      const body = { estado: 'completado', metodo_entrega: 'correos', cobrado: cents / 100, cobrado_metodo: 'empresa' } as const;
      expect((await admin.call(setEstado, { params: { id }, body })).status).toBe(200);
    }
    const paid = (await admin.call(listDeEmpresas)).body.data.filter(({ importe }) => importe === 9).map(({ id }) => id);
    const today = dayInMadrid();
    await admin.call(recibirDeEmpresa, { body: { empresa: 'Correos', cobros: paid, recibido: 9, fecha: today } });
    const { 'Cobros de empresas': rows } = cellsOf((await make({ conjuntos: ['empresas'], formato: 'xlsx' })).bytes);
    const [day = ''] = (rows ?? []).slice(1).map((row) => row[3]?.text);
    const due = String(Number(day) + 7);
    expect(
      rows
        ?.slice(1)
        .map((row) => row.slice(2).map(({ text }) => text))
        .sort(),
    ).toEqual([
      ['Correos', day, '17', 'No', due],
      ['Correos', day, '9', 'No', due, day, '1'],
    ]);
  });

  it('a CSV export leaves telephones as they were written', async () => {
    const telephones = ['+34 600 11 22 33', '+34600112233', '+34 (91) 555-01-02'];
    for (const cliente_telefono of telephones) await world.pedido({ cliente_telefono });
    await world.pedido({ cliente_telefono: '+34+600', cliente_nombre: '+Ana' });
    const text = strFromU8((await make({ conjuntos: ['pedidos'], formato: 'csv' })).bytes);
    for (const telephone of telephones) expect(text).toContain(`;${telephone};`);
    expect(text).toContain(";'+Ana;'+34+600;");
  });

  it('an export of another superadmin is not found', async () => {
    const { record } = await make({ conjuntos: ['transportistas'], formato: 'csv' });
    const other = await world.as(await world.user({ role: 'superadmin' }));
    expect((await other.call(downloadExport, { params: { id: record?.id ?? '' } })).status).toBe(404);
    expect((await other.call(cancelExport, { params: { id: record?.id ?? '' } })).status).toBe(404);
    expect((await other.call(listExports)).body.data).toEqual([]);
  });

  it('a person has at most one running export, which can be cancelled, and the last five in the list', async () => {
    const { body } = await admin.call(createExport, { body: { conjuntos: ['pedidos'], formato: 'csv' } });
    expect((await admin.call(createExport, { body: { conjuntos: ['pedidos'], formato: 'csv' } })).status).toBe(409);
    expect((await admin.call(downloadExport, { params: { id: body.data.id } })).status).toBe(409);
    expect((await admin.call(cancelExport, { params: { id: body.data.id } })).body.data.estado).toBe('cancelado');
    await buildExports(world.db, world.open.freeRoom);
    expect((await admin.call(listExports)).body.data[0]?.estado).toBe('cancelado');
    for (let i = 0; i < 6; i += 1) await make({ conjuntos: ['transportistas'], formato: 'csv' });
    expect((await admin.call(listExports)).body.data).toHaveLength(5);
    expect(await world.db.selectFrom('exports').select('id').execute()).toHaveLength(5);
  });

  it('an export needs at least one set', async () => {
    const { status, body } = await admin.call(createExport, { body: { conjuntos: [], formato: 'csv' } });
    expect([status, body.message]).toEqual([422, 'Selecciona al menos una opción para exportar.']);
  });

  it('an export is audited', async () => {
    await make({ conjuntos: ['pedidos'], formato: 'xlsx' });
    expect(await world.db.selectFrom('audit_logs').select(['type', 'actor_user_id']).where('entity_type', '=', 'export').execute()).toEqual(
      [{ type: 'exportacion', actor_user_id: admin.user.id }],
    );
  });
});
