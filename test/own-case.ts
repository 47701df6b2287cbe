import type { Estado } from '../contract/pedidos/estados.ts';
import { ROLES, type Role } from '../contract/policy/policy.ts';
import type { Db } from '../server/db/open.ts';
import { nationalHolidays } from '../server/pedidos/lectura/promised.ts';
import { addDays, dayInMadrid } from './day.ts';
import { announce, SIGNATURE } from './proof.ts';

/** State of an order, and a request, with which a role's call succeeds. */
export type OwnCase = { estado?: Estado; deleted?: true; body?: unknown; ready?: (db: Db, id: string) => Promise<unknown> };

const ADDRESS = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Nueva 1' };
const WORDS = { texto: 'Llamar antes' };
const CARRIED = { superadmin: {}, revendedor: {}, transportista: { estado: 'asignado' as const } };
const LINES = { lineas: [{ numero: 1, cantidad: 2 }] };
const isWorking = (day: string) => ![0, 6].includes(new Date(day).getUTCDay()) && !nationalHolidays(Number(day.slice(0, 4))).includes(day);
const dia = [1, 2, 3, 4, 5, 6, 7].map((n) => addDays(dayInMadrid(), n)).find(isWorking);
const waits = (db: Db, id: string) =>
  db.updateTable('pedidos').set({ incidencia_at: new Date().toISOString() }).where('id', '=', id).execute();
const goodsOut = (db: Db, id: string) =>
  db.updateTable('pedidos').set({ mercancia_at: new Date().toISOString() }).where('id', '=', id).execute();
const usesLabels = (db: Db) =>
  db
    .updateTable('settings')
    .set({ data: JSON.stringify({ labelsAndLoading: true }) as never })
    .execute();

/** Writes the history of a departure. */
const hasLeft = (db: Db, id: string) =>
  db
    .insertInto('pedidos_historial')
    .values({
      pedido_id: id,
      actor_role: 'superadmin',
      actor_nombre: 'Ana',
      accion: 'En reparto',
      estado_anterior: 'asignado',
      estado_nuevo: 'en_ruta',
    })
    .execute();

const paysTooMuch = (db: Db, id: string) =>
  db
    .insertInto('pagos')
    .values({ pedido_id: id, proveedor: 'bizum', referencia: '', importe_cents: 1_000_000, estado: 'pagado' })
    .execute();

/** Every endpoint of a single order must be listed. */
const OWN: Record<string, OwnCase | Partial<Record<Role, OwnCase>>> = {
  'GET /api/pedidos/:id': {},
  'PUT /api/pedidos/:id': { superadmin: { body: ADDRESS }, revendedor: { estado: 'pendiente_pago', body: ADDRESS } },
  'PATCH /api/pedidos/:id': {
    superadmin: { body: { cliente_nombre: 'Ana' } },
    revendedor: { estado: 'pendiente_pago', body: { cliente_nombre: 'Ana' } },
  },
  'PUT /api/pedidos/:id/lineas': { superadmin: { body: LINES }, revendedor: { estado: 'pendiente_pago', body: LINES } },
  'POST /api/pedidos/:id/estado': {
    superadmin: { estado: 'asignado', body: { estado: 'en_ruta' } },
    revendedor: { estado: 'pendiente_pago', body: { estado: 'cancelado' } },
    transportista: { estado: 'asignado', body: { estado: 'en_ruta' } },
  },
  'GET /api/pedidos/:id/deshacer': CARRIED,
  'POST /api/pedidos/:id/deshacer': { estado: 'en_ruta', body: { paso: 'volver_de_ruta' }, ready: hasLeft },
  'POST /api/pedidos/:id/assign-transportista': { estado: 'asignado', body: { transportista_id: null } },
  'DELETE /api/pedidos/:id': {},
  'POST /api/pedidos/:id/restaurar': { deleted: true },
  'POST /api/pedidos/:id/duplicar': {},
  'POST /api/pedidos/:id/venta-aparte': { body: { motivo: 'Otro encargo' } },
  'GET /api/pedidos/:id/historial': {},
  'GET /api/pedidos/:id/comentarios': CARRIED,
  'POST /api/pedidos/:id/comentarios': {
    superadmin: { body: WORDS },
    revendedor: { body: WORDS },
    transportista: { estado: 'asignado', body: WORDS },
  },
  'GET /api/pedidos/:id/devoluciones': {},
  'POST /api/pedidos/:id/devoluciones': {
    estado: 'completado',
    body: { lineas: [{ numero: 1, cantidad: 1, destino: 'baja' }], motivo: 'otro' },
  },
  'POST /api/pedidos/:id/recibir': { estado: 'cancelado', body: { destino: 'stock' }, ready: goodsOut },
  'POST /api/pedidos/:id/aplazar': { body: { dia } },
  'GET /api/pedidos/:id/intentos': {},
  'POST /api/pedidos/:id/incidencia': { body: { respuesta: 'recogida' }, ready: waits },
  'POST /api/pedidos/:id/cargado': { estado: 'asignado', body: { cargado: true }, ready: usesLabels },
  'GET /api/pedidos/:id/pruebas': CARRIED,
  'POST /api/pedidos/:id/pruebas': {
    estado: 'completado',
    body: SIGNATURE,
    ready: (db, id) => announce(db, id, [{ tipo: 'firma', bytes: SIGNATURE }]),
  },
  'GET /api/pedidos/:id/pagos': {},
  'POST /api/pedidos/:id/pagos': { body: { metodo: 'bizum', importe: 1, fecha: '2026-01-05' } },
  'POST /api/pedidos/:id/reembolso': { body: { importe: 1 }, ready: paysTooMuch },
  'POST /api/pedidos/:id/calcular-envio': { body: { cliente_codigo_postal: '35001' } },
  'POST /api/transportista/pedidos/:id/auto-asignar': { estado: 'pendiente' },
};
const isByRole = (c: object): c is Partial<Record<Role, OwnCase>> => ROLES.some((role) => role in c);

/** Returns the case in which `role` succeeds with `title` («GET /api/pedidos/:id»). */
export function ownCase(title: string, role: Role): OwnCase {
  const found = OWN[title];
  if (!found) throw new Error(`Say in OWN how a call of ${title} succeeds`);
  return isByRole(found) ? (found[role] ?? {}) : found;
}
