/** Code of an error response: its HTTP statuses and its RFC 9457 title. */
type ErrorKind = { status: readonly [number, ...number[]]; title: string };

/** Path of the page that explains the codes, on every installation. */
export const ERRORS_PAGE = '/errores';

/** Every `code` of an error response; docs/errors.md explains each. A published code never changes. */
export const ERRORS = {
  bad_request: { status: [400], title: 'La petición no se entiende' },
  signature_invalid: { status: [400], title: 'La firma no es válida' },
  idempotency_unsupported: { status: [400], title: 'Esta operación no admite Idempotency-Key' },
  not_signed_in: { status: [401], title: 'Falta iniciar sesión' },
  bad_credentials: { status: [401], title: 'Credenciales incorrectas' },
  second_factor: { status: [401], title: 'Falta el código de verificación' },
  key_invalid: { status: [401], title: 'La clave de API no vale' },
  permission_missing: { status: [403], title: 'Falta un permiso' },
  not_for_keys: { status: [403], title: 'No se puede hacer con una clave de API' },
  step_up: { status: [403], title: 'Hay que confirmar la contraseña' },
  pending_password: { status: [403], title: 'La contraseña ha caducado' },
  pending_second_factor: { status: [403], title: 'Falta activar la verificación en dos pasos' },
  not_found: { status: [404], title: 'No encontrado' },
  retirado: { status: [404, 409], title: 'El pedido ya no es de quien lo pide' },
  method_not_allowed: { status: [405], title: 'Método no permitido' },
  request_timeout: { status: [408], title: 'La petición ha tardado demasiado en llegar' },
  conflict: { status: [409], title: 'No se puede hacer en este momento' },
  version: { status: [409], title: 'Otra persona lo ha cambiado' },
  estado: { status: [409], title: 'El estado del pedido no lo permite' },
  en_empresa: { status: [409], title: 'Lo tiene una empresa de transporte' },
  eliminado: { status: [409], title: 'El pedido está eliminado' },
  bloqueado: { status: [409], title: 'Los datos del cliente están bloqueados' },
  anonimizado: { status: [409], title: 'Los datos del cliente están anonimizados' },
  taken: { status: [409], title: 'El pedido ya no está disponible' },
  already_paid: { status: [409], title: 'Ya está pagado' },
  lista: { status: [409], title: 'La lista ha cambiado' },
  contended: { status: [409], title: 'Otros estaban cambiando lo mismo' },
  idempotency_unknown: { status: [409], title: 'No se sabe cómo acabó la primera petición' },
  already_running: { status: [409], title: 'Ya se está haciendo' },
  not_ready: { status: [409], title: 'Aún no está listo' },
  limit_reached: { status: [409], title: 'No caben más' },
  no_room: { status: [409], title: 'No hay sitio en el disco' },
  cursor_expired: { status: [410], title: 'El cursor ya no vale' },
  payload_too_large: { status: [413], title: 'El contenido enviado es demasiado grande' },
  uri_too_long: { status: [414], title: 'La dirección es demasiado larga' },
  unsupported_media_type: { status: [415], title: 'Tipo de contenido no admitido' },
  xsrf: { status: [419], title: 'La página ha caducado' },
  validation_failed: { status: [422], title: 'Hay datos que no valen' },
  duplicate: { status: [422], title: 'Ya existe' },
  mismo_dia: { status: [422], title: 'Los pedidos del día superan el límite de efectivo' },
  cliente_bloqueado: { status: [422], title: 'El cliente está bloqueado' },
  stock_insufficient: { status: [422], title: 'Stock insuficiente' },
  idempotency: { status: [422], title: 'La Idempotency-Key ya se usó para otra petición' },
  rate_limited: { status: [429], title: 'Demasiadas peticiones' },
  headers_too_large: { status: [431], title: 'Las cabeceras son demasiado largas' },
  internal_error: { status: [500], title: 'Error inesperado' },
  unavailable: { status: [503, 421, 429], title: 'El servicio no está disponible' },
  disk_full: { status: [503], title: 'Queda muy poco sitio en el disco' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** Media type of RFC 9457, used for callers that accept it. */
export const PROBLEM = 'application/problem+json';

/** Returns the default code of a status: the first in the table, else `bad_request` or `internal_error`. */
export function defaultErrorCode(status: number): ErrorCode {
  const found = (Object.keys(ERRORS) as ErrorCode[]).find((code) => ERRORS[code].status[0] === status);
  return found ?? (status < 500 ? 'bad_request' : 'internal_error');
}
