import { addDays } from '../day.ts';
import { insideOf, redsysSays, stripeSays } from '../paying.ts';
import { type Hands, lacking, REASON, type Row, TODAY } from './hands.ts';

const tokenOf = ({ payment_link }: Row) => payment_link.split('/').at(-1) ?? '';

/** Payments in part, too much, annulled, announced, given back and owed back, of deleted and cancelled orders, and by providers. */
export async function fillMoney(hands: Hands): Promise<void> {
  const { ask, first, order, paid, unpaid, cancel, payment, packs, nobody } = hands;
  await ask('anotarPago', { of: (await unpaid()).id, body: { metodo: 'transferencia', importe: 5, fecha: TODAY } });
  await ask('anularPago', { of: await payment((await paid()).id), body: REASON });
  const { id: over } = await paid();
  await ask('setLineas', { of: over, body: { lineas: [{ numero: 1, cantidad: 1 }] } });
  await ask('reembolsarSobra', { of: over, body: { importe: 5, referencia: 'T-1' } });
  for (const restored of [false, true]) {
    const { id } = await paid();
    await ask('deletePedido', { of: id });
    if (restored) await ask('restorePedido', { of: id });
  }
  for (const refunded of [true, false]) {
    const { id } = await paid();
    await cancel(id);
    if (refunded) await ask('devolverPago', { of: await payment(id), body: { nota: 'Hecho' } });
  }
  await ask('avisarTransferencia', { of: tokenOf(await unpaid()), by: nobody });
  await ask('setLineas', {
    of: (await order()).id,
    body: {
      lineas: [
        { numero: 1, cantidad: 1 },
        { pack_id: packs['21'], cantidad: 3 },
      ],
    },
  });

  const [wrong, right] = [await unpaid(), await unpaid()];
  await stripeSays(nobody, { id: 'evt_otro', pedido: wrong.id, importe: 1500 });
  await stripeSays(nobody, { id: 'evt_nadie', pedido: null, importe: 700 });
  for (const id of ['evt_bien', 'evt_doble']) await stripeSays(nobody, { id, pedido: right.id, importe: 2000, intento: `pi_${id}` });
  await ask('resolverPago', { of: (await first('listPagosPorRevisar')).id, body: { resolucion: 'devuelto', motivo: 'Devuelto' } });
  for (const refused of [false, true]) {
    const form = (await ask('startPago', { of: tokenOf(await unpaid()), by: nobody, body: { metodo: 'tarjeta' } })) as never as {
      fields: Record<string, string>;
    };
    const order = insideOf(form.fields.Ds_MerchantParameters).DS_MERCHANT_ORDER ?? '';
    if (refused) await redsysSays(nobody, { order, importe: 2000, response: '0190' });
  }
}

/** Rows to invoice of every kind: in a file, marked, and neither; corrections; exempt by destination; without a rate. */
export async function fillInvoices({ ask, send, order, paid, deliver, wait, packs }: Hands): Promise<void> {
  const abroad = { cliente_codigo_postal: '69001', cliente_ciudad: 'Lyon', cliente_pais: 'Francia', cliente_provincia: null };
  const islands = { cliente_codigo_postal: '35001', cliente_ciudad: 'Las Palmas', cliente_provincia: 'Las Palmas' };
  const sales: string[] = [];
  for (const iva of ['10', '21', '4', '0', 'exento'])
    sales.push(await deliver(await paid({ pack_id: packs[iva], cliente_nif: '12345678Z' })));
  await deliver(await paid(islands));
  const french = await paid({ ...abroad, cliente_nif: 'FR 40 303 265 045' });
  await ask('ponerIntracomunitaria', { body: { pedido_id: french.id, es: true } });
  await deliver(french);
  const untold = (await send('listSinTipo')) as never as { product_id: string | null; producto: string }[];
  const tipos = untold.map(({ product_id, producto }) => ({ ...(product_id ? { product_id } : { producto }), iva: '10' }));
  await ask('ponerTipos', { body: { tipos } });
  await wait("SELECT FROM facturables WHERE tipo = 'intracomunitaria'");
  await ask('ficheroFacturables', { query: { desde: addDays(TODAY, -400), hasta: TODAY } });
  const [returned = '', deleted = ''] = sales;
  const back = { lineas: [{ numero: 1, cantidad: 1, destino: 'stock' }], motivo: 'otro' };
  await ask('createDevolucion', { of: returned, body: back });
  await ask('deletePedido', { of: deleted });
  await wait("SELECT FROM facturables WHERE motivo = 'devolucion'");
  const { cursor } = await ask('listFacturables', { query: { desde: TODAY, limite: '100' } });
  const { marcadas } = (await ask('tomarFacturables', { body: { hasta: cursor, periodo: { desde: TODAY } } })) as never as {
    marcadas: number;
  };
  if (!marcadas) lacking('nothing to invoice');
  await deliver(await order({ pack_id: null, cantidad: 1, lineas: [{ producto: 'Cesta', cantidad: 1, precio_total: 20 }] }));
  await wait("SELECT FROM facturables WHERE tipo = 'sin_tipo' AND tomada_at IS NULL");
}
