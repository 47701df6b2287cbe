import { PHOTO, SIGNATURE, sha256 } from '../proof.ts';
import { AT_DOOR, CASH, type Hands, lacking, MISSING, REASON, TODAY } from './hands.ts';

/** Cash of every state: a closed round, one that waits for the office, and what the carrier still holds; card and Bizum at the door. */
export async function fillCash({ ask, send, order, take, deliver, cancel, payment, carrier, carrierId }: Hands): Promise<void> {
  for (const confirmed of [true, false]) {
    await deliver(await order(AT_DOOR), CASH);
    await ask('entregarCaja', { body: { dia: TODAY, contado: 20, motivo: null }, by: carrier });
    const cajas = await send('listCajas', { query: { transportista_id: carrierId } });
    const caja = cajas.find(({ estado }) => estado === 'entregada')?.caja_id;
    if (confirmed) await ask('confirmarCaja', { of: String(caja), body: { recibido: 19, motivo: 'Falta un euro' } });
  }
  await deliver(await order(AT_DOOR), CASH);
  const doors: string[] = [];
  for (let n = 0; n < 3; n += 1) doors.push(await payment(await deliver(await order(AT_DOOR), { ...CASH, cobrado_metodo: 'bizum' })));
  const [found = '', never = ''] = doors;
  await ask('comprobarCobros', { body: { cobros: [found] } });
  await ask('cobroSinLlegar', { of: never, body: REASON });
  for (const registered of [true, false]) {
    const id = await take(await order(AT_DOOR));
    await cancel(id);
    const report = { pedido_id: id, paso: 'completar', ocurrido: new Date().toISOString(), ...CASH, cobrado_metodo: 'bizum' };
    await ask('contarNoAceptado', { by: carrier, body: report });
    const waits = (await send('listSinRegistrar')).find(({ pedido_id }) => pedido_id === id) ?? lacking('nothing to register');
    if (registered) await ask('registrarLoQuePaso', { of: waits.id });
  }
}

/** A loaded van with its route, every step on the way, attempts, proofs and parcels of a company. */
export async function fillRoad(hands: Hands): Promise<void> {
  const { ask, send, order, paid, take, move, carrier } = hands;
  const van = [await take(await order()), await take(await paid())];
  const [loaded = ''] = van;
  await ask('cargarPedido', { of: loaded, body: { cargado: true }, by: carrier });
  const stops = { pedidos: van, primera: van[0], ultima: van[1], ocurrido: new Date().toISOString() };
  await ask('guardarRuta', { by: carrier, body: stops });
  await move(await take(await order()), 'en_proceso');
  await move(await take(await order()), 'en_ruta');
  for (const respuesta of [undefined, 'recogida']) {
    const id = await take(await paid());
    for (let n = 0; n < 3; n += 1) {
      await move(id, 'en_ruta');
      await move(id, 'asignado', { paso: 'fallar', motivo: 'Ausente', ocurrido: new Date().toISOString() });
    }
    if (respuesta) await ask('responderIncidencia', { of: id, body: { respuesta } });
  }
  const away = await paid();
  await ask('permitirVecino', { of: away.payment_link.split('/').at(-1) ?? '', by: hands.nobody, body: { permitido: true } });
  await fillProofs(hands);
  const [answered, failed, out, waits] = [await paid(), await paid(), await paid(), await paid()];
  await ask('createEnvio', { body: { plantilla: 'correos', ids: [answered, failed, out, waits].map(({ id }) => id) } });
  await ask('sacarDeEnvio', { body: { ids: [out.id] } });
  const filas = [
    { referencia: answered.numero_orden, seguimiento: 'PQ4F8A0400010127', estado: 'Entregado' },
    { referencia: failed.numero_orden, seguimiento: 'PQ4F8A0400010128', estado: 'Ausente' },
    { referencia: 'WEB-20931', seguimiento: 'PQ4F8A0400010129', estado: 'Entregado' },
  ];
  const envio = (await send('listEnvios')).find((batch) => Number(batch.sacados) > 0) ?? lacking('no batch');
  await ask('leerRespuesta', { of: envio.id, body: { filas } });
  const gls = (await send('listPlantillas')).find(({ clave }) => clave === 'gls') ?? lacking('no template');
  const { clave, nombre: _, metodo_entrega: __, version: ___, ...format } = gls;
  await ask('updatePlantilla', { of: clave, body: { ...format, con_titulos: !format.con_titulos, coma_decimal: !format.coma_decimal } });
}

/** Proofs that are whole, lack a file, and are withdrawn with the person; a person who is blocked. */
async function fillProofs({ ask, paid, deliver, carrier }: Hands): Promise<void> {
  const files = [
    { tipo: 'firma', bytes: SIGNATURE, mime: 'image/png' },
    { tipo: 'foto', bytes: PHOTO, mime: 'image/jpeg' },
  ];
  const pruebas = files.map(({ tipo, bytes }) => ({ tipo, sha256: sha256(bytes) }));
  for (const become of ['whole', 'lacking', 'withdrawn']) {
    const id = await deliver(await paid(), {
      forma_entrega: 'otra_persona',
      receptor_nombre: 'Eva',
      receptor_relacion: 'familiar',
      pruebas,
    });
    for (const { bytes, mime } of files.slice(become === 'lacking' ? 1 : 0))
      await ask('sendPrueba', { of: id, body: bytes, by: carrier, headers: { 'content-type': mime } });
    if (become === 'withdrawn') await ask('anonimizar', { body: { pedidos: [id], ...REASON, confirmacion: 'ANONIMIZAR' } });
  }
  await ask('bloquear', { body: { pedidos: [await deliver(await paid())], ...REASON } });
}

/** Returns that wait, are refunded, kept, moved and annulled; undelivered parts that wait, were asked again, received and written off. */
export async function fillReturns({ ask, first, order, paid, deliver }: Hands): Promise<void> {
  const back = { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }], motivo: 'otro' };
  const returned = async (more: object = {}) =>
    (await ask('createDevolucion', { of: await deliver(await paid()), body: { ...back, ...more } })).data.id;
  await returned();
  await ask('reembolsarDevolucion', { of: await returned(), body: { reembolso: 10, referencia: 'T-2' } });
  await ask('retenerDevolucion', { of: await returned(), body: { importe: 4, motivo: 'Roto' } });
  await ask('moverDevolucion', { of: await returned(), body: { numero_orden: (await order()).numero_orden } });
  await ask('anularDevolucion', { of: await returned({ reembolso: 10 }), body: REASON });
  const parts: string[] = [];
  for (let n = 0; n < 4; n += 1) parts.push((await first('listDevoluciones', { of: await deliver(await paid(), MISSING) })).id);
  const [rest = '', stock = '', lost = ''] = parts;
  await ask('pedirResto', { of: rest });
  await ask('recibirDevolucion', { of: stock, body: { destino: 'stock' } });
  await ask('recibirDevolucion', { of: lost, body: { destino: 'baja', motivo: 'Rotas' } });
}
