import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useState } from 'react';
import { ESTADO, type Transition } from '../../../contract/pedidos.flow.ts';
import { type Pedido, setEstado } from '../../../contract/pedidos.ts';
import { useMutate } from '../../api.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../../ui/form/focus-first.ts';
import { FormActions } from '../../ui/form/form-actions.tsx';
import type { PedidoDialogProps } from './actions.ts';

/** Takes an order through a transition that is not completing it: «Marcar como pagado», «Cancelar pedido»… */
export function EstadoDialog({ pedido, accion, onClose }: PedidoDialogProps) {
  const transition = 'transition' in accion ? accion.transition : undefined;
  // Stays drawn while the dialog fades out.
  const [shown, setShown] = useState({ pedido, transition });
  if (pedido && (pedido !== shown.pedido || transition !== shown.transition)) setShown({ pedido, transition });
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={shown.transition?.label} fillsPhone={false}>
      {(inDialog) =>
        shown.pedido &&
        shown.transition && (
          <EstadoForm key={shown.pedido.id} pedido={shown.pedido} transition={shown.transition} onDone={onClose} {...inDialog} />
        )
      }
    </FormDialog>
  );
}

/** What happens, said before it does. */
function consequence({ to, needs, effect }: Transition): string {
  if (needs === 'referencia') return 'El pedido pasará a pendiente y los transportistas podrán tomarlo.';
  if (effect === 'return') return 'El pedido quedará cancelado para siempre y sus unidades volverán al stock.';
  if (effect === 'release') return 'El pedido quedará sin transportista y cualquiera podrá tomarlo.';
  if (needs === 'motivo') return 'El pedido volverá a estar asignado al mismo transportista.';
  return `El pedido pasará a «${ESTADO[to].label}».`;
}

type FormProps = InDialog & { pedido: Pedido; transition: Transition; onDone: () => void };

function EstadoForm({ pedido, transition, onDone, dirty, onBusy, onCancel }: FormProps) {
  const { to, label, needs } = transition;
  const form = useForm({
    initialValues: { referencia: '', motivo: '' },
    validate: {
      referencia: (value) => (needs === 'referencia' && !value.trim() ? 'Indica la referencia del pago' : null),
      motivo: (value) => (needs === 'motivo' && !value.trim() ? 'Indica el motivo del intento fallido' : null),
    },
  });
  useImperativeHandle(dirty, () => form.isDirty);
  const save = useMutate(setEstado, {
    success: `${pedido.numero_orden}: ${ESTADO[to].label}`,
    failure: 'No se pudo cambiar el estado',
    form,
  });

  const submit = form.onSubmit(
    ({ referencia, motivo }) => {
      onBusy(true);
      save.mutate(
        {
          params: { id: pedido.id },
          body: { estado: to, referencia: referencia.trim() || null, motivo: motivo.trim() || null, version: pedido.version },
        },
        // The server's sentence has said that the order is no longer what it was; the list is already being read again.
        {
          onSuccess: onDone,
          onError: ({ status }) => (status === 404 || status === 409) && onDone(),
          onSettled: () => onBusy(false),
        },
      );
    },
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text>
          Pedido <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}
        </Text>
        <Text c="dimmed" size="sm">
          {consequence(transition)}
        </Text>
        {needs === 'referencia' && (
          <TextInput
            label="Referencia del pago"
            description="El concepto de la transferencia, el número de recibo…"
            withAsterisk
            aria-required
            maxLength={120}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('referencia')}
          />
        )}
        {(needs === 'motivo' || to === 'cancelado') && (
          <Textarea
            label={needs === 'motivo' ? 'Motivo' : 'Motivo (opcional)'}
            withAsterisk={needs === 'motivo'}
            aria-required={needs === 'motivo'}
            maxLength={300}
            autosize
            minRows={2}
            data-autofocus
            {...form.getInputProps('motivo')}
          />
        )}
        <FormActions submit={label} pending="Guardando..." busy={save.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
