import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createEnvio } from '../contract/envios/envios.ts';
import { listNotifications } from '../contract/notifications/notifications.ts';
import { avisarTransferencia } from '../contract/pagar/pagar.ts';
import { anotarPago } from '../contract/payments/payments.ts';
import * as api from '../contract/pedidos/pedidos.ts';
import { SITUATION_IDS, type SituationId } from '../contract/pedidos/situations.ts';
import type { Role } from '../contract/policy/policy.ts';
import { updateSettings } from '../contract/settings/settings.ts';
import { listEvents } from '../contract/webhooks/events.ts';
import { transact } from '../server/db/open.ts';
import { readSource } from '../server/exports/read.ts';
import { changePedido } from '../server/pedidos/historia/change.ts';
import { nextWorkingDays } from '../server/pedidos/lectura/promised.ts';
import { lockPedido } from '../server/pedidos/lectura/row.ts';
import type { Client } from './client.ts';
import { dayInMadrid } from './day.ts';
import { pdfPages } from './pdf.ts';
import { settled } from './settled.ts';
import { EARLIER, makeOrder } from './situation-orders.ts';
import { CONTRADICTS } from './situations.ts';
import { createWorld, everyRole, type Person, type World } from './world.ts';

/*
 * Each situation in what leaves the screens: label, bell, mail, export, API, webhook (web/command-box/places.test.ts has the screens). A situation
 * or a place without its cells does not compile.
 */

const PLACES = ['label', 'bell', 'mail', 'export', 'api', 'webhook'] as const;
type Place = (typeof PLACES)[number];
/** `sentence`: the place holds the sentence of the situation. A pattern: these words, of the act that makes it. */
type Cell = 'sentence' | RegExp | { doesNotApply: string };
const not = (reason: string) => ({ doesNotApply: reason });

const TRAVELS = not('what may leave bears only where to');
const CLOCK = not('only the day changes, and nobody acts: lists and «Fin del día» tell it');
const OWN = not('who does it sees it, and nobody else has to act');
const QUIET = not('told in the app at once, so no mail');
const TOLD = { export: 'sentence', api: 'sentence', webhook: 'sentence' } as const;
const wordsIn = (label: Cell, bell: Cell, mail: Cell): Record<Place, Cell> => ({ label, bell, mail, ...TOLD });
const silent = (label: Cell, why: Cell) => wordsIn(label, why, why);
const both = (label: Cell, words: RegExp) => wordsIn(label, words, words);

const TABLE: Record<SituationId, Record<Place, Cell>> = {
  eliminado: {
    ...wordsIn(not('a deleted order has no label'), /ha eliminado el pedido/, QUIET),
    webhook: not('programs are not told of deleted orders, which they no longer list'),
  },
  rechazado: both(/NO SALE: El cliente lo rechazó/, /Rechazado por el cliente\. Di qué se hace con él/),
  espera_respuesta: both(/NO SALE: Por decidir/, /Ausente\. Di qué se hace con él/),
  transferencia_avisada: {
    ...both(/NO SALE: El cliente dice que ha hecho la transferencia/, /Transferencia avisada/),
    webhook: not('programs are told of the money once it is there: `pago.anotado`'),
  },
  por_reembolsar: both(TRAVELS, /Reembolso pendiente/),
  en_empresa: silent(/Con Correos/, OWN),
  recoge: wordsIn(/Lo recoge el cliente/, /Lo recogerá en la tienda/, QUIET),
  sin_pagar: silent(/NO SALE: Pendiente de pago|NO SALE: Por cobrar/, not('the customer is reminded, by the clock')),
  atrasado: silent(TRAVELS, CLOCK),
  sin_volver: silent(TRAVELS, CLOCK),
  aplazado: wordsIn(TRAVELS, /no estará: pide/, QUIET),
  intento: both(TRAVELS, /Intento de entrega fallido .*: Ausente$/),
  cargado: silent(TRAVELS, OWN),
  por_asignar: wordsIn(TRAVELS, /te ha retirado el pedido|Pedido disponible/, QUIET),
  asignado: wordsIn(TRAVELS, /Se te ha asignado/, QUIET),
  preparado: silent(TRAVELS, OWN),
  en_reparto: silent(TRAVELS, not('the customer reads it on their page')),
  por_cobrar: both(TRAVELS, /Pedido entregado/),
  cobro_en_empresa: silent(TRAVELS, OWN),
  mercancia: both(TRAVELS, /Entrega parcial/),
  entregado_en_parte: both(TRAVELS, /Entrega parcial/),
  entregado: both(TRAVELS, /Pedido entregado/),
  cancelado_fuera: wordsIn(TRAVELS, /ha cancelado el pedido|Pedido cancelado/, QUIET),
  cancelado: wordsIn(TRAVELS, /ha cancelado el pedido|Pedido cancelado/, QUIET),
};

let world: World;
let people: Record<Role, Person>;
let batch: string;
let program: Client;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  people = await everyRole(world);
  program = await world.program(['evento:read', 'pedido:read', 'pedido:prices', 'pedido:contact']);
  const settings = {
    ...{
      shipmentFiles: true,
      labelsAndLoading: true,
      partialDeliveries: true,
      maxAttempts: 2,
      notificationFrequency: 'immediate' as const,
    },
    ...{ emailNotifications: true, smtpHost: 'correo.example', companyName: 'Olivares', companyIban: 'ES9121000418450200051332' },
  };
  await people.superadmin.call(updateSettings, { body: settings });
  const { id } = await world.pedido();
  batch = (await people.superadmin.call(createEnvio, { body: { plantilla: 'correos', ids: [id], aunque_tenga_envio: false } })).body.data
    .id;
});

/** The act of a person that makes an order so; returns its id. Without one, the order is made so by hand and then touched. */
const ACTS: Partial<Record<SituationId, () => Promise<string>>> = {
  eliminado: async () => {
    const id = await order({ estado: 'asignado' });
    await done(people.superadmin.call(api.deletePedido, { params: { id } }));
    return id;
  },
  rechazado: () => moved({ estado: 'en_ruta' }, { estado: 'asignado', motivo: 'Rechazado por el cliente', llamado: 'nadie' }),
  espera_respuesta: () => moved({ estado: 'en_ruta', intentos: 1 }, { estado: 'asignado', motivo: 'Ausente', llamado: 'nadie' }),
  transferencia_avisada: async () => {
    const { id, pago_token } = await world.pedido({ estado: 'pendiente_pago' });
    await done(world.nobody().call(avisarTransferencia, { params: { token: pago_token ?? '' } }));
    return id;
  },
  por_reembolsar: () => inPart('camino', 25),
  recoge: async () => {
    const id = await order({ estado: 'asignado', incidencia_at: EARLIER });
    await done(people.superadmin.call(api.responderIncidencia, { params: { id }, body: { respuesta: 'recogida' } }));
    return id;
  },
  aplazado: async () => {
    const id = await order({ estado: 'asignado' });
    const [dia = ''] = await nextWorkingDays(world.db, 1);
    await done(people.superadmin.call(api.aplazarPedido, { params: { id }, body: { dia } }));
    return id;
  },
  intento: () => moved({ estado: 'en_ruta' }, { estado: 'asignado', motivo: 'Ausente', llamado: 'nadie' }),
  por_asignar: async () => {
    const id = await order({ estado: 'asignado' });
    await done(people.superadmin.call(api.assignTransportista, { params: { id }, body: { transportista_id: null } }));
    return id;
  },
  asignado: async () => {
    const id = await order({ transportista_id: null });
    const body = { transportista_id: people.transportista.user.id };
    await done(people.superadmin.call(api.assignTransportista, { params: { id }, body }));
    return id;
  },
  por_cobrar: () => moved({ estado: 'en_ruta' }, { estado: 'completado', metodo_entrega: 'manual' }),
  mercancia: () => inPart('camino'),
  entregado_en_parte: () => inPart('baja'),
  entregado: async () => {
    const id = await order({ estado: 'en_ruta' });
    await pay(id, 12.5);
    return moved(id, { estado: 'completado', metodo_entrega: 'manual' });
  },
  cancelado_fuera: async () => {
    const id = await order({ estado: 'en_ruta' });
    await done(people.superadmin.call(api.setEstado, { params: { id }, body: { estado: 'cancelado' } }));
    return id;
  },
  cancelado: async () => {
    const id = await order({ estado: 'asignado' });
    await done(people.superadmin.call(api.setEstado, { params: { id }, body: { estado: 'cancelado' } }));
    return id;
  },
};

async function done(reply: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await reply;
  expect([status, status < 300 ? '' : body]).toEqual([expect.any(Number), '']);
}
const order = async (fields: object): Promise<string> => {
  const [revendedor_id, transportista_id] = [people.revendedor.user.id, people.transportista.user.id];
  return (await world.pedido({ revendedor_id, transportista_id, ...fields })).id;
};
const pay = (id: string, importe: number) =>
  done(people.superadmin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: dayInMadrid() } }));
async function moved(from: object | string, body: object): Promise<string> {
  const id = typeof from === 'string' ? from : await order(from);
  await done(people.transportista.call(api.setEstado, { params: { id }, body: body as { estado: 'asignado' } }));
  return id;
}
/** A delivery of a part: the rest comes back, or is written off. */
async function inPart(rest: 'camino' | 'baja', paid = 12.5): Promise<string> {
  const id = await order({ estado: 'en_ruta', cantidad: 2 });
  await pay(id, paid);
  const motivo = rest === 'camino' ? 'rechazado' : 'danado';
  return moved(id, { estado: 'completado', metodo_entrega: 'manual', no_entregado: [{ numero: 1, cantidad: 1, motivo }] });
}

/** Every row of an order changes by itself: programs are told of the order as it is then. */
const touch = (id: string) =>
  transact(world.db, async (tx) => {
    const row = await lockPedido(tx, people.superadmin.user, id);
    await changePedido(tx, people.superadmin.user, row, { instrucciones: 'Timbre' }, { accion: 'Pedido editado', action: 'update' });
  });

const READ: Record<Place, (id: string) => Promise<string>> = {
  label: async (id) => {
    const cookie = [...people.superadmin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { rawPayload } = await world.app.inject({ method: 'GET', url: `/api/pedidos/etiquetas?ids=${id}`, headers: { cookie } });
    return pdfPages(rawPayload).join(' ').replaceAll('\n', ' ');
  },
  bell: async (id) => {
    const { numero_orden } = await world.db.selectFrom('pedidos').select('numero_orden').where('id', '=', id).executeTakeFirstOrThrow();
    const bells = await Promise.all(Object.values(people).map(async (who) => (await who.call(listNotifications)).body.data));
    return bells
      .flat()
      .filter(({ texto }) => texto.includes(numero_orden))
      .map(({ texto }) => texto)
      .join('\n');
  },
  mail: async (id) => {
    const { numero_orden } = await world.db.selectFrom('pedidos').select('numero_orden').where('id', '=', id).executeTakeFirstOrThrow();
    const mails = await world.db.selectFrom('outbox').select('payload').where('channel', '=', 'correo').execute();
    return mails
      .map(({ payload }) => String((payload as { texto?: string }).texto))
      .filter((text) => text.includes(numero_orden))
      .join('\n');
  },
  export: async (id) => {
    const [row] = await world.db.selectFrom('pedidos').select('deleted_at').where('id', '=', id).execute();
    const filtro = { ids: [id], ...(row?.deleted_at && { eliminados: 'si' as const }) };
    const rows: unknown[][] = [];
    for await (const batches of readSource(world.db, 'pedidos', { filtro } as never, false, people.superadmin.user).batches())
      rows.push(...batches);
    return String(rows[0]?.at(-1));
  },
  api: async (id) => {
    const { situacion } = (await people.superadmin.call(api.getPedido, { params: { id } })).body.data;
    return [situacion?.frase, ...(situacion?.ademas ?? [])].join('. ');
  },
  webhook: async (id) => {
    await settled(world.db);
    const events = (await program.call(listEvents, { query: { limite: 100 } })).body.data;
    const orders = events.map(({ data }) => (data as { pedido?: api.Pedido }).pedido).filter((pedido) => pedido?.id === id);
    const { situacion } = orders.at(-1) ?? {};
    return [situacion?.frase, ...(situacion?.ademas ?? [])].join('. ');
  },
};

test.each(SITUATION_IDS)('%s is told in label, bell, mail, export, API and webhook, and contradicted in none', async (situation) => {
  const act = ACTS[situation];
  const id = act ? await act() : await makeOrder(world, people, batch, situation);
  if (!act) await touch(id);
  const { situacion } = (await people.superadmin.call(api.getPedido, { params: { id } })).body.data;
  expect(situacion?.id).toBe(situation);
  for (const place of PLACES) {
    const cell = TABLE[situation][place];
    const text = (await READ[place](id)).replaceAll('\u00a0', ' ');
    const sentence = situacion?.frase.replaceAll('\u00a0', ' ');
    if (cell === 'sentence') expect([place, text.startsWith(sentence ?? '?'), text]).toEqual([place, true, text]);
    else if (cell instanceof RegExp) expect([place, text]).toEqual([place, expect.stringMatching(new RegExp(cell, 'm'))]);
    else expect([place, text]).toEqual([place, expect.not.stringMatching(/NO SALE/)]);
    expect([place, text]).toEqual([place, expect.not.stringMatching(CONTRADICTS[situation])]);
  }
});
