import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { recibirMercancia } from '../../contract/devoluciones/devoluciones.ts';
import { useMutate } from '../api.ts';
import { ReasonForm, useReason } from '../ui/form/form-actions.tsx';

/** Receives the goods of an order that are on their way back; `id` is the order's. */
export function ReceiveGoods({ id, numero, onDone }: { id: string; numero?: string; onDone?: () => void }) {
  const [missing, setMissing] = useState(false);
  const form = useReason('Indica por qué no vuelve al stock');
  const save = useMutate(recibirMercancia, { form, failure: 'No se pudo recibir la mercancía', onSuccess: onDone });
  const of = numero ? ` de ${numero}` : '';
  if (missing)
    return (
      <ReasonForm
        form={form}
        name={`No vuelve al stock${of}`}
        description="Se da de baja y se avisa al transportista."
        autoFocus
        submit="Dar de baja"
        busy={save.isPending}
        onReason={(motivo) => save.mutate({ params: { id }, body: { destino: 'baja', motivo } })}
        onCancel={() => setMissing(false)}
      />
    );
  return (
    <Group>
      <Button
        variant="light"
        loading={save.isPending}
        aria-label={`Recibida${of}`}
        onClick={() => save.mutate({ params: { id }, body: { destino: 'stock', motivo: null } })}
      >
        Recibida
      </Button>
      <Button variant="subtle" aria-label={`No ha vuelto${of}`} onClick={() => setMissing(true)}>
        No ha vuelto
      </Button>
    </Group>
  );
}
