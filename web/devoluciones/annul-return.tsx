import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { anularDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { useMutate } from '../api.ts';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';

/** Annuls a return that was registered by mistake. */
export function AnnulReturn({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const form = useForm({
    initialValues: { motivo: '' },
    validate: { motivo: (motivo) => (motivo.trim() ? null : 'Indica el motivo') },
  });
  const annul = useMutate(anularDevolucion, { form, failure: 'No se pudo anular la devolución' });
  if (!asking) {
    return (
      <Button variant="subtle" color="red" size="compact-sm" ml={-8} onClick={() => setAsking(true)}>
        Anular
      </Button>
    );
  }
  const submit = onValid(form, ({ motivo }) => annul.mutate({ params: { id }, body: { motivo: motivo.trim() } }));
  return (
    <form onSubmit={submit} noValidate aria-label="Anular la devolución">
      <TextInput
        label="Motivo"
        description="Lo que volvió al stock saldrá de él."
        placeholder="Por qué se registró por error"
        maxLength={300}
        autoComplete="off"
        autoFocus
        withAsterisk
        aria-required
        {...form.getInputProps('motivo')}
      />
      <FormActions submit="Anular la devolución" pending="Guardando..." busy={annul.isPending} onCancel={() => setAsking(false)} danger />
    </form>
  );
}
