import { sql } from 'kysely';
import type { comprobarRemesa, FilaRemesa, FilaRemesaLeida, leerRemesa } from '../../contract/caja/caja.ts';
import { bareReferencia } from '../../contract/envios/fields.ts';
import { envioReferences } from '../../contract/envios/plantilla.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { POR_DEVOLVER, POR_EMPRESA } from '../../contract/payments/fields.ts';
import { TRANSITIONS } from '../../contract/pedidos/flow.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, DomainError } from '../kit/errors.ts';
import { inEuros, toCents, toEuros } from '../kit/money.ts';
import { lockPedido } from '../pedidos/lectura/row.ts';
import { collectedBy, withCompany } from '../pedidos/pagos/cash.ts';
import { takeBackRemitted } from '../pedidos/pagos/collect.ts';
import { notifyRefundsDue } from '../pedidos/pagos/overpaid.ts';
import { annulIn, recordPago } from '../pedidos/pagos/pagos.ts';
import { applyTransition } from '../pedidos/pasos/transition.ts';
import { closeRemesa, remesaNumber } from './companies.ts';
import { type Candidate, type Classified, classifyRows, type HeldPayment } from './remittance-rows.ts';

/* A company's sheet of remittance: what agrees is booked at once, of every other row a person says what it is. */

const asRows = (filas: readonly FilaRemesa[]) =>
  filas.map(({ referencia, seguimiento, importe }) => ({ referencia, seguimiento, cents: toCents(importe) }));

/** Days in which a payment that was remitted before is recognised by other writings of its number. */
const REMITTED_DAYS = 120;

/** Returns the orders that rows may be of: those whose money companies have or have paid lately, those that companies have, those named exactly. */
async function candidatesFor(db: Db | Tx, empresa: string, filas: readonly FilaRemesa[]): Promise<Candidate[]> {
  const named = [...new Set(filas.flatMap(({ referencia, seguimiento }) => [referencia, seguimiento ?? '']))].filter(Boolean);
  const upper = named.map((text) => text.toUpperCase());
  type Row = Omit<Candidate, 'keys'> & { seguimiento: string | null };
  const { rows } = await sql<Row>`
    SELECT p.id, p.numero_orden AS numero, p.numero_seguimiento AS seguimiento, p.en_empresa,
      CASE WHEN p.deleted_at IS NULL AND p.estado IN (${sql.join(TRANSITIONS.completar.from)}) THEN p.por_cobrar_cents END AS due,
      coalesce((SELECT json_agg(json_build_object('id', g.id, 'empresa', g.empresa, 'cents', g.importe_cents,
          'remesa', (SELECT ${remesaNumber} FROM remesas r WHERE r.id = g.remesa_id),
          'reversible', g.estado IN ('pagado', ${sql.join(POR_DEVOLVER)})) ORDER BY g.created_at, g.id)
        FROM pagos g WHERE g.pedido_id = p.id AND g.empresa IS NOT NULL AND g.estado <> 'anulado'), '[]') AS pagos
    FROM pedidos p WHERE p.id IN (
      SELECT pedido_id FROM pagos WHERE ${withCompany}
      UNION SELECT pedido_id FROM pagos WHERE remesa_id IN (SELECT id FROM remesas WHERE fecha > dia_negocio(now()) - ${sql.lit(REMITTED_DAYS)})
      UNION SELECT id FROM pedidos WHERE en_empresa_at IS NOT NULL AND deleted_at IS NULL
      UNION SELECT id FROM pedidos WHERE numero_orden = ANY (${upper}::text[])
      UNION SELECT id FROM pedidos WHERE numero_seguimiento = ANY (${named}::text[]))
    ORDER BY p.id`.execute(db);
  const plantillas = await db.selectFrom('plantillas_envio').select('columnas').where('nombre', '=', empresa).execute();
  return rows.map(({ seguimiento, ...order }) => {
    const references = plantillas.flatMap(({ columnas }) => envioReferences(columnas, order.numero));
    return { ...order, keys: [order.numero, seguimiento ?? '', ...references].map(bareReferencia).filter(Boolean) };
  });
}

/** Returns what each row is and what may be said of it. */
export async function checkSheet(db: Db, { empresa, filas }: BodyOut<typeof comprobarRemesa>): Promise<FilaRemesaLeida[]> {
  const results = classifyRows(empresa, asRows(filas), await candidatesFor(db, empresa, filas));
  return results.map(({ clase, message, formas, order }, fila) => {
    const { referencia, importe } = filas[fila] as FilaRemesa;
    return { fila, referencia, importe, clase, message, formas: [...formas], pedido_id: order?.id ?? null };
  });
}

/**
 * Notes a remittance by the rows of its sheet. Throws 409 for a row of which nobody has said what it is, such as one that a colleague has read
 * meanwhile, and if the company takes back more than it pays.
 */
export const readSheet = (db: Db, actor: Actor, input: BodyOut<typeof leerRemesa>): Promise<string> =>
  transact(db, async (tx) => {
    const { empresa, filas, fecha, referencia } = input;
    const before = await candidatesFor(tx, empresa, filas);
    const concerned = classifyRows(empresa, asRows(filas), before).flatMap(({ order }) => order?.id ?? []);
    await sql`SELECT id FROM pedidos WHERE id = ANY (${concerned}::uuid[]) ORDER BY id FOR UPDATE`.execute(tx);
    const results = classifyRows(empresa, asRows(filas), await candidatesFor(tx, empresa, filas));
    const sum = new Sum(tx, actor, empresa);
    // Reversals first: the payment that one takes back in this file is not received.
    for (const [i, result] of [...results.entries()].sort(
      ([, a], [, b]) => Number(b.clase === 'negativa') - Number(a.clase === 'negativa'),
    ))
      await sum.add(filas[i] as FilaRemesa, result, i);
    sum.commission += toCents(input.comision);
    const recibido_cents = sum.received - sum.commission;
    if (recibido_cents < 0) throw conflict(`${empresa} descuenta más de lo que paga: anótalo con la liquidación siguiente`);
    if (sum.rows === 0) throw conflict('Ninguna fila queda por anotar');
    const aparte = sum.apart.map(({ referencia, cents, motivo }) => ({ referencia, importe: toEuros(cents), motivo }));
    const aparte_cents = sum.apart.reduce((all, { cents }) => all + cents, 0);
    const amounts = { recibido_cents, comision_cents: sum.commission, aparte_cents, aparte: JSON.stringify(aparte) };
    await closeRemesa(tx, actor, { empresa, fecha, referencia, ...amounts }, sum.paid);
    return `Recibido de ${empresa}: ${inEuros(recibido_cents)} de ${plural(sum.paid.length, 'cobro')}`;
  });

/** What the rows of a sheet add up to, in cents; `received` is before the commission. */
class Sum {
  received = 0;
  commission = 0;
  rows = 0;
  readonly paid: string[] = [];
  readonly apart: { referencia: string; cents: number; motivo: string }[] = [];
  /** Payments that the company has taken back in the same sheet. */
  readonly #undone = new Set<string>();
  readonly #tx: Tx;
  readonly #actor: Actor;
  readonly #empresa: string;

  constructor(tx: Tx, actor: Actor, empresa: string) {
    this.#tx = tx;
    this.#actor = actor;
    this.#empresa = empresa;
  }

  async add(fila: FilaRemesa, { clase, message, formas, order, pago }: Classified, i: number): Promise<void> {
    const { forma, referencia } = fila;
    const cents = toCents(fila.importe);
    const isExact = clase === 'exacta';
    if (!isExact && (!forma || !formas.includes(forma)))
      throw conflict(`Fila ${i + 1} (${referencia}): ${message}. Vuelve a comprobarla`, 'lista');
    if (forma === 'fuera' && !isExact) return;
    this.rows += 1;
    this.received += cents;
    this.commission += toCents(fila.comision);
    const setApart = (part: number) => this.apart.push({ referencia: order?.numero ?? referencia, cents: part, motivo: message });
    if (isExact && pago) {
      // Both rows together are nothing.
      if (!this.#undone.has(pago.id)) this.paid.push(pago.id);
    } else if (clase === 'negativa' && forma === 'apuntar' && pago) await this.#takeBack(pago, cents, setApart);
    else if (clase === 'distinta' && pago && forma !== 'apuntar') {
      this.paid.push(pago.id);
      if (forma === 'comision') {
        // The row is what is left of the payment.
        this.received += pago.cents - cents;
        this.commission += pago.cents - cents;
      } else setApart(cents - pago.cents);
    } else if (forma === 'aparte') setApart(cents);
    else if (order) this.paid.push(await this.#correct(clase, order, pago, cents, i));
  }

  async #takeBack(pago: HeldPayment, cents: number, setApart: (part: number) => void): Promise<void> {
    const nota = `${this.#empresa} lo descuenta en su liquidación`;
    if (pago.remesa !== null) {
      await takeBackRemitted(this.#tx, this.#actor, pago.id, nota);
      setApart(cents);
      return;
    }
    await annulIn(this.#tx, this.#actor, pago.id, nota);
    this.#undone.add(pago.id);
  }

  /** Makes the order agree with the row; returns the payment that the company brings. Throws 409, with the row's number. */
  async #correct(
    clase: Classified['clase'],
    { id, numero }: Candidate,
    pago: HeldPayment | undefined,
    cents: number,
    i: number,
  ): Promise<string> {
    const [tx, empresa] = [this.#tx, this.#empresa];
    try {
      if (clase === 'otra_empresa' && pago) {
        await collectedBy(tx, pago.id, empresa);
        return pago.id;
      }
      if (clase === 'distinta' && pago) {
        const { fecha } = await tx.selectFrom('pagos').select('fecha').where('id', '=', pago.id).executeTakeFirstOrThrow();
        const before = await annulIn(tx, this.#actor, pago.id, `${empresa} cobró ${inEuros(cents)}`);
        const collected = { proveedor: POR_EMPRESA, referencia: '', importe_cents: cents, empresa, al_entregar: true, fecha } as const;
        await recordPago(tx, before, { ...collected, estado: 'pagado' });
        await notifyRefundsDue(tx, [{ before, after: await lockPedido(tx, this.#actor, id) }]);
      } else await this.#deliver(id, cents);
      return await this.#payment(id);
    } catch (error) {
      if (!(error instanceof DomainError) || error.status >= 500) throw error;
      throw conflict(`Fila ${i + 1} (${numero}): ${error.message}`, 'lista');
    }
  }

  async #deliver(id: string, cents: number): Promise<void> {
    const row = await lockPedido(this.#tx, this.#actor, id);
    const plantilla = this.#tx.selectFrom('plantillas_envio').select('metodo_entrega').where('nombre', '=', this.#empresa);
    const { metodo_entrega = 'otro' } = (await plantilla.executeTakeFirst()) ?? {};
    const by = metodo_entrega === 'otro' ? { metodo_entrega, empresa_transporte: this.#empresa } : { metodo_entrega };
    const input = { name: 'completar', ...by, cobrado: toEuros(cents), cobrado_metodo: POR_EMPRESA } as const;
    await applyTransition(this.#tx, this.#actor, row, input);
    // The order may have been in the hands of another company.
    await collectedBy(this.#tx, await this.#payment(id), this.#empresa);
  }

  /** The payment that the company has of an order. */
  async #payment(pedido_id: string): Promise<string> {
    const latest = this.#tx.selectFrom('pagos').select('id').where('pedido_id', '=', pedido_id).where(withCompany);
    return (await latest.orderBy('created_at', 'desc').executeTakeFirstOrThrow()).id;
  }
}
