import type { ApiError } from '../api.ts';

export type UserAction = 'create' | 'update' | 'delete';
export type Refusal = Pick<ApiError, 'status' | 'message' | 'errors'>;

const FORBIDDEN: Record<UserAction, string> = {
  create: 'Solo los superadministradores pueden crear usuarios',
  update: 'Solo los superadministradores pueden editar usuarios',
  delete: 'Solo los superadministradores pueden eliminar usuarios',
};
export const FAILED: Record<UserAction, string> = {
  create: 'No se pudo crear el usuario',
  update: 'No se pudo actualizar el usuario',
  delete: 'No se pudo eliminar el usuario',
};
const NOT_AN_EMAIL = 'Email inválido';
const TAKEN = 'El email ya está en uso';

/** Returns the message of a refused user write (specification, section 8); undefined to show the server's under `FAILED`. */
export function userRefusal(action: UserAction, { status, message, errors }: Refusal): string | undefined {
  if (status === 409) return message;
  if (status === 403) return FORBIDDEN[action];
  if (action === 'delete') return undefined;
  const aboutEmail = errors.email?.some((sentence) => sentence !== NOT_AN_EMAIL);
  if (status === 422 && Object.keys(errors).length && !aboutEmail) return message;
  if (status === 422 || /e-?mail|correo/i.test(message)) return TAKEN;
  if (status === 401 || /unauthorized/i.test(message)) return 'No tienes permisos para realizar esta acción';
  if (action === 'update' && /admin/i.test(message)) return FORBIDDEN.update;
  return undefined;
}
