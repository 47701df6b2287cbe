import { existsSync } from 'node:fs';
import { accountFeature } from './account/account.feature.ts';
import { apiKeysFeature } from './api-keys/api-keys.feature.ts';
import { archiveFeature } from './archive/archive.feature.ts';
import { auditFeature } from './audit/audit.feature.ts';
import { backupsFeature } from './backups/backups.feature.ts';
import { bancoFeature } from './banco/banco.feature.ts';
import { cajaFeature } from './caja/caja.feature.ts';
import { cambiosFeature } from './cambios/cambios.feature.ts';
import { clientesFeature } from './clientes/clientes.feature.ts';
import { comentariosFeature } from './comentarios/comentarios.feature.ts';
import { cuadreFeature } from './cuadre/cuadre.feature.ts';
import type { Db } from './db/open.ts';
import { deshacerFeature } from './deshacer/deshacer.feature.ts';
import { devolucionesFeature } from './devoluciones/devoluciones.feature.ts';
import { enviosFeature } from './envios/envios.feature.ts';
import { etiquetasFeature } from './etiquetas/etiquetas.feature.ts';
import { exportsFeature } from './exports/exports.feature.ts';
import { facturablesFeature } from './facturables/facturables.feature.ts';
import { failuresFeature } from './failures/failures.feature.ts';
import { runWatchedJob } from './failures/failures.ts';
import { gananciasFeature } from './ganancias/ganancias.feature.ts';
import type { Job } from './jobs/runner.ts';
import { checkCertificate } from './kit/certificate.ts';
import type { Feature, Process } from './kit/feature.ts';
import { refuseLowRoom, refuseTightDisks } from './kit/room.ts';
import { liquidacionesFeature } from './liquidaciones/liquidaciones.feature.ts';
import { liveFeature } from './live/live.feature.ts';
import { mailFeature } from './mail/mail.feature.ts';
import { notificationsFeature } from './notifications/notifications.feature.ts';
import { openapiFeature } from './openapi/openapi.feature.ts';
import { outboxFeature } from './outbox/outbox.feature.ts';
import { paymentsFeature } from './payments/payments.feature.ts';
import { pedidosFeature } from './pedidos/pedidos.feature.ts';
import { privacidadFeature } from './privacidad/privacidad.feature.ts';
import { productsFeature } from './products/products.feature.ts';
import { pruebasFeature } from './pruebas/pruebas.feature.ts';
import { pushFeature } from './push/push.feature.ts';
import { repeatsFeature } from './repeats/repeats.feature.ts';
import { rutaFeature } from './ruta/ruta.feature.ts';
import { sessionFeature } from './session/session.feature.ts';
import { settingsFeature } from './settings/settings.feature.ts';
import { sheetsFeature } from './sheets/sheets.feature.ts';
import { statsFeature } from './stats/stats.feature.ts';
import { tiendaFeature } from './tienda/tienda.feature.ts';
import { transportistaFeature } from './transportista/transportista.feature.ts';
import { usersFeature } from './users/users.feature.ts';
import { vistasFeature } from './vistas/vistas.feature.ts';
import { vitalsFeature } from './vitals/vitals.feature.ts';
import { webhooksFeature } from './webhooks/webhooks.feature.ts';

/** Every feature, in order of dependency (test/architecture.test.ts). */
export const FEATURES: readonly Feature[] = [
  liveFeature,
  auditFeature,
  settingsFeature,
  repeatsFeature,
  outboxFeature,
  mailFeature,
  pushFeature,
  notificationsFeature,
  apiKeysFeature,
  sessionFeature,
  cambiosFeature,
  webhooksFeature,
  accountFeature,
  productsFeature,
  gananciasFeature,
  pedidosFeature,
  pruebasFeature,
  comentariosFeature,
  devolucionesFeature,
  deshacerFeature,
  usersFeature,
  vistasFeature,
  sheetsFeature,
  clientesFeature,
  transportistaFeature,
  etiquetasFeature,
  rutaFeature,
  failuresFeature,
  vitalsFeature,
  cuadreFeature,
  paymentsFeature,
  statsFeature,
  cajaFeature,
  bancoFeature,
  exportsFeature,
  liquidacionesFeature,
  enviosFeature,
  tiendaFeature,
  facturablesFeature,
  privacidadFeature,
  backupsFeature,
  archiveFeature,
  openapiFeature,
];

export function allJobs(parts: Process): Job[] {
  const { db } = parts;
  const jobs: Job[] = [
    ...FEATURES.flatMap((feature) => feature.jobs?.({ ...parts, features: FEATURES }) ?? []),
    { name: 'limpieza', cron: '17 * * * *', run: () => cleanFeatures(db) },
    {
      name: 'disco',
      cron: '* * * * *',
      run: async () => refuseTightDisks(disksOf(parts.config)),
    },
    // A job of its own, so that the second step of a filling disk is a second warning.
    { name: 'disco-lleno', cron: '* * * * *', run: async () => refuseLowRoom(parts.freeRoom()) },
    { name: 'certificado', cron: '41 6 * * *', run: () => checkCertificate(parts.config.publicUrl) },
  ];
  return jobs.map((job) => ({ ...job, run: () => runWatchedJob(db, job, parts.log) }));
}

/** Returns the configured folders that exist on this machine. */
const disksOf = ({ databaseUrl, dataDir, backupDir, filesDir, s3 }: Process['config']) =>
  [...(databaseUrl ? [] : [dataDir]), backupDir, ...(s3 ? [] : [filesDir])].filter(existsSync);

export async function cleanFeatures(db: Db): Promise<void> {
  for (const feature of FEATURES) await feature.clean?.(db);
}
