import * as account from '../../contract/account/account.ts';
import * as accountSchemas from '../../contract/account/schemas.ts';
import * as apiKeys from '../../contract/api-keys/api-keys.ts';
import * as apiKeysSchemas from '../../contract/api-keys/schemas.ts';
import * as audit from '../../contract/audit/audit.ts';
import * as auditSchemas from '../../contract/audit/schemas.ts';
import * as backups from '../../contract/backups/backups.ts';
import * as backupsSchemas from '../../contract/backups/schemas.ts';
import * as banco from '../../contract/banco/banco.ts';
import * as bancoSchemas from '../../contract/banco/schemas.ts';
import * as caja from '../../contract/caja/caja.ts';
import * as cajaSchemas from '../../contract/caja/schemas.ts';
import * as cambios from '../../contract/cambios/cambios.ts';
import * as cambiosSchemas from '../../contract/cambios/schemas.ts';
import * as clientes from '../../contract/clientes/clientes.ts';
import * as clientesSchemas from '../../contract/clientes/schemas.ts';
import * as comentarios from '../../contract/comentarios/comentarios.ts';
import * as comentariosSchemas from '../../contract/comentarios/schemas.ts';
import * as cuadre from '../../contract/cuadre/cuadre.ts';
import * as cuadreSchemas from '../../contract/cuadre/schemas.ts';
import * as deshacer from '../../contract/deshacer/deshacer.ts';
import * as deshacerSchemas from '../../contract/deshacer/schemas.ts';
import * as devoluciones from '../../contract/devoluciones/devoluciones.ts';
import * as devolucionesSchemas from '../../contract/devoluciones/schemas.ts';
import * as envios from '../../contract/envios/envios.ts';
import * as enviosSchemas from '../../contract/envios/schemas.ts';
import * as etiquetas from '../../contract/etiquetas/etiquetas.ts';
import * as etiquetasSchemas from '../../contract/etiquetas/schemas.ts';
import * as exports from '../../contract/exports/exports.ts';
import * as exportsSchemas from '../../contract/exports/schemas.ts';
import * as facturables from '../../contract/facturables/facturables.ts';
import * as facturablesSchemas from '../../contract/facturables/schemas.ts';
import * as failures from '../../contract/failures/failures.ts';
import * as failuresSchemas from '../../contract/failures/schemas.ts';
import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import * as kit from '../../contract/kit/endpoint.ts';
import * as kitSchemas from '../../contract/kit/schemas.ts';
import { idParams, type Schemas } from '../../contract/kit/schemas.ts';
import * as liquidaciones from '../../contract/liquidaciones/liquidaciones.ts';
import * as liquidacionesSchemas from '../../contract/liquidaciones/schemas.ts';
import * as live from '../../contract/live/live.ts';
import * as liveSchemas from '../../contract/live/schemas.ts';
import * as notifications from '../../contract/notifications/notifications.ts';
import * as notificationsSchemas from '../../contract/notifications/schemas.ts';
import * as openapi from '../../contract/openapi/openapi.ts';
import * as openapiSchemas from '../../contract/openapi/schemas.ts';
import * as mensajes from '../../contract/outbox/outbox.ts';
import * as mensajesSchemas from '../../contract/outbox/schemas.ts';
import * as pagar from '../../contract/pagar/pagar.ts';
import * as pagarSchemas from '../../contract/pagar/schemas.ts';
import * as payments from '../../contract/payments/payments.ts';
import * as paymentsSchemas from '../../contract/payments/schemas.ts';
import * as pedidosFiltersSchemas from '../../contract/pedidos/filters.schemas.ts';
import * as pedidosImportSchemas from '../../contract/pedidos/import.schemas.ts';
import * as pedidosImport from '../../contract/pedidos/import.ts';
import * as pedidosLineasSchemas from '../../contract/pedidos/lineas.schemas.ts';
import * as pedidosLoteSchemas from '../../contract/pedidos/lote.schemas.ts';
import * as pedidosLote from '../../contract/pedidos/lote.ts';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import * as pedidosSchemas from '../../contract/pedidos/schemas.ts';
import * as privacidad from '../../contract/privacidad/privacidad.ts';
import * as privacidadSchemas from '../../contract/privacidad/schemas.ts';
import * as preciosSchemas from '../../contract/products/precios.schemas.ts';
import * as precios from '../../contract/products/precios.ts';
import * as products from '../../contract/products/products.ts';
import * as productsSchemas from '../../contract/products/schemas.ts';
import * as entrega from '../../contract/pruebas/pruebas.ts';
import * as entregaSchemas from '../../contract/pruebas/schemas.ts';
import * as push from '../../contract/push/push.ts';
import * as pushSchemas from '../../contract/push/schemas.ts';
import * as ruta from '../../contract/ruta/ruta.ts';
import * as rutaSchemas from '../../contract/ruta/schemas.ts';
import * as sessionSchemas from '../../contract/session/schemas.ts';
import * as session from '../../contract/session/session.ts';
import * as settingsSchemas from '../../contract/settings/schemas.ts';
import * as settings from '../../contract/settings/settings.ts';
import * as sheetsSchemas from '../../contract/sheets/formats.schemas.ts';
import * as sheets from '../../contract/sheets/formats.ts';
import * as statsSchemas from '../../contract/stats/schemas.ts';
import * as stats from '../../contract/stats/stats.ts';
import * as tiendaSchemas from '../../contract/tienda/schemas.ts';
import * as tienda from '../../contract/tienda/tienda.ts';
import * as transportistaSchemas from '../../contract/transportista/schemas.ts';
import * as transportista from '../../contract/transportista/transportista.ts';
import * as usersSchemas from '../../contract/users/schemas.ts';
import * as users from '../../contract/users/users.ts';
import * as versionSchemas from '../../contract/version/schemas.ts';
import * as version from '../../contract/version/version.ts';
import * as vistasSchemas from '../../contract/vistas/schemas.ts';
import * as vistas from '../../contract/vistas/vistas.ts';
import * as vitalsSchemas from '../../contract/vitals/schemas.ts';
import * as vitals from '../../contract/vitals/vitals.ts';
import * as eventsSchemas from '../../contract/webhooks/events.schemas.ts';
import * as events from '../../contract/webhooks/events.ts';
import * as webhooksPayloadSchemas from '../../contract/webhooks/payload.schemas.ts';
import * as webhooksSchemas from '../../contract/webhooks/schemas.ts';
import * as webhooks from '../../contract/webhooks/webhooks.ts';

/** Contract modules with endpoints, and their schemas. Listed by hand, because a release is one bundle without folders to scan. */
const MODULES: readonly [file: string, addresses: object, schemas: object][] = [
  ['account', account, accountSchemas],
  ['api-keys', apiKeys, apiKeysSchemas],
  ['audit', audit, auditSchemas],
  ['backups', backups, backupsSchemas],
  ['banco', banco, bancoSchemas],
  ['caja', caja, cajaSchemas],
  ['cambios', cambios, cambiosSchemas],
  ['clientes', clientes, clientesSchemas],
  ['comentarios', comentarios, comentariosSchemas],
  ['cuadre', cuadre, cuadreSchemas],
  ['deshacer', deshacer, deshacerSchemas],
  ['devoluciones', devoluciones, devolucionesSchemas],
  ['entrega', entrega, entregaSchemas],
  ['etiquetas', etiquetas, etiquetasSchemas],
  ['envios', envios, enviosSchemas],
  ['events', events, eventsSchemas],
  ['exports', exports, exportsSchemas],
  ['facturables', facturables, facturablesSchemas],
  ['failures', failures, failuresSchemas],
  ['kit', kit, kitSchemas],
  ['liquidaciones', liquidaciones, liquidacionesSchemas],
  ['live', live, liveSchemas],
  ['mensajes', mensajes, mensajesSchemas],
  ['notifications', notifications, notificationsSchemas],
  ['openapi', openapi, openapiSchemas],
  ['pagar', pagar, pagarSchemas],
  ['payments', payments, paymentsSchemas],
  ['pedidos', pedidos, pedidosSchemas],
  ['pedidos.import', pedidosImport, pedidosImportSchemas],
  ['pedidos.lote', pedidosLote, pedidosLoteSchemas],
  ['precios', precios, preciosSchemas],
  ['privacidad', privacidad, privacidadSchemas],
  ['products', products, productsSchemas],
  ['push', push, pushSchemas],
  ['ruta', ruta, rutaSchemas],
  ['session', session, sessionSchemas],
  ['settings', settings, settingsSchemas],
  ['sheets', sheets, sheetsSchemas],
  ['stats', stats, statsSchemas],
  ['tienda', tienda, tiendaSchemas],
  ['transportista', transportista, transportistaSchemas],
  ['users', users, usersSchemas],
  ['version', version, versionSchemas],
  ['vistas', vistas, vistasSchemas],
  ['vitals', vitals, vitalsSchemas],
  ['webhooks', webhooks, webhooksSchemas],
];

/** All schema modules of the contract. The names of their exports become the names of schemas in the OpenAPI document. */
export const schemaModules: readonly object[] = [
  ...MODULES.map(([, , schemas]) => schemas),
  pedidosFiltersSchemas,
  pedidosLineasSchemas,
  webhooksPayloadSchemas,
];

export type Operation = { name: string; module: string; endpoint: EndpointDef; schemas: Schemas };
/** Every endpoint of the contract with its schemas, name and module. */
export const endpoints: readonly Operation[] = MODULES.flatMap(([file, addresses, schemas]) =>
  Object.entries(addresses)
    .filter((entry): entry is [string, EndpointDef] => isEndpoint(entry[1]))
    .map(([name, endpoint]) => {
      const own = (schemas as Record<string, Schemas>)[name];
      if (!own) throw new Error(`The schemas of contract/${file}.ts have nothing for ${name}`);
      const params = endpoint.path.includes('/:id') ? { params: idParams } : {};
      return { name, module: file.replace(/\..*/, ''), endpoint, schemas: { ...params, ...own } };
    }),
);

function isEndpoint(value: unknown): value is EndpointDef {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'action' in value;
}

const SCHEMAS = new Map(endpoints.map(({ endpoint, schemas }) => [endpoint, schemas]));
/** Returns the schemas of an endpoint of the contract. Throws for an endpoint without schemas. */
export function endpointSchemas(endpoint: EndpointDef): Schemas {
  const schemas = SCHEMAS.get(endpoint);
  if (!schemas) throw new Error(`${endpoint.method} ${endpoint.path} has no schemas: name its module in server/kit/endpoints.ts`);
  return schemas;
}
