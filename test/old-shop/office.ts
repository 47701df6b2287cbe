import { createECDH } from 'node:crypto';
import { TOTP } from 'otpauth';
import { PHOTO, png } from '../proof.ts';
import { type Hands, lacking, PASSWORD, TODAY } from './hands.ts';

/** Imports that stand and are undone; customers that were joined, taken apart, noted and blocked, and strangers under a made-up telephone. */
export async function fillCustomers({ ask, send, first, order, customer, packs }: Hands): Promise<void> {
  for (const undone of [false, true]) {
    const filas = [1, 2].map((cantidad) => ({ ...customer(), pack_id: packs['10'], cantidad }));
    await ask('importPedidos', { body: { filas } });
    if (undone) await ask('deshacerImport', { of: (await first('listImports')).id });
  }
  for (const cliente_nombre of ['Bruno Gil', 'Dora Vela', 'Iris Ruano']) await order({ cliente_nombre, cliente_telefono: '000000000' });
  const [one = '', two = '', three = '', noted = '', blocked = ''] = (await send('listClientes')).map(({ id }) => id);
  for (const cliente_id of [two, three]) await ask('unirCliente', { of: one, body: { cliente_id } });
  await ask('separarCliente', { of: three });
  await ask('updateCliente', { of: noted, body: { nota: 'Llamar', avisar_antes: true, metadata: { 'web.id': '7' } } });
  await ask('bloquearCliente', { of: blocked, body: { motivo: 'No paga' } });
}

/** Prices, earnings, keys, webhooks, views, pictures, people, notices, exports, a backup and a recount. */
export async function fillOffice(hands: Hands): Promise<void> {
  const { ask, send, order, paid, customer, packs, products, reseller, nobody, wait, run, url } = hands;
  const { user } = (await ask('getUser', { by: reseller })) as never as { user: { id: string } };
  const body = { ...customer(), pack_id: packs['10'], cantidad: 1, metadata: { 'web.id': '8' } };
  await ask('createPedido', { by: reseller, body, headers: { 'idempotency-key': 'pedido-web-1' } });
  await ask('setPrecio', { of: packs['10'] ?? '', body: { revendedor_id: user.id, desde: TODAY, precio: 8 } });
  await ask('setGanancia', { of: user.id, body: { margen: { tipo: 'porcentaje', valor: 10 }, iban: 'ES9121000418450200051332' } });
  await ask('crearAjuste', { body: { user_id: user.id, importe: 5, nota: 'Acordado' } });
  await ask('addComentario', {
    of: (await order({ fecha_estimada: '2026-12-24', metadata: { 'web.id': '9' } })).id,
    body: { texto: 'Llamar antes' },
  });
  for (const nombre of ['ERP', 'Antigua']) {
    const { id, clave } = await send('createApiKey', { body: { nombre, acciones: ['pedido:list', 'pedido:read'] } });
    const used = await fetch(`${url}/api/pedidos`, { headers: { authorization: `Bearer ${clave}` } });
    if (!used.ok) lacking(`a key: ${used.status}`);
    if (nombre === 'Antigua') await ask('revokeApiKey', { of: id });
  }
  const eventos = ['pedido.creado', 'pago.anotado'];
  const hook = await send('createWebhook', { body: { url: 'http://127.0.0.1:9/avisos', eventos, con_precios: true } });
  await send('createWebhook', { body: { url: 'http://127.0.0.1:9/otros', eventos: ['backup.failed'], descripcion: 'Aviso de copias' } });
  await paid();
  await wait('SELECT FROM events');
  await ask('updateWebhook', { of: hook.id, body: { is_active: false } });
  for (const compartida of [true, false]) {
    const view = {
      lista: 'pedidos',
      nombre: `Por cobrar ${compartida}`,
      consulta: { pagado: 'no' },
      columnas: ['numero_orden'],
      compartida,
    };
    const { id } = await send('createVista', { body: view });
    await ask('preferVista', { body: { lista: 'pedidos', vista_id: id } });
  }
  await ask('setLogo', { body: { logo: Buffer.concat([png(), Buffer.from('0000000049454e44ae426082', 'hex')]).toString('base64') } });
  await ask('setPicture', { of: products['10'] ?? '', body: { picture: PHOTO.toString('base64') } });
  await ask('ajustarStock', { of: products['10'] ?? '', body: { unidades: 5, nota: 'Recuento' } });
  await ask('inviteUser', { body: { full_name: 'Rita Sanz', email: 'rita@tienda.es', username: null, role: 'revendedor' } });
  const left = { full_name: 'Paco Fue', email: 'paco@tienda.es', username: null, role: 'revendedor', password: PASSWORD };
  await ask('deleteUser', { of: (await send('createUser', { body: left })).id });
  await fillAccount(hands);
  await ask('readNotifications', { body: {} });
  const wrong = { email: 'admin@demo.enruta.es', password: 'no es esta' };
  await nobody.request('POST', '/api/login', { body: wrong });
  for (const formato of ['csv', 'xlsx']) {
    await ask('createExport', { body: { conjuntos: ['pedidos'], formato } });
    await wait(`SELECT FROM exports WHERE estado = 'listo' AND formato = '${formato}'`);
  }
  await ask('createBackup');
  await ask('startCuadre');
  await wait("SELECT FROM backups WHERE estado = 'verificada'");
  await wait('SELECT FROM cuadres');
  // What a disk that was full for an hour left.
  await run("INSERT INTO job_failures (name, reason) VALUES ('limpieza', 'Sin sitio en el disco')");
}

/** A carrier's telephone, second factor and recovery codes. */
async function fillAccount({ ask, order, take, cancel, carrier, wait }: Hands): Promise<void> {
  const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) };
  await ask('subscribePush', { by: carrier, body: { endpoint: 'https://push.example.com/send/1', keys } });
  await cancel(await take(await order()));
  await wait("SELECT FROM outbox WHERE channel = 'push'");
  await ask('proveIdentity', { by: carrier, body: { password: PASSWORD } });
  const { secret } = await ask('startSecondFactor', { by: carrier });
  await ask('confirmSecondFactor', { by: carrier, body: { code: new TOTP({ secret }).generate() } });
}
