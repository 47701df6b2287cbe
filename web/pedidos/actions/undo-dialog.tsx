import '@mantine/core/styles/List.css';
import { Button, Group, List, Skeleton, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { deshacerPaso, verDeshacer } from '../../../contract/deshacer/deshacer.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { REVERSALS, type ReversalName } from '../../../contract/pedidos/reversals.ts';
import { useApi, useMutate } from '../../api.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, useReason } from '../../ui/form/form-actions.tsx';
import { Subject } from '../subject.tsx';
import type { PedidoDialogProps } from './actions.ts';

/** Takes the last step of an order back: says beforehand what that takes back, or who can help. */
export function UndoDialog({ pedido, action, onClose }: PedidoDialogProps) {
  const name = action.kind === 'undo' ? action.name : undefined;
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={name && REVERSALS[name].label} fillsPhone={false}>
      {(inDialog) => pedido && name && <UndoForm key={pedido.id} pedido={pedido} name={name} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

type Props = InDialog & { pedido: NonNullable<PedidoDialogProps['pedido']>; name: ReversalName; onDone: () => void };

function UndoForm({ pedido, name, onDone, ...inDialog }: Props) {
  const { data, error } = useApi(verDeshacer, { params: { id: pedido.id } });
  const form = useReason();
  const save = useMutate(deshacerPaso, {
    form,
    success: `${pedido.numero_orden}: ${REVERSALS[name].done.toLowerCase()}`,
    failure: 'No se pudo deshacer',
    onSuccess: onDone,
  });
  const { rechazo, con_motivo, consecuencias = [], vuelve_a } = data?.data ?? {};
  const refusal = error?.message ?? rechazo;
  const undo = (motivo: string | null) => save.mutate({ params: { id: pedido.id }, body: { paso: name, motivo, version: pedido.version } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const motivo = form.values.motivo.trim();
    if (con_motivo && form.validate().hasErrors) return;
    undo(motivo || null);
  };
  if (refusal)
    return (
      <>
        <Subject pedido={pedido} />
        <Text my="sm" role="alert">
          {refusal}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={inDialog.onCancel}>
            Cerrar
          </Button>
        </Group>
      </>
    );
  return (
    <DialogForm {...inDialog} form={form} onSubmit={submit} submit={REVERSALS[name].label} busy={save.isPending || !data} danger>
      <Subject pedido={pedido} />
      {data ? (
        <>
          {vuelve_a && <Text c="dimmed">El pedido vuelve a «{ESTADO[vuelve_a].label}».</Text>}
          <List aria-label="Qué se deshace">
            {consecuencias.map((words) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
          </List>
        </>
      ) : (
        <Skeleton h={96} />
      )}
      <GrowingTextarea
        label={con_motivo === false ? 'Motivo (opcional)' : 'Motivo'}
        minRows={2}
        maxLength={300}
        required={con_motivo !== false}
        data-autofocus
        {...form.getInputProps('motivo')}
      />
    </DialogForm>
  );
}
