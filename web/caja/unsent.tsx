import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type UnsentCash, unsentCash } from '../outbox/unsent-cash.ts';
import { outboxFor } from '../pedidos/actions/outbox.ts';
import { useSession } from '../session/session.ts';
import { money } from '../ui/format/format.ts';

const LOOK_MS = 5000;

/** Cash of unsent and refused steps on this phone: in hand, but in no day of the Caja yet. */
export function useUnsentCash(isCarrier: boolean): readonly UnsentCash[] {
  const actor = useSession();
  const { data } = useQuery({
    queryKey: ['telefono', 'efectivo', actor.id],
    queryFn: async () => {
      const outbox = outboxFor(actor);
      return unsentCash([...(await outbox.unsent()), ...(await outbox.refused())]);
    },
    refetchInterval: LOOK_MS,
    networkMode: 'always',
    enabled: isCarrier,
  });
  return data ?? [];
}

export const sumOf = (cash: readonly UnsentCash[]): number => cash.reduce((sum, { importe }) => sum + importe, 0);

const named = (cash: readonly UnsentCash[]) => (cash.length === 1 ? `1 cobro (${cash[0]?.numero})` : `${cash.length} cobros`);

export function Unsent({ cash }: { cash: readonly UnsentCash[] }) {
  const waiting = cash.filter(({ rechazado }) => !rechazado);
  const refused = cash.filter(({ rechazado }) => rechazado);
  return (
    <>
      {waiting.length > 0 && (
        <Text role="status">
          De ellos, <strong>{money(sumOf(waiting))}</strong> de {named(waiting)} que este teléfono no ha enviado todavía. Si entregas la
          caja antes, serán otra entrega del mismo día.
        </Text>
      )}
      {refused.length > 0 && (
        <Text role="status">
          De ellos, <strong>{money(sumOf(refused))}</strong> de {named(refused)} que no se ha registrado: los registra la oficina.
        </Text>
      )}
    </>
  );
}

/** Tells the carrier to leave unsent cash out of the count. */
export function NotCounted({ cash }: { cash: readonly UnsentCash[] }) {
  if (cash.length === 0) return null;
  return (
    <Text role="note">
      No cuentes aquí <strong>{money(sumOf(cash))}</strong> de {named(cash)}: este teléfono no los ha enviado, y entran en la caja cuando
      lleguen. Si puedes, espera a tener cobertura.
    </Text>
  );
}
