import type { Insertable } from 'kysely';
import type { MetodoEntrega } from '../contract/pedidos/metodos.ts';
import { ROLES, type Role } from '../contract/policy/policy.ts';
import type { Tx } from '../server/db/open.ts';
import type { UsersTable } from '../server/db/schema.ts';
import { hashPassword } from '../server/session/passwords.ts';
import type { Random, Weighted } from './random.ts';

const PASSWORDS: Record<Role, string> = {
  superadmin: 'aceite-de-oliva',
  revendedor: 'miel-de-encina',
  transportista: 'camino-de-plata',
};

type Known = {
  role: Role;
  name: string;
  user: string;
  weight: number;
  joins?: number;
  leaves?: number;
  methods?: Weighted<MetodoEntrega>;
};

const OWN_VAN: Weighted<MetodoEntrega> = [
  ['manual', 7],
  ['mrw', 2],
  ['correos', 1],
];
const POST: Weighted<MetodoEntrega> = [
  ['correos', 8],
  ['manual', 1],
  ['otro', 1],
];
const COURIER: Weighted<MetodoEntrega> = [
  ['mrw', 7],
  ['fedex', 2],
  ['otro', 1],
];

// The first person of each role has the account that the demo prints.
const PEOPLE: Known[] = [
  { role: 'superadmin', name: 'Carmen Ortega Ibáñez', user: 'admin', weight: 7 },
  { role: 'superadmin', name: 'Íñigo Zabala Muñoz', user: 'inigo', weight: 3 },
  { role: 'revendedor', name: 'Lucía Fernández Peña', user: 'revendedor', weight: 30 },
  { role: 'revendedor', name: 'Andrés Gallardo Núñez', user: 'andres', weight: 20 },
  { role: 'revendedor', name: 'Begoña Castaño Ruiz', user: 'begona', weight: 16 },
  { role: 'revendedor', name: 'Montserrat Vila Ferrer', user: 'montse', weight: 14, joins: 0.3 },
  { role: 'revendedor', name: 'Óscar Briones Márquez', user: 'oscar', weight: 10, leaves: 0.55 },
  { role: 'revendedor', name: 'Uxía Otero Patiño', user: 'uxia', weight: 10, joins: 0.65 },
  { role: 'transportista', name: 'Javier Sánchez Cañas', user: 'transportista', weight: 35, methods: OWN_VAN },
  { role: 'transportista', name: 'Nuria Domínguez Sáez', user: 'nuria', weight: 25, methods: POST },
  { role: 'transportista', name: 'Iván Rojas Peñalver', user: 'ivan', weight: 20, methods: COURIER },
  { role: 'transportista', name: 'Macarena Ríos Durán', user: 'macarena', weight: 15, methods: COURIER, joins: 0.4 },
  { role: 'transportista', name: 'Agustín Yáñez Prieto', user: 'agustin', weight: 12, methods: OWN_VAN, leaves: 0.6 },
];

export type Account = { role: Role; email: string; password: string; full_name: string };
const emailOf = (user: string) => `${user}@demo.enruta.es`;

export const ACCOUNTS: Account[] = ROLES.map((role) => {
  const { name, user } = PEOPLE.find((p) => p.role === role) as Known;
  return { role, email: emailOf(user), password: PASSWORDS[role], full_name: name };
});

export type Person = {
  row: Insertable<UsersTable> & { id: string; created_at: string };
  actor: { id: string; role: Role; full_name: string };
  weight: number;
  from: number;
  until: number;
  methods: Weighted<MetodoEntrega>;
};

/** Returns the rows of the people; hashes one password per role, because hashing is slow. */
export async function buildPeople(random: Random, start: number, now: number): Promise<Person[]> {
  const hashes = Object.fromEntries(await Promise.all(ROLES.map(async (role) => [role, await hashPassword(PASSWORDS[role])]))) as Record<
    Role,
    string
  >;
  const at = (part: number) => start + part * (now - start);
  return PEOPLE.map(({ role, name, user, weight, joins, leaves, methods }) => {
    const id = random.uuid();
    const from = at(joins ?? 0);
    return {
      row: {
        id,
        full_name: name,
        email: emailOf(user),
        username: user,
        password_hash: hashes[role],
        role,
        is_active: leaves === undefined,
        created_at: new Date(from).toISOString(),
      },
      actor: { id, role, full_name: name },
      weight,
      from,
      until: at(leaves ?? Number.POSITIVE_INFINITY),
      methods: methods ?? [['manual', 1]],
    };
  });
}

/** People employed at `ms`, weighted by their share. */
export const employedPeople = (people: Person[], role: Role, ms: number): Weighted<Person> =>
  people.filter((p) => p.row.role === role && p.from <= ms && ms < p.until).map((p) => [p, p.weight] as const);

export const printedAccount = (people: Person[], role: Role) => people.find((p) => p.row.role === role) as Person;

/** Returns the person of a role whose account the demo prints. */
export async function printedPerson(tx: Tx, role: Role): Promise<Person['actor']> {
  const email = ACCOUNTS.find((printed) => printed.role === role)?.email ?? '';
  return { ...(await tx.selectFrom('users').select(['id', 'full_name']).where('email', '=', email).executeTakeFirstOrThrow()), role };
}
