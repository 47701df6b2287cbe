import { sql } from 'kysely';
import { type MotivoParte, PARCIAL } from '../../contract/devoluciones/fields.ts';
import { addressOf } from '../../contract/kit/address.ts';
import { type Contacto, getPruebaPublica, type PagoPublico } from '../../contract/pagar/pagar.ts';
import { failedReason } from '../../contract/pedidos/attempts.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import { situationIds } from '../../contract/pedidos/situation.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { palabrasEntrega } from '../../contract/pruebas/fields.ts';
import type { Settings } from '../../contract/settings/values.ts';
import { addressLine } from '../../contract/text/address.ts';
import { whatsappNumber } from '../../contract/text/telephone.ts';
import { type Db, transact } from '../db/open.ts';
import { shownEmail } from '../kit/email.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { notify } from '../notifications/notify.ts';
import { recordTransfer, takePayment } from '../pedidos/escritura/cobrar.ts';
import { failedAttempts } from '../pedidos/historia/attempts.ts';
import { refuseBlockedData } from '../pedidos/lectura/blocked.ts';
import { presentFull, presentLines } from '../pedidos/lectura/present.ts';
import { readPromised } from '../pedidos/lectura/promised.ts';
import { lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { trackingUrl } from '../pedidos/lectura/tracking.ts';
import { returnedLines, valuedReturns } from '../pedidos/lineas/devuelto.ts';
import { type Line, readShownLines } from '../pedidos/lineas/lineas.ts';
import { owedByReturn } from '../pedidos/pagos/overpaid.ts';
import { hasFailed, isPayable, movedTo } from '../pedidos/pagos/pagos.ts';
import { daysFor, type Postponed, postponeByLink } from '../pedidos/pasos/incident.ts';
import { allowNeighbour, customerSide, readEntrega } from '../pedidos/pruebas/entrega.ts';
import { publicPruebas } from '../pruebas/pruebas.ts';
import { readLlegada } from '../ruta/llegada.ts';
import { accountHolder, logoAddress, readSettings } from '../settings/settings.ts';
import { epcText, transferConcept } from './epc.ts';
import { findByToken, findWithRefunds, lockByToken, lockUnpaid } from './find.ts';
import { PROVIDERS } from './providers.ts';

export type Offered = { demo: boolean; open: { has: (id: string) => boolean } };
/** Smallest payment, in cents, that every provider accepts. */
const CARD_MINIMUM = 50;

/** Returns the public page of an order: summary, ways to pay, progress, refunds. Throws 404 like `findWithRefunds`. */
export async function readPago(db: Db, token: string, { demo, open }: Offered): Promise<PagoPublico> {
  const { row, devoluciones } = await findWithRefunds(db, token);
  const settings = await readSettings(db);
  const { companyIban, companyBic } = settings;
  const unpaid = isPayable(row);
  const importe_cents = row.pendiente_cents;
  const byCard = unpaid && importe_cents >= CARD_MINIMUM;
  // The settings allow spaces and lower case; ISO 13616 (IBAN) and ISO 9362 (BIC) do not.
  const iban = companyIban.replace(/\s/g, '').toUpperCase();
  const bic = companyBic.toUpperCase();
  const beneficiario = accountHolder(settings) || nameOf(settings);
  const llegada = await readLlegada(db, row, settings);
  const lines = await readShownLines(db, row.id);
  return {
    numero_orden: row.numero_orden,
    zona_horaria: settings.timezone,
    cliente_nombre: row.cliente_nombre,
    producto: row.producto,
    cantidad: row.cantidad,
    lineas: presentLines(lines).map(({ producto, cantidad, precio_total, imagen }) => ({ producto, cantidad, precio_total, imagen })),
    envio: toEuros(row.envio_cents),
    descuento: toEuros(row.descuento_cents),
    total: toEuros(row.precio_total_cents),
    pendiente: toEuros(importe_cents),
    pagado: toEuros(row.pagado_cents - row.reembolsado_cents),
    por_pagar: unpaid,
    contra_reembolso: row.contra_reembolso,
    estado: row.estado,
    fecha_pedido: row.fecha_pedido,
    fecha_estimada: row.fecha_estimada,
    fecha_si_paga: await promisedIfPaid(db, row),
    fecha_completado: row.fecha_completado,
    entrega_anulada_at: row.entrega_anulada_at,
    direccion: addressLine(row),
    ...(await readAttempts(db, row)),
    situaciones: situationIds(presentFull(SISTEMA, row, ''), { now: new Date(), zone: settings.timezone }),
    en_empresa: row.en_empresa,
    dias_posibles: await daysFor(db, row),
    aviso: row.aviso_cliente,
    numero_seguimiento: row.numero_seguimiento,
    seguimiento_url: trackingUrl(row.seguimiento_plantilla, row.numero_seguimiento),
    metodo_entrega: row.metodo_entrega,
    empresa: nameOf(settings),
    ...(await logoOf(db)),
    transferencia:
      unpaid && iban
        ? {
            beneficiario,
            iban,
            bic: bic || null,
            concepto: transferConcept(row),
            epc: epcText({ beneficiario, iban, bic, importe_cents, concepto: transferConcept(row) }),
          }
        : null,
    transferencia_avisada: row.transferencia_avisada_at !== null,
    transferencia_hasta: waitsUntil(row, settings),
    metodos: Object.fromEntries(PROVIDERS.map(({ id, methods }) => [id, byCard && open.has(id) && methods])),
    intento_fallido: unpaid && (await hasFailed(db, row)),
    devoluciones,
    ...(!row.deleted_at && (await readParcial(db, row, lines))),
    ...(await deliveryOf(db, row, settings, token)),
    // equivalent ({ llegada }): JSON leaves undefined out
    ...(llegada && { llegada }),
    contacto: contactOf(settings),
    simulador: demo && unpaid,
  };
}

/** Returns PIN, neighbour permission and the proof of delivery that the customer may see; empty in a shop without proof of delivery. */
async function deliveryOf(db: Db, row: Row, settings: Settings, token: string): Promise<Pick<PagoPublico, 'entrega'>> {
  const side = customerSide(row, settings);
  if (!side || row.deleted_at) return {};
  const entrega = await readEntrega(db, row.id);
  const texto = entrega && !row.bloqueado_at && !row.anonimizado_at ? palabrasEntrega(entrega) : null;
  const pruebas = entrega ? await publicPruebas(db, row) : [];
  const url = (id: string) => addressOf(getPruebaPublica.path, { params: { token, id } });
  return { entrega: { ...side, texto, pruebas: pruebas.map(({ id, tipo }) => ({ tipo, url: url(id) })) } };
}

/** Stores whether a neighbour may take the order. Throws 404, and like `allowNeighbour`. */
export async function letNeighbour(db: Db, token: string, permitido: boolean): Promise<void> {
  const { id } = await findByToken(db, token);
  await transact(db, async (tx) => allowNeighbour(tx, await lockPedido(tx, SISTEMA, id), permitido));
}

/** Earliest day, in the business's time zone, on which an order with a reported transfer expires. */
const waitsUntil = ({ transferencia_avisada_at: at, estado }: Row, { transferExpiryDays, timezone }: Settings): string | null =>
  at && transferExpiryDays && estado === 'pendiente_pago' ? dayIn(timezone, new Date(Date.parse(at) + transferExpiryDays * DAY)) : null;
type Row = Awaited<ReturnType<typeof findByToken>>;
const DAY = 24 * 60 * 60 * 1000;
const dayIn = (timeZone: string, at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);

const nameOf = ({ companyName }: Settings) => companyName || 'la tienda';

function contactOf({ companyPhone, companyEmail, companyWhatsapp }: Settings): Contacto {
  const number = whatsappNumber(companyWhatsapp);
  return {
    telefono: companyPhone || null,
    email: shownEmail(companyEmail) || null,
    whatsapp_url: number ? `https://wa.me/${number}` : null,
  };
}

async function logoOf(db: Db): Promise<{ logo?: string }> {
  const logo = await logoAddress(db);
  return logo ? { logo } : {};
}

export async function readEmpresa(db: Db): Promise<{ empresa: string; logo?: string; contacto: Contacto }> {
  const settings = await readSettings(db);
  return { empresa: nameOf(settings), ...(await logoOf(db)), contacto: contactOf(settings) };
}

/** Simulates a payment. Throws 404 outside the demo, 409 unless the order is unpaid. */
export async function simulatePago(db: Db, token: string, demo: boolean): Promise<void> {
  if (!demo) throw notFound();
  await transact(db, async (tx) => {
    const row = await lockUnpaid(tx, token);
    const pago = { proveedor: 'simulador', referencia: `SIM-${row.numero_orden}`, importe_cents: row.pendiente_cents };
    await takePayment(tx, SISTEMA, row, pago, 'Pago de prueba');
  });
}

/** Postpones a delivery. Throws 404; 409 if the data is blocked, or the order is not deliverable or postponed too often; 422 for a day without delivery. */
export async function postponeDelivery(db: Db, token: string, wish: Postponed): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockByToken(tx, token);
    refuseBlockedData(row, 'modificar');
    await postponeByLink(tx, row, wish);
  });
}

/** Records a reported transfer and notifies superadmins once. Throws 404, 409 unless the order is unpaid and the shop has a bank account. */
export async function reportTransfer(db: Db, token: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockUnpaid(tx, token);
    if (row.transferencia_avisada_at) return;
    const { companyIban } = await readSettings(tx);
    if (!companyIban) throw conflict('Esta tienda no cobra por transferencia: ponte en contacto con ella');
    await recordTransfer(tx, row);
    await notify(tx, {
      tipo: 'transferencia_avisada',
      texto: `Transferencia avisada: ${row.numero_orden} (${row.cliente_nombre}). Comprueba que ha llegado.`,
      roles: ['superadmin'],
      enlace: `/pedidos/${row.id}`,
      pedido_id: row.id,
      mail: true,
    });
  });
}

/** Returns the undelivered goods of a delivery in parts and the state of their money, in euros; empty for a complete delivery. */
async function readParcial(db: Db, row: PedidoRow, ordered: readonly Line[]): Promise<Pick<PagoPublico, 'parcial'>> {
  if (!row.entrega_parcial) return {};
  const found = await db
    .selectFrom('devoluciones as d')
    .leftJoin('pedidos as r', (join) => join.onRef('r.id', '=', 'd.resto_pedido_id').on('r.deleted_at', 'is', null))
    .select(['d.id', 'd.reembolso_cents', 'd.retenido_cents', 'r.numero_orden', 'r.pago_token', 'r.estado', movedTo.as('pasado_cents')])
    .select(sql<number>`valor_devolucion(d.id)`.as('valor_cents'))
    .where('d.pedido_id', '=', row.id)
    .where('d.motivo', '=', PARCIAL)
    .where('d.anulada_at', 'is', null)
    .executeTakeFirst();
  if (!found) return {};
  const left = (await returnedLines(db, [found.id])).get(found.id) ?? [];
  const { valor_cents, reembolso_cents, retenido_cents, pasado_cents, numero_orden, pago_token, estado } = found;
  const owed = owedByReturn(row, await valuedReturns(db, row.id)).get(found.id) ?? 0;
  return {
    parcial: {
      lineas: ordered.map(({ numero, producto, cantidad }) => ({
        producto,
        pedidas: cantidad,
        faltan: left.filter((row) => row.numero === numero).map((row) => ({ cantidad: row.cantidad, motivo: row.motivo as MotivoParte })),
      })),
      valor: toEuros(valor_cents),
      sin_pagar: toEuros(Math.max(0, valor_cents - reembolso_cents - retenido_cents - owed)),
      por_devolver: toEuros(owed),
      devuelto: toEuros(reembolso_cents - pasado_cents),
      pasado: toEuros(pasado_cents),
      resto: numero_orden && pago_token ? { numero_orden, url: `/pagar/${pago_token}`, cancelado: estado === 'cancelado' } : null,
    },
  };
}

type Attempts = Pick<PagoPublico, 'intentos' | 'proximo_intento'>;

/** Returns failed deliveries, oldest first, and the day of the next try; null without a failure, an answer or a carrier. */
async function readAttempts(db: Db, { id, estado, fecha_estimada, incidencia_at }: PedidoRow): Promise<Attempts> {
  const rows = await failedAttempts(db, id).execute();
  const intentos = rows.map(({ created_at, motivo }) => ({ fecha: created_at, causa: failedReason(motivo) }));
  const last = rows.at(-1);
  if (!last || incidencia_at || !EN_MANOS.includes(estado)) return { intentos, proximo_intento: null };
  // If the next working day has passed without another try, announces today or the next working day.
  const from = new Date(Math.max(Date.parse(last.created_at), Date.now() - DAY_MS)).toISOString();
  const next = await readPromised(db, from, 1);
  return { intentos, proximo_intento: fecha_estimada && fecha_estimada > next ? fecha_estimada : next };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the promised date if an unpaid order is paid now; null for an order that does not wait for payment. */
const promisedIfPaid = async (db: Db, { estado, fecha_estimada }: PedidoRow): Promise<string | null> =>
  estado === 'pendiente_pago' ? (fecha_estimada ?? (await readPromised(db))) : null;
