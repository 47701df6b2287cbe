import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { unsentCash } from '../outbox/unsent-cash.ts';
import { useSession } from '../session/session.ts';
import { money } from '../ui/format/format.ts';

const LOOK_MS = 5000;

/** Cash of steps that this telephone has not sent: it is in hand, but in no day of the Caja yet. Nothing where all is sent. */
export function Unsent() {
  const actor = useSession();
  const { data } = useQuery({
    queryKey: ['telefono', 'efectivo', actor.id],
    queryFn: async () => {
      const { outboxFor } = await import('../pedidos/actions/outbox.ts');
      return unsentCash(await outboxFor(actor).unsent());
    },
    refetchInterval: LOOK_MS,
    networkMode: 'always',
  });
  if (!data?.length) return null;
  const amount = data.reduce((sum, { importe }) => sum + importe, 0);
  const which = data.length === 1 ? `1 cobro (${data[0]?.numero})` : `${data.length} cobros`;
  return (
    <Text size="sm" role="status">
      Además llevas <strong>{money(amount)}</strong> de {which} que este teléfono no ha enviado todavía. Si entregas la caja antes, pasarán
      a la del día siguiente.
    </Text>
  );
}
