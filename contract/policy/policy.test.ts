import { describe, expect, test } from 'vitest';
import { endpoints } from '../../test/endpoints.ts';
import { conditionHolds } from '../kit/condition.ts';
import { type EndpointDef, endpoint } from '../kit/endpoint.ts';
import type { PedidoFacts } from './facts.ts';
import { type Action, type Actor, accessCondition, can, isAction, mayEver, RULES, rolesOf, SISTEMA } from './policy.ts';

/** Endpoints open to more than superadmins: granting a permission must change this list. */
const OPEN_TO: Record<string, string[]> = {
  public: [
    'GET /api/csrf-token',
    'GET /api/empresa',
    'GET /api/empresa/logo',
    'GET /api/invitaciones/:token',
    'POST /api/invitaciones/:token',
    'POST /api/login',
    'POST /api/logout',
    'GET /api/pagar/:token',
    'POST /api/pagar/:token/:proveedor',
    'POST /api/pagar/:token/aplazar',
    'GET /api/products/:id/picture',
    'GET /api/pagar/:token/pruebas/:id',
    'POST /api/pagar/:token/simular',
    'POST /api/pagar/:token/transferencia',
    'POST /api/pagar/:token/vecino',
    'GET /api/primer-acceso',
    'POST /api/primer-acceso',
    'GET /api/version',
  ],
  signed: ['POST /api/tienda/:id', 'POST /api/tienda/pedidos', 'POST /api/webhooks/:proveedor'],
  session: [
    'GET /api/cuenta',
    'GET /api/cuenta/confirmar',
    'POST /api/cuenta/confirmar',
    'PUT /api/cuenta/password',
    'POST /api/cuenta/segundo-factor',
    'POST /api/cuenta/segundo-factor/codigos',
    'POST /api/cuenta/segundo-factor/confirmar',
    'POST /api/cuenta/segundo-factor/quitar',
    'DELETE /api/cuenta/sesiones',
    'GET /api/cuenta/sesiones',
    'GET /api/live',
    'GET /api/notifications',
    'POST /api/notifications/leer',
    'GET /api/push',
    'POST /api/push',
    'DELETE /api/push',
    'GET /api/user',
    'POST /api/velocidad',
  ],
  revendedor: ['GET /api/stats/revendedor'],
  transportista: [
    'GET /api/stats/transportista',
    'GET /api/transportista/ciudades',
    'GET /api/transportista/pedidos-disponibles',
    'GET /api/transportista/ruta',
    'PUT /api/transportista/ruta',
    'POST /api/caja/entregar',
    'POST /api/pedidos/:id/cargado',
    'GET /api/transportista/escanear',
    'POST /api/transportista/pedidos/:id/auto-asignar',
    'POST /api/transportista/no-aceptados',
    'POST /api/transportista/pedidos/tomar',
  ],
  'superadmin, transportista': [
    'GET /api/pedidos/:id/deshacer',
    'POST /api/pedidos/:id/deshacer',
    'POST /api/pedidos/:id/pruebas',
    'GET /api/pedidos/etiquetas',
    'GET /api/caja',
  ],
  'superadmin, revendedor': [
    'GET /api/pruebas/:id/fichero',
    'GET /api/cambios/clientes',
    'GET /api/clientes',
    'GET /api/clientes/:id',
    'GET /api/clientes/costumbre',
    'PUT /api/clientes/:id',
    'POST /api/clientes/:id/separar',
    'POST /api/clientes/:id/unir',
    'GET /api/packs',
    'POST /api/pedidos',
    'POST /api/pedidos/:id/aplazar',
    'POST /api/pedidos/:id/incidencia',
    'POST /api/pedidos/:id/calcular-envio',
    'GET /api/pedidos/:id/intentos',
    'GET /api/pedidos/:id/devoluciones',
    'GET /api/pedidos/:id/historial',
    'POST /api/pedidos/calcular-total',
    'GET /api/product-packs',
    'PUT /api/pedidos/:id',
    'PATCH /api/pedidos/:id',
    'PUT /api/pedidos/:id/lineas',
    'POST /api/pedidos/importar',
    'POST /api/pedidos/importar/comprobar',
    'DELETE /api/vistas/:id',
    'GET /api/vistas',
    'POST /api/vistas',
    'PUT /api/vistas/:id',
    'PUT /api/vistas/preferida',
    'GET /api/formatos',
    'PUT /api/formatos',
  ],
  'superadmin, revendedor, transportista': [
    'GET /api/cambios/pedidos',
    'GET /api/pedidos',
    'GET /api/pedidos/:id',
    'POST /api/pedidos/:id/estado',
    'GET /api/pedidos/:id/comentarios',
    'POST /api/pedidos/:id/comentarios',
    'GET /api/pedidos/:id/pruebas',
    'GET /api/liquidaciones',
    'GET /api/liquidaciones/:id',
    'GET /api/liquidaciones/:id/csv',
    'GET /api/liquidaciones/:id/pdf',
    'GET /api/liquidaciones/abierta',
  ],
};

const whoMay = ({ action }: EndpointDef) => (isAction(action) ? rolesOf(action).join(', ') : action);
const title = ({ method, path }: EndpointDef) => `${method} ${path}`;

describe('endpoints', () => {
  const asked = [...Object.keys(OPEN_TO), 'superadmin'];
  test.each(Object.keys(OPEN_TO))('the endpoints open to «%s» are exactly the listed ones', (who) => {
    const found = endpoints.map(({ endpoint: e }) => e).filter((e) => whoMay(e) === who);
    expect(found.map(title).sort()).toEqual(OPEN_TO[who]?.toSorted());
  });
  test('every endpoint is open to a listed group or to superadmins only', () => {
    for (const { endpoint: e } of endpoints) expect(asked, title(e)).toContain(whoMay(e));
  });
});

test('an endpoint without a permission, or with an unknown one, does not compile', () => {
  const rest = { summary: '', response: { file: 'text/plain' } } as const;
  // @ts-expect-error no such action
  endpoint('GET', '/api/x', { ...rest, action: 'product:mangle' });
  // @ts-expect-error no action
  endpoint('GET', '/api/x', rest);
  expect(isAction('product:mangle')).toBe(false);
});

test('a record without an owner belongs to no actor, and a superadmin’s own account cannot be deleted', () => {
  const nobodys: PedidoFacts = { estado: 'asignado', revendedor_id: null, transportista_id: null };
  for (const role of ['revendedor', 'transportista'] as const) {
    expect(can({ id: 'x', role, full_name: '' }, 'pedido:read', nobodys), role).toBe(false);
  }
  expect(can(SISTEMA, 'user:delete', { id: 'x' })).toBe(true);
  expect(can({ id: 'x', role: 'superadmin', full_name: '' }, 'user:delete', { id: 'x' })).toBe(false);
});

// The last two roles are names of properties that every object inherits.
test.each(['almacen', '', 'constructor', '__proto__'])('the unknown role «%s» has no permission', (role) => {
  const somebody = { id: 'x', role, full_name: '' } as unknown as Actor;
  const theirs = { id: 'y', user_id: 'x', estado: 'pendiente_pago', revendedor_id: 'x', transportista_id: 'x', deleted_at: null };
  const actions = Object.keys(RULES) as Action[];
  expect(actions.length).toBeGreaterThan(50);
  expect(
    actions.filter((action) => mayEver(somebody, action) || conditionHolds(accessCondition(somebody, action), somebody, theirs)),
  ).toEqual([]);
});
