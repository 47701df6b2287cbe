import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ROLES, SISTEMA } from '../../contract/policy/policy.ts';
import { createUserBody } from '../../contract/users/schemas.ts';
import { createUser } from '../users/users.ts';
import { type Command, UsageError, withDatabase } from './command.ts';

export const userAddCommand: Command = {
  usage: `user add EMAIL --nombre NOMBRE --rol ${ROLES.join('|')}`,
  what: 'crea una persona y escribe su contraseña',
  run: async (args, context) => {
    const { email, nombre, rol } = readArguments(args);
    if (!isRole(rol)) throw new Error(`${rol === undefined ? 'Falta --rol' : `--rol ${rol} no existe`}: elige ${LISTED}.`);
    const password = randomBytes(16).toString('base64url');
    const { data, error } = createUserBody.safeParse({ email, full_name: nombre, role: rol, password });
    if (!data) throw new Error(error.issues.map(({ message }) => message).join('\n'));
    await withDatabase(context, (db) => createUser(db, SISTEMA, data));
    console.log(`${data.email} ya puede entrar con esta contraseña:\n  ${password}\nQue la cambie en «Mi cuenta» en cuanto entre.`);
  },
};

const LISTED = new Intl.ListFormat('es', { type: 'disjunction' }).format(ROLES);
const isRole = (rol: string | undefined) => ROLES.some((role) => role === rol);

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { nombre: { type: 'string' }, rol: { type: 'string' } },
    });
    if (positionals.length === 1) return { email: positionals[0], ...values };
  } catch {
    // `parseArgs` throws for an unknown option.
  }
  throw new UsageError();
}
