import { useEffect, useState } from 'react';
import { importPedidos } from '../../../contract/pedidos/import.ts';
import { useMutate } from '../../api.ts';
import { toast } from '../../ui/page/toast.tsx';
import { LIMIT_MS, type Refused, refusedRows, type Sent, type useServerCheck } from './use-server-check.ts';

type Given = {
  sent: Sent | undefined;
  server: ReturnType<typeof useServerCheck>;
  ready: boolean;
  key: string | undefined;
  onCreated: (creados: number) => void;
  onRefused: (refused: Refused) => void;
  /** Called if an earlier request with a lost answer created orders, and rows have changed since. */
  onLost: () => void;
};

/** Creates the orders once the server has checked them. */
export function useCreate({ sent, server, ready, key, onCreated, onRefused, onLost }: Given) {
  const create = useMutate(importPedidos, {
    success: false,
    failure: 'No se pudieron crear los pedidos',
    limit: LIMIT_MS,
    onSuccess: ({ creados }) => onCreated(creados),
    onError: (error) => {
      if (error.code === 'idempotency') {
        // An earlier request, whose answer was lost, did create the orders.
        onLost();
        toast.error('El envío anterior sí creó los pedidos. Compruébalos en la lista antes de crear otros.');
      } else if (sent) {
        onRefused(refusedRows(sent, error.errors));
        if (error.status === 422) server.again();
      }
    },
  });
  // Remembers a press during the server's check, and creates the orders if the check passes.
  const [pressed, setPressed] = useState<Sent>();
  const { mutate } = create;
  useEffect(() => {
    if (!pressed || pressed !== sent || !key || !(server.data || server.error)) return;
    setPressed(undefined);
    if (ready) mutate({ body: pressed.body, headers: { 'idempotency-key': key } });
  }, [pressed, sent, key, server.data, server.error, ready, mutate]);
  return { sending: create.isPending, pressed: !!pressed && pressed === sent, create: () => setPressed(sent) };
}
