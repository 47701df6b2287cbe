import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { EstadoInput } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can, rolesOf, SISTEMA } from '../../../contract/policy/policy.ts';
import {
  faltaPermiso,
  MAX_PIN_FALLOS,
  palabrasEntrega,
  palabrasSinComprobar,
  type SinComprobar,
} from '../../../contract/pruebas/fields.ts';
import { missingProofs, type ReglasEntrega } from '../../../contract/pruebas/pruebas.ts';
import { reglasDe } from '../../../contract/settings/entrega.ts';
import type { Settings } from '../../../contract/settings/values.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Anunciada } from '../../db/schema.ts';
import { conflict, DomainError, invalid } from '../../kit/errors.ts';
import { notify } from '../../notifications/notify.ts';
import { ANSWERS, limitRate } from '../../repeats/bounds.ts';
import { readSettings } from '../../settings/settings.ts';
import { ZONE } from '../../settings/zone.ts';
import { changePedido } from '../historia/change.ts';
import { type Happened, isLate } from '../historia/happened.ts';
import type { PedidoRow, StoredPedido } from '../lectura/row.ts';

type Row = Pick<StoredPedido, 'id' | 'numero_orden' | 'pago_token' | 'vecino_at' | 'entrega_anulada_at'>;

/** Returns the history note of a delivery, with the reason for a missing PIN and the proofs that a late delivery lacks. */
export const deliveryNote = (body: EstadoInput, lacks: readonly SinComprobar[]): string | null =>
  [palabrasEntrega(body), body.motivo, palabrasSinComprobar(lacks)].filter(Boolean).join('. ') || null;

/** Refusal of a wrong PIN (whose count must be committed), or the proofs that the recorded delivery lacks. */
export type Delivery = DomainError | readonly SinComprobar[];

/**
 * Records the delivery of a locked order with the proof that the settings require (decision 057); nothing in a shop without proof. Throws 422 naming what
 * is missing. Accepts a late delivery without proof, because the carrier has left the door (decision 091).
 */
export async function recordEntrega(tx: Tx, actor: Actor, row: Row, body: EstadoInput, happened: Happened | undefined): Promise<Delivery> {
  const reglas = reglasDe(await readSettings(tx));
  if (!reglas) return [];
  const own = tx.selectFrom('entregas').select('pin_fallos').where('pedido_id', '=', row.id).where('anulada_at', 'is', null);
  const known = await own.executeTakeFirst();
  const fallos = known?.pin_fallos ?? 0;
  const pin = pinOf(row);
  const permission = faltaPermiso(body, { vecino: row.vecino_at !== null });
  const missing = can(actor, 'pedido:without-proof') ? {} : missingProofs(reglas, body, { fallos, tienePin: pin !== null });
  // Ignores the PIN once the tries are used up, to prevent guessing.
  const tried = fallos < MAX_PIN_FALLOS ? body.pin : null;
  const isWrong = !!tried && tried !== pin;
  const untried: Record<string, string> = body.pin && !tried && !body.motivo ? { motivo: NO_MORE_TRIES } : {};
  const late = isLate(body.ocurrido);
  if (!late) {
    refuse(permission);
    refuse(missing);
    if (isWrong) return countWrong(tx, actor, row, fallos);
    refuse(untried);
  }
  const lacks = lackOf(permission, { ...missing, ...untried, ...(isWrong && { pin: 'wrong' }) });
  const { forma_entrega = null, receptor_nombre = null, receptor_relacion = null, pruebas = [] } = body;
  const values = {
    forma_entrega,
    receptor_nombre,
    receptor_relacion: forma_entrega === 'otra_persona' ? receptor_relacion : null,
    pin_correcto: tried ? !isWrong : null,
    ...(isWrong && { pin_fallos: fallos + 1 }),
    sin_comprobar: lacks,
    anunciadas: JSON.stringify(pruebas),
    entregada_at: happened?.at ?? new Date().toISOString(),
  };
  await tx
    .insertInto('entregas')
    .values({ pedido_id: row.id, ...values })
    .onConflict((at) => at.column('pedido_id').where('anulada_at', 'is', null).doUpdateSet(values))
    .execute();
  return lacks;
}

const LACK: Readonly<Record<string, SinComprobar>> = {
  forma_entrega: 'forma',
  receptor_nombre: 'receptor',
  receptor_relacion: 'receptor',
  firma: 'firma',
  foto: 'foto',
  pin: 'pin',
  motivo: 'pin',
};

function lackOf(permission: object, missing: object): SinComprobar[] {
  const lacks = Object.keys(missing).flatMap((name) => LACK[name] ?? []);
  return [...new Set<SinComprobar>([...(Object.keys(permission).length > 0 ? (['vecino'] as const) : []), ...lacks])];
}

/** Notifies superadmins of a late delivery with missing proof. */
export async function notifyUnchecked(tx: Tx, actor: Actor, { id, numero_orden }: PedidoRow, at: string, lacks: readonly SinComprobar[]) {
  if (lacks.length === 0) return;
  const { hora } = await tx
    .selectNoFrom(sql<string>`to_char(${at}::timestamptz AT TIME ZONE ${ZONE}, 'DD/MM HH24:MI')`.as('hora'))
    .executeTakeFirstOrThrow();
  await notify(tx, {
    tipo: 'entrega_sin_comprobar',
    texto: `${actor.full_name} entregó ${numero_orden} sin cobertura (${hora}) y queda como entregado: ${palabrasSinComprobar(lacks)}`,
    enlace: `/pedidos/${id}`,
    roles: ['superadmin'],
    except: actor.id,
    pedido_id: id,
    mail: true,
  });
}

/** Returns the files announced by a step; empty in a shop without proof. */
export const announcedFiles = async (tx: Tx, { pruebas = [] }: Pick<EstadoInput, 'pruebas'>): Promise<readonly Anunciada[]> =>
  reglasDe(await readSettings(tx)) ? pruebas : [];

/** Returns the photos announced by a failed attempt; empty in a shop without proof. Throws 422 for a signature, because an attempt has no receiver. */
export async function announcedPhotos(tx: Tx, body: EstadoInput): Promise<readonly Anunciada[]> {
  const files = await announcedFiles(tx, body);
  if (files.some(({ tipo }) => tipo !== 'foto')) throw invalid('pruebas', 'De un intento fallido solo se guardan fotos');
  return files;
}

function refuse(problems: Record<string, string>): void {
  const [first] = Object.values(problems);
  if (first)
    throw new DomainError(422, first, { errors: Object.fromEntries(Object.entries(problems).map(([name, text]) => [name, [text]])) });
}

/** Records whether a neighbour may take a locked order. Throws 409 if the order is unpaid or finished or the shop asks for no proof, 429. */
export async function allowNeighbour(tx: Tx, row: PedidoRow, permitido: boolean): Promise<void> {
  if (!reglasDe(await readSettings(tx))) throw conflict('Esta tienda no deja pedidos a vecinos: ponte en contacto con ella');
  if (row.estado === 'pendiente_pago') throw conflict('El pedido aún está sin pagar', 'estado');
  if (!isOpen(row)) throw conflict('El pedido ya ha terminado', 'estado');
  if ((row.vecino_at !== null) === permitido) return;
  await limitRate(tx, ANSWERS, row.id, 'Ya lo has cambiado muchas veces hoy: ponte en contacto con la tienda');
  const vecino_at = permitido ? new Date().toISOString() : null;
  const accion = permitido ? 'El cliente permite dejarlo a un vecino' : 'El cliente ya no permite dejarlo a un vecino';
  await changePedido(tx, SISTEMA, row, { vecino_at }, { accion, action: 'update' });
}

const isOpen = ({ estado }: Pick<StoredPedido, 'estado'>) => estado !== 'completado' && estado !== 'cancelado';

/** Returns the PIN and the neighbour permission for the customer's page, null unless a delivery is expected; undefined in a shop without proof. */
export function customerSide(row: Pick<StoredPedido, 'estado' | 'pago_token' | 'vecino_at' | 'entrega_anulada_at'>, settings: Settings) {
  const reglas = reglasDe(settings);
  if (!reglas) return undefined;
  const isExpected = isOpen(row) && row.estado !== 'pendiente_pago';
  return {
    pin: isExpected && usesPin(reglas) ? pinOf(row) : null,
    vecino: isExpected ? { permitido_at: row.vecino_at } : null,
  };
}

/** Returns how an order was delivered; undefined before the delivery, once taken back, and for deliveries made while no proof was required. */
export const readEntrega = (db: Db | Tx, pedido_id: string) =>
  db
    .selectFrom('entregas')
    .selectAll()
    .where('pedido_id', '=', pedido_id)
    .where('entregada_at', 'is not', null)
    .where('anulada_at', 'is', null)
    .executeTakeFirst();

/** Withdraws the proof of a delivery that is taken back; its row and files stay for their term. Returns whether there was one. */
export async function withdrawEntrega(tx: Tx, pedido_id: string): Promise<boolean> {
  const withdrawn = await tx
    .updateTable('entregas')
    .set({ anulada_at: sql<string>`now()` })
    .where('pedido_id', '=', pedido_id)
    .where('anulada_at', 'is', null)
    .executeTakeFirst();
  return withdrawn.numUpdatedRows > 0n;
}

const NO_MORE_TRIES = 'No quedan intentos de PIN: indica por qué se entrega sin él';

type Order = Pick<StoredPedido, 'id' | 'numero_orden'>;

/** Returns the PIN of an order: four digits derived from the customer's secret link, which no carrier sees. Null without a link. */
function pinOf({ pago_token, entrega_anulada_at }: Pick<StoredPedido, 'pago_token' | 'entrega_anulada_at'>): string | null {
  if (!pago_token) return null;
  // A delivery that was taken back has used its PIN up.
  const again = entrega_anulada_at ? ` ${Date.parse(entrega_anulada_at)}` : '';
  const number = createHash('sha256').update(`pin ${pago_token}${again}`).digest().readUInt32BE() % 10_000;
  return String(number).padStart(4, '0');
}

/** True if any form of delivery asks for the PIN. */
const usesPin = (reglas: ReglasEntrega): boolean => Object.values(reglas).some(({ pin }) => pin && pin !== 'no');

/** Counts a wrong PIN of a locked order after `fallos` earlier ones, and notifies superadmins. Returns the refusal, to be thrown after the commit. */
async function countWrong(tx: Tx, actor: Actor, { id: pedido_id, numero_orden }: Order, fallos: number): Promise<DomainError> {
  const pin_fallos = fallos + 1;
  await tx
    .insertInto('entregas')
    .values({ pedido_id, pin_fallos })
    .onConflict((at) => at.column('pedido_id').where('anulada_at', 'is', null).doUpdateSet({ pin_fallos }))
    .execute();
  const left = MAX_PIN_FALLOS - pin_fallos;
  await notify(tx, {
    tipo: 'diferencia_entrega',
    texto: `${actor.full_name} ha escrito un PIN incorrecto al entregar ${numero_orden}${pin_fallos > 1 ? ` (${pin_fallos} veces)` : ''}`,
    roles: [...rolesOf('caja:confirm')],
    except: actor.id,
    enlace: `/pedidos/${pedido_id}`,
    pedido_id,
    mail: true,
    renews: true,
  });
  const wrong =
    left === 0 ? 'El PIN no es correcto' : `El PIN no es correcto: ${left === 1 ? 'queda 1 intento' : `quedan ${left} intentos`}`;
  const errors = { pin: [wrong], ...(left === 0 && { motivo: [NO_MORE_TRIES] }) };
  return new DomainError(422, left === 0 ? NO_MORE_TRIES : wrong, { errors, counted: true });
}
