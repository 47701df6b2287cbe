import { sql } from 'kysely';
import type { Failure } from '../../contract/failures/failures.ts';
import { rolesOf } from '../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Job } from '../jobs/runner.ts';
import type { JobName } from '../jobs/wake.ts';
import { DomainError } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { errorForLog, type Log } from '../log/log.ts';
import { queueTechnical } from '../mail/queue.ts';
import { notify } from '../notifications/notify.ts';
import { Stuck } from '../outbox/undelivered.ts';
import { readSettings } from '../settings/settings.ts';
import { queueWebhooks } from '../webhooks/queue.ts';

/** Runs a job, and stores its failure until the job succeeds. Notifies once per series. Rethrows all but `Stuck`: messages have their own retries. */
export async function runWatchedJob(db: Db, { name, run }: Job, log: Log): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Stuck) return warnOfStuck(db, name, error, log);
    // Only logs if the failure cannot be stored, because the database may be what fails.
    await transact(db, (tx) => remember(tx, name, error)).catch((lost) => log.error({ err: lost, job: name }, 'a failure was not kept'));
    throw error;
  }
  await transact(db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('job_failures').where('name', '=', name).executeTakeFirst();
    if (numDeletedRows) await announce(tx);
  });
}

async function warnOfStuck(db: Db, name: Job['name'], stuck: Stuck, log: Log): Promise<void> {
  const known = await db.selectFrom('job_failures').select('failures').where('name', '=', name).executeTakeFirst();
  if (known?.failures === stuck.attempts) return;
  await transact(db, (tx) => remember(tx, name, stuck));
  for (const { canal, servidor, motivo, mensajes, desde } of stuck.waiting)
    log.warn({ job: name, channel: canal, host: servidor, reason: motivo, waiting: mensajes, since: desde }, 'messages do not arrive');
}

async function remember(tx: Tx, name: Job['name'], error: unknown): Promise<void> {
  const reason = reasonOf(error);
  const attempts = error instanceof Stuck ? error.attempts : undefined;
  const { first } = await tx
    .insertInto('job_failures')
    .values({ name, reason, ...(attempts && { failures: attempts }) })
    .onConflict((oc) =>
      oc
        .column('name')
        .doUpdateSet((eb) => ({ reason, failures: attempts ?? eb('job_failures.failures', '+', 1), last_at: sql<string>`now()` })),
    )
    // xmax is 0 for an inserted row, not for an updated row.
    .returning(sql<boolean>`xmax = 0`.as('first'))
    .executeTakeFirstOrThrow();
  if (first) {
    const texto = `Una tarea del sistema ha fallado: ${WORDS[name].titulo}. ${WORDS[name].consejo}`;
    await notify(tx, { tipo: 'tarea_fallida', texto, enlace: '/admin?tab=tareas', roles: [...rolesOf('job:read')] });
    await queueTechnical(tx, await readSettings(tx), { asunto: texto, texto: `${texto}\n\n${reason}`, enlace: '/admin?tab=tareas' });
    await queueWebhooks(tx, ['job.failing'], () => [{ tarea: { nombre: name, titulo: WORDS[name].titulo, motivo: reason } }]);
  }
  await announce(tx);
}

/** Returns the message of our own errors, but only code or type of other errors: their messages may contain personal data. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError || error instanceof Stuck) return error.message;
  const { code, type } = errorForLog(error);
  return String(code ?? type);
}

const announce = (tx: Tx) => emit(tx, { topic: 'failures', roles: rolesOf('job:read') });

/** Lists the failing jobs; the longest failing job comes first. */
export async function listFailures(db: Db): Promise<Failure[]> {
  const rows = await db.selectFrom('job_failures').selectAll().orderBy('since').execute();
  return rows.map(({ name, reason, failures, since, last_at }) => {
    const words = Object.entries(WORDS).find(([known]) => known === name)?.[1];
    // Falls back to the name: the row may be of a job that only a later version has.
    return { name, titulo: name, consejo: '', ...words, motivo: reason, veces: failures, desde: since, ultima_vez: last_at };
  });
}

export const failingJobs = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('job_failures').select('name').orderBy('name').execute()).map(({ name }) => name);

const WORDS: Record<JobName, { titulo: string; consejo: string }> = {
  correo: { titulo: 'Enviar los correos', consejo: 'Revisa los datos del correo en Configuración y pulsa «Probar».' },
  push: {
    titulo: 'Enviar los avisos al móvil',
    consejo: 'Los avisos siguen en la campana. Si no se arregla solo, avisa a quien administra el servidor.',
  },
  webhook: {
    titulo: 'Enviar los webhooks',
    consejo:
      'Mira las entregas de cada webhook en Configuración → Integraciones. Si no se arregla solo, avisa a quien administra el servidor.',
  },
  impagados: {
    titulo: 'Recordar y cancelar los pedidos sin pagar',
    consejo: 'Revisa los pedidos sin pagar: alguno no se puede cancelar solo y hay que hacerlo a mano.',
  },
  totales: {
    titulo: 'Sumar las cifras por día',
    consejo: 'Las cifras siguen siendo exactas, pero las listas irán cada vez más lentas: avisa a quien administra el servidor.',
  },
  exportar: {
    titulo: 'Preparar las exportaciones',
    consejo: 'Pide la exportación otra vez, con menos datos. Si vuelve a fallar, avisa a quien administra el servidor.',
  },
  copias: {
    titulo: 'Hacer las copias de seguridad',
    consejo: 'No se están haciendo copias: avisa a quien administra el servidor para que mire la carpeta de copias (BACKUP_DIR).',
  },
  archivo: {
    titulo: 'Llevar el archivo continuo al cubo',
    consejo: 'Lo último que se ha hecho está solo en este disco: avisa a quien administra el servidor para que mire el cubo de S3_BUCKET.',
  },
  'archivo-prueba': {
    titulo: 'Probar el archivo continuo del cubo',
    consejo:
      'Puede que no se pueda volver a un minuto concreto si el disco muere: avisa a quien administra el servidor para que mire el cubo de S3_BUCKET, y pulsa después «Probar ahora» en Configuración → Base de datos.',
  },
  cuadre: {
    titulo: 'Cuadrar las cuentas',
    consejo:
      'Las cuentas no se están comprobando: pulsa «Comprobar ahora» en Supervisión → Cuadre. Si vuelve a fallar, avisa a quien administra el servidor.',
  },
  'sin-enviar': {
    titulo: 'Avisar de las entregas sin enviar',
    consejo: 'Mira en «Entregas» qué transportistas tienen entregas sin enviar en su teléfono.',
  },
  tienda: {
    titulo: 'Leer los pedidos de la tienda en línea',
    consejo: 'Los pedidos de la tienda están guardados y se leerán después. Si no se arregla solo, avisa a quien administra el servidor.',
  },
  sondeo: {
    titulo: 'Preguntar a la tienda en línea',
    consejo: 'Mira la dirección y las claves de la API REST de cada tienda en «Tienda en línea».',
  },
  facturables: {
    titulo: 'Preparar lo que hay que facturar',
    consejo: 'No se pierde nada: se prepara en cuanto vuelva a funcionar. Si no se arregla solo, avisa a quien administra el servidor.',
  },
  limpieza: {
    titulo: 'Borrar lo caducado',
    consejo: 'Puede esperar unos días. Si no se arregla solo, avisa a quien administra el servidor.',
  },
  pruebas: {
    titulo: 'Borrado de firmas y fotos',
    consejo: 'Las pruebas de entrega que ya no se conservan siguen guardadas; revisa el espacio donde se guardan los ficheros.',
  },
  anonimizar: {
    titulo: 'Anonimizar los pedidos que han cumplido su plazo',
    consejo: 'Los datos de esos clientes siguen ahí. Si no se arregla solo, avisa a quien administra el servidor.',
  },
  disco: {
    titulo: 'Comprobar el sitio en el disco',
    consejo:
      'Queda poco sitio, y con menos de 64 MB se puede consultar, pero no guardar. Pide a quien administra el servidor que libere espacio.',
  },
  'disco-lleno': {
    titulo: 'Guardar: no queda sitio en el disco',
    consejo:
      'Se puede consultar, pero no guardar: los pedidos y las entregas se rechazan. Pide a quien administra el servidor que libere espacio ahora.',
  },
  'fin-del-dia': {
    titulo: 'Enviar el fin del día por email',
    consejo: 'Está en «Fin del día», en el Dashboard. Se envía mañana otra vez.',
  },
  velocidad: {
    titulo: 'Comparar lo que tardan las pantallas con la versión anterior',
    consejo: 'Mira abajo qué pantallas tardan más y díselo a quien lleva el servidor: puede volver a la versión anterior.',
  },
  certificado: {
    titulo: 'Mirar el certificado de la dirección pública',
    consejo: 'Caduca pronto, y entonces los navegadores no abrirán Enruta: pide a quien administra el servidor que lo renueve.',
  },
};
