import { writesField } from '../../../contract/pedidos/access.ts';
import { WRITERS } from '../../../contract/pedidos/field.ts';
import { FIELDS, type PedidoFieldName, pedidoField, pedidoLabel } from '../../../contract/pedidos/fields.ts';
import { type Actor, programIdOf } from '../../../contract/policy/policy.ts';
import { DomainError } from '../../kit/errors.ts';

/** Fields with a writer. Excludes `version`, which only tells the version that the caller saw. */
const SETTABLE = FIELDS.filter((name) => pedidoField(name).by !== undefined);

/** Throws 422 naming each field that an API key may not write. People are exempt: their forms also send fields only shown. */
export function refuseUnwritable(
  actor: Actor,
  input: object & { lineas?: readonly object[] | null | undefined },
  may: (name: PedidoFieldName) => boolean = (name) => writesField(actor, name),
): void {
  if (programIdOf(actor) === null) return;
  const refusedIn = (body: object, path = '') =>
    SETTABLE.filter((name) => (body as Record<string, unknown>)[name] != null && !may(name)).map((name): [string, PedidoFieldName] => [
      `${path}${name}`,
      name,
    ]);
  const refused = [...refusedIn(input), ...(input.lineas ?? []).flatMap((line, i) => refusedIn(line, `lineas.${i}.`))];
  const [first] = refused;
  if (!first) return;
  const { by } = pedidoField(first[1]);
  throw new DomainError(422, `Esta clave no puede escribir «${pedidoLabel(first[1])}» (${first[0]})`, {
    errors: Object.fromEntries(refused.map(([path, name]) => [path, [`Esta clave no puede escribir «${pedidoLabel(name)}»`]])),
    ...(by && { permission: WRITERS[by][0] }),
  });
}
