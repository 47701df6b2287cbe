import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { recibirDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { useMutate } from '../api.ts';
import { FormActions } from '../ui/form/form-actions.tsx';

/** Receives undelivered goods from their carrier, or records that they did not come back. */
export function ReceiveGoods({ id, numero }: { id: string; numero?: string }) {
  const [missing, setMissing] = useState(false);
  const form = useForm({
    initialValues: { motivo: '' },
    validate: { motivo: (motivo) => (motivo.trim() ? null : 'Indica por qué no vuelve al stock') },
  });
  const save = useMutate(recibirDevolucion, { form, failure: 'No se pudo recibir la mercancía' });
  const of = numero ? ` de ${numero}` : '';
  if (missing)
    return (
      <form
        onSubmit={form.onSubmit(({ motivo }) => save.mutate({ params: { id }, body: { destino: 'baja', motivo: motivo.trim() } }))}
        noValidate
        aria-label={`No vuelve al stock${of}`}
      >
        <TextInput
          label="Motivo"
          description="Se da de baja y se avisa al transportista."
          maxLength={300}
          autoComplete="off"
          autoFocus
          withAsterisk
          aria-required
          {...form.getInputProps('motivo')}
        />
        <FormActions submit="Dar de baja" pending="Guardando..." busy={save.isPending} onCancel={() => setMissing(false)} danger />
      </form>
    );
  return (
    <Group gap="xs">
      <Button
        mih={44}
        variant="light"
        loading={save.isPending}
        aria-label={`Recibida${of}`}
        onClick={() => save.mutate({ params: { id }, body: { destino: 'stock', motivo: null } })}
      >
        Recibida
      </Button>
      <Button mih={44} variant="subtle" aria-label={`No ha vuelto${of}`} onClick={() => setMissing(true)}>
        No ha vuelto
      </Button>
    </Group>
  );
}
