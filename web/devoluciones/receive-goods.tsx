import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { recibirDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { useMutate } from '../api.ts';
import { ReasonForm, useReason } from '../ui/form/form-actions.tsx';

export function ReceiveGoods({ id, numero }: { id: string; numero?: string }) {
  const [missing, setMissing] = useState(false);
  const form = useReason('Indica por qué no vuelve al stock');
  const save = useMutate(recibirDevolucion, { form, failure: 'No se pudo recibir la mercancía' });
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
        mih={48}
        variant="light"
        loading={save.isPending}
        aria-label={`Recibida${of}`}
        onClick={() => save.mutate({ params: { id }, body: { destino: 'stock', motivo: null } })}
      >
        Recibida
      </Button>
      <Button mih={48} variant="subtle" aria-label={`No ha vuelto${of}`} onClick={() => setMissing(true)}>
        No ha vuelto
      </Button>
    </Group>
  );
}
