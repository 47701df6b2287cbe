import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { installWords, isInstalled } from '../outbox/installed.ts';
import { unsentCash } from '../outbox/unsent-cash.ts';
import { outboxFor } from '../pedidos/actions/outbox.ts';
import { useSession } from '../session/session.ts';
import { fechaHora, money } from '../ui/format/format.ts';
import { Panel } from '../ui/page/panel.tsx';
import { toast } from '../ui/page/toast.tsx';

const LOOK_MS = 5000;

/** Unsent operations on a carrier's phone, and whether the browser has granted persistent storage. */
export function OfflineSection() {
  const actor = useSession();
  const { data, isError, refetch } = useQuery({
    queryKey: ['telefono', actor.id],
    queryFn: async () => {
      const operations = await outboxFor(actor).unsent();
      return { operations, kept: (await navigator.storage?.persisted?.()) ?? false };
    },
    refetchInterval: LOOK_MS,
  });
  const send = useMutation({
    mutationFn: async () => outboxFor(actor).sendNow(),
    onSettled: () => refetch(),
  });
  const keep = useMutation({
    mutationFn: async () => (await navigator.storage?.persist?.()) ?? false,
    onSuccess: (kept) => {
      if (kept) toast.success('El navegador lo guardará');
      else toast.info('El navegador no lo ha concedido. Instala Enruta en el teléfono y vuelve a pedirlo.');
      void refetch();
    },
  });
  const [oldest] = data?.operations ?? [];
  const count = data?.operations.length ?? 0;
  const cash = unsentCash(data?.operations ?? []).reduce((sum, { importe }) => sum + importe, 0);
  return (
    <Panel title="Trabajar sin cobertura">
      <Stack>
        {isError && <Text>Este navegador no puede guardar lo que haces sin cobertura.</Text>}
        {data && (
          <Group justify="space-between">
            <Text>
              {oldest
                ? `${count === 1 ? 'Queda 1 acto' : `Quedan ${count} actos`} por enviar; el más antiguo, del ${fechaHora(oldest.at)}.${cash > 0 ? ` En efectivo, ${money(cash)}.` : ''}`
                : 'Todo lo que has hecho en este teléfono está enviado.'}
            </Text>
            {oldest && (
              <Button variant="default" size="xs" disabled={send.isPending} onClick={() => send.mutate()}>
                Enviar ahora
              </Button>
            )}
          </Group>
        )}
        {data && (
          <Group justify="space-between">
            <Text flex="1 1 14rem">
              {data.kept
                ? 'El navegador guarda lo pendiente hasta que se envía.'
                : 'El navegador puede borrar lo pendiente si falta sitio o si pasan días sin abrir Enruta.'}
            </Text>
            {!data.kept && (
              <Button variant="default" size="xs" disabled={keep.isPending} onClick={() => keep.mutate()}>
                Pedir que lo guarde
              </Button>
            )}
          </Group>
        )}
        <Text c="dimmed">
          {isInstalled() ? 'Enruta está instalada en este teléfono.' : `Instala Enruta para no perder nada. ${installWords()}`}
        </Text>
      </Stack>
    </Panel>
  );
}
