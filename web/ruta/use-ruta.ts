import { useState } from 'react';
import { getRuta, guardarRuta } from '../../contract/ruta/ruta.ts';
import { ApiError, useApi } from '../api.ts';
import type { Operation } from '../outbox/operation.ts';
import { outboxFor, sayFault } from '../pedidos/actions/outbox.ts';
import { useSession } from '../session/session.ts';
import { isoDay, today } from '../ui/format/format.ts';
import { toast } from '../ui/page/toast.tsx';
import { type Orden, pinnedAtEnds } from './arrange.ts';

const EMPTY: Orden = { pedidos: [], primera: null, ultima: null };

/** Today's route with this phone's unsent changes. `arrange` shows a new sequence at once, and sends it through the outbox. */
export function useRuta(operations: readonly Operation[]) {
  const actor = useSession();
  const { data } = useApi(getRuta, {});
  // The new sequence of visits, until the outbox has stored it.
  const [shown, setShown] = useState<Orden>();
  const own = operations.findLast(({ path, state, at }) => path === guardarRuta.path && state !== 'rechazado' && isoDay(at) === today());
  const ruta = shown ?? (own?.body as Orden | undefined) ?? data?.data ?? EMPTY;

  async function store(orden: Orden): Promise<void> {
    const at = new Date().toISOString();
    const outbox = outboxFor(actor);
    const before = outbox.operations().filter(({ path, state }) => path === guardarRuta.path && state === 'pendiente');
    const { method, path } = guardarRuta;
    const numero = 'Ruta del día';
    const result = outbox.add({ pedido: 'ruta', numero, label: 'Ordenar', method, path, body: { ...orden, ocurrido: at }, at });
    // Only the last arrangement is worth sending.
    await Promise.all(before.map(({ id }) => outbox.discard(id)));
    const answer = await result;
    if (answer.kind === 'refused' && answer.error instanceof ApiError) toast.failure(answer.error, 'No se pudo guardar la ruta');
    if (answer.kind === 'faulty') sayFault(answer.reason);
  }

  function arrange(orden: Orden): void {
    const next = pinnedAtEnds(orden);
    setShown(next);
    store(next)
      .catch(() => toast.error('Este teléfono no puede guardar la ruta'))
      .finally(() => setShown((now) => (now === next ? undefined : now)));
  }

  const { pedidos, primera, ultima } = ruta;
  return { ruta: { pedidos, primera, ultima }, paradas: data?.data.paradas ?? [], arrange };
}
