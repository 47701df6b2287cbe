import { beforeEach, expect, it } from 'vitest';
import * as api from '../../contract/caja/caja.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { contarNoAceptado } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import { admin, carrier, world, worldForEachTest } from '../../test/roles-world.ts';
import { hearing, mailed, withMail } from '../../test/told.ts';

/* Who is told of each act of the Caja: open screens at once, and people by mail. */

worldForEachTest();
beforeEach(() => withMail(world, { cashOnDelivery: true }));

const TODAY = dayInMadrid();
const carried = () =>
  world.pedido({ estado: 'en_ruta', contra_reembolso: true, precio_total_cents: 1000, transportista_id: carrier.user.id });
async function collect(cobrado_metodo: 'efectivo' | 'bizum' | 'empresa') {
  const { id } = await carried();
  const how = cobrado_metodo === 'empresa' ? ('mrw' as const) : ('manual' as const);
  const body = { estado: 'completado', metodo_entrega: how, cobrado: 10, cobrado_metodo } as const;
  expect((await carrier.call(setEstado, { params: { id }, body })).status).toBe(200);
  return id;
}
const OFFICE = 'caja superadmin';
const both = () => `${OFFICE} ${carrier.user.id}`;

it('cash that is handed over, received and confirmed', async () => {
  await collect('efectivo');
  let id = '';
  const handOver = async () => {
    const { body } = await carrier.call(api.entregarCaja, { body: { dia: TODAY, contado: 10, motivo: null } });
    id = body.data.caja_id ?? '';
  };
  const confirm = () => admin.call(api.confirmarCaja, { params: { id }, body: { recibido: 9, motivo: 'Falta' } });
  expect(await mailed(world, () => hearing(world, [both()], handOver))).toEqual([admin.user.email]);
  expect(await mailed(world, () => hearing(world, [both()], confirm))).toEqual([carrier.user.email]);
  await collect('efectivo');
  const body = { transportista_id: carrier.user.id, dia: TODAY, recibido: 10, motivo: null };
  const receive = () => admin.call(api.recibirCaja, { body });
  expect(await mailed(world, () => hearing(world, [both()], receive))).toEqual([carrier.user.email]);
});

it('payments that are found, or never arrived', async () => {
  for (let i = 0; i < 2; i += 1) await collect('bizum');
  const [first, second] = (await admin.call(api.listCobros)).body.data.map(({ id }) => id);
  const find = () => admin.call(api.comprobarCobros, { body: { cobros: [first ?? ''] } });
  const never = () => admin.call(api.cobroSinLlegar, { params: { id: second ?? '' }, body: { motivo: 'No está' } });
  expect(await mailed(world, () => hearing(world, [OFFICE], find))).toEqual([]);
  expect(await mailed(world, () => hearing(world, [OFFICE], never))).toEqual([carrier.user.email]);
});

it('the money of companies: its term, its remittance and what undoes that', async () => {
  await collect('empresa');
  await hearing(world, [OFFICE], () => admin.call(api.ponerPlazo, { body: { empresa: 'MRW', dias: 3 } }));
  const [cobro] = (await admin.call(api.listDeEmpresas)).body.data;
  const body = { empresa: 'MRW', cobros: [cobro?.id ?? ''], recibido: 10, comision: 0, fecha: TODAY, referencia: null };
  await hearing(world, [OFFICE, 'pedidos superadmin'], () => admin.call(api.recibirDeEmpresa, { body }));
  const [remesa] = (await admin.call(api.listDeEmpresas)).body.remesas;
  const undo = () => admin.call(api.deshacerRemesa, { params: { id: remesa?.id ?? '' } });
  await hearing(world, [OFFICE, 'pedidos superadmin'], undo);
});

it('the money of refused deliveries, and the same money again', async () => {
  const { id } = await carried();
  await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
  const register = async () => {
    const body = { pedido_id: id, paso: 'completar', ocurrido: new Date().toISOString(), cobrado: 10, cobrado_metodo: 'efectivo' } as const;
    expect((await carrier.call(contarNoAceptado, { body })).status).toBe(200);
    const [waits] = (await admin.call(api.listSinRegistrar)).body.data;
    let message = '';
    const act = async () => {
      message = (await admin.call(api.registrarLoQuePaso, { params: { id: waits?.id ?? '' } })).body.message;
    };
    const mails = await mailed(world, () => hearing(world, [both()], act));
    return [message, mails];
  };
  expect(await register()).toEqual(['Registrado: el cobro está en Caja', [admin.user.email]]);
  expect(await register()).toEqual(['Ese cobro ya estaba apuntado: no se apunta otra vez', []]);
});
