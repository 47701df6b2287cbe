import type { JobName } from '../jobs/wake.ts';

export const WORDS: Record<JobName, { titulo: string; consejo: string }> = {
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
  certificado: {
    titulo: 'Mirar el certificado de la dirección pública',
    consejo: 'Caduca pronto, y entonces los navegadores no abrirán Enruta: pide a quien administra el servidor que lo renueve.',
  },
};
