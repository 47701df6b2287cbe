import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { REVERSALS, type ReversalName } from '../../contract/pedidos/reversals.ts';
import { showResult, storeUndo } from '../pedidos/actions/outbox.ts';
import { notStored } from '../pedidos/actions/use-carrier-step.ts';
import { Subject } from '../pedidos/subject.tsx';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { GrowingTextarea, useReason } from '../ui/form/form-actions.tsx';
import { ThumbForm } from '../ui/form/thumb-form.tsx';
import { toast } from '../ui/page/toast.tsx';

type Props = { pedido: PedidoTransportista | undefined; name: ReversalName | undefined; onClose: () => void };

const REASONS: Record<ReversalName, readonly string[]> = {
  deshacer_entrega: ['Era otro pedido', 'Lo he pulsado sin querer'],
  volver_de_ruta: ['No ha salido', 'No me ha dado tiempo', 'Es para otro día'],
  reabrir: [],
};

/** Takes a carrier's step back: the tap on a reason does it, also without coverage. */
export const UndoStepDialog = ({ pedido, name, onClose }: Props) => (
  <FormDialog opened={!!pedido && !!name} onClose={onClose} title={name && REVERSALS[name].label}>
    {(inDialog) => pedido && name && <UndoForm key={pedido.id} pedido={pedido} name={name} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

type FormProps = InDialog & { pedido: PedidoTransportista; name: ReversalName; onDone: () => void };

function UndoForm({ pedido, name, onDone, onCancel }: FormProps) {
  const actor = useSession();
  const form = useReason('Por favor, explica el motivo');
  const [isOther, setOther] = useState(false);
  const [busy, setBusy] = useState(false);
  const failure = 'No se pudo deshacer';

  async function undo(motivo: string) {
    if (busy) return;
    setBusy(true);
    try {
      const result = await storeUndo(actor, { pedido, name, motivo });
      if (result.kind === 'gone') toast.success(`${pedido.numero_orden}: deshecho. No había salido de este teléfono`);
      else await showResult(actor, result, { success: `${pedido.numero_orden}: ${REVERSALS[name].done.toLowerCase()}`, failure });
      onDone();
    } catch (error) {
      notStored(error, failure);
      setBusy(false);
    }
  }
  const submit = form.onSubmit(({ motivo }) => void undo(motivo.trim()));
  const intro = (
    <>
      <Subject pedido={pedido} />
      <Text c="dimmed">{REVERSALS[name].consequence}</Text>
    </>
  );
  if (isOther)
    return (
      <ThumbForm onSubmit={() => submit()} submit={REVERSALS[name].label} busy={busy} other={{ label: 'Cancelar', onClick: onCancel }}>
        {intro}
        <GrowingTextarea label="Motivo" minRows={2} maxLength={300} required data-autofocus {...form.getInputProps('motivo')} />
      </ThumbForm>
    );
  return (
    <Stack gap="xs" role="group" aria-label="Por qué">
      {intro}
      {REASONS[name].map((reason, i) => (
        <Button
          key={reason}
          variant="default"
          size="md"
          mih={48}
          disabled={busy}
          data-autofocus={i === 0 || undefined}
          onClick={() => void undo(reason)}
        >
          {reason}
        </Button>
      ))}
      <Button variant="default" size="md" mih={48} disabled={busy} onClick={() => setOther(true)}>
        Otro motivo
      </Button>
    </Stack>
  );
}
