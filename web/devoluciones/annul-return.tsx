import { Button } from '@mantine/core';
import { useState } from 'react';
import { anularDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { useMutate } from '../api.ts';
import { ReasonForm, useReason } from '../ui/form/reason-form.tsx';

/** Annuls a return that was registered by mistake. */
export function AnnulReturn({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const form = useReason();
  const annul = useMutate(anularDevolucion, { form, failure: 'No se pudo anular la devolución' });
  if (!asking) {
    return (
      <Button variant="subtle" color="red" size="compact-sm" ml={-8} onClick={() => setAsking(true)}>
        Anular
      </Button>
    );
  }
  return (
    <ReasonForm
      form={form}
      name="Anular la devolución"
      description="Lo que volvió al stock saldrá de él."
      placeholder="Por qué se registró por error"
      autoFocus
      submit="Anular la devolución"
      busy={annul.isPending}
      onReason={(motivo) => annul.mutate({ params: { id }, body: { motivo } })}
      onCancel={() => setAsking(false)}
    />
  );
}
