import { Anchor, type MantineSpacing, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Caja, listCajas } from '../../contract/caja/caja.ts';
import { can } from '../../contract/policy/policy.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';
import { fechaCercana, money } from '../ui/format/format.ts';

type Held = { amount: number; since: string };

/** Cash held by each carrier that the session may see, by carrier id; empty in a shop that collects no cash. */
export function useHeld(persona?: string): ReadonlyMap<string, Held> {
  const session = useSession();
  const enabled = !!(session.contra_reembolso || session.caja) && can(session, 'caja:read', { transportista_id: persona ?? session.id });
  const { data } = useApi(listCajas, { query: persona ? { transportista_id: persona } : {} }, { enabled });
  return heldIn((enabled && data?.data) || []);
}

function heldIn(cajas: readonly Caja[]): Map<string, Held> {
  const held = new Map<string, Held>();
  for (const { transportista_id, estado, esperado, dia } of cajas) {
    if (estado !== 'abierta') continue;
    const { amount, since } = held.get(transportista_id) ?? { amount: 0, since: dia };
    held.set(transportista_id, { amount: amount + esperado, since: dia < since ? dia : since });
  }
  return held;
}

/** «Lleva 120,50 € en efectivo desde el lunes 23», shown beside the carrier's earnings. */
export function CashHeld({ held, own = false, mb = 0 }: { held: Held | undefined; own?: boolean; mb?: MantineSpacing }) {
  if (!held) return null;
  return (
    <Text mb={mb}>
      <Anchor component={Link} to="/caja" inherit underline="always">
        {own ? 'Llevas' : 'Lleva'} {money(held.amount)} en efectivo
      </Anchor>{' '}
      desde el {fechaCercana(held.since)}
    </Text>
  );
}
