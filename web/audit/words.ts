import { ROLE_LABEL } from '../../contract/policy/policy.ts';

/** Labels of the log's actions; the actions of the specification come first. */
export const ACTIONS: Record<string, string> = {
  create: 'Creación',
  update: 'Modificación',
  delete: 'Eliminación',
  restore: 'Restauración',
  login: 'Inicio de sesión',
  login_failed: 'Acceso fallido',
  logout: 'Cierre de sesión',
  denied: 'Acceso denegado',
  export: 'Exportación',
};

export const ENTITIES: Record<string, string> = {
  pedido: 'Pedido',
  pago: 'Pago',
  profile: 'Usuario',
  product: 'Producto',
  pack: 'Pack',
  session: 'Sesión',
  settings: 'Configuración',
  export: 'Exportación',
  backup: 'Copia de seguridad',
  apikey: 'Clave de API',
  webhook: 'Webhook',
  vista: 'Vista',
  liquidacion: 'Liquidación',
  cliente: 'Cliente',
  privacidad: 'Datos personales',
  audit: 'Registro',
};

export const findWord = (words: Record<string, string>, value: string) => (Object.hasOwn(words, value) ? words[value] : undefined) ?? value;

/** Shows unknown values as they are: a later version may have written them. */
export const actionLabel = (action: string): string => findWord(ACTIONS, action);
export const entityLabel = (entity: string): string => findWord(ENTITIES, entity);
export const roleLabel = (role: string): string => findWord({ ...ROLE_LABEL, sistema: 'Sistema', programa: 'Programa' }, role);
