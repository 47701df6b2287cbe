import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { inputField } from '../../../contract/pedidos/inputs.ts';
import { calcularDevolucion, type lotePedidos } from '../../../contract/pedidos/lote.ts';
import { useApi } from '../../api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions, GrowingTextarea } from '../../ui/form/form-actions.tsx';
import { Skeletons } from '../../ui/list/loaded.tsx';
import { RefundDue } from '../pagos/refund-due.tsx';
import { pedidos } from '../table/use-selection.ts';

type CancelFormProps = {
  n: number;
  which: BodyIn<typeof lotePedidos>['pedidos'];
  busy: boolean;
  onClose: () => void;
  onSubmit: (motivo: string) => void;
};

export default function CancelLoteDialog({ opened, ...props }: CancelFormProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title="Cancelar pedidos" size="md" fillsPhone={false}>
      <CancelLoteForm {...props} />
    </Dialog>
  );
}

function CancelLoteForm({ n, which, busy, onClose, onSubmit }: CancelFormProps) {
  const { label, max } = inputField('motivo');
  const form = useForm({ initialValues: { motivo: '' } });
  const owed = useApi(calcularDevolucion, { body: { pedidos: which } }, { staleTime: 0 });
  return (
    <form onSubmit={form.onSubmit(({ motivo }) => onSubmit(motivo))} noValidate>
      <Stack>
        <Text size="md">
          ¿Cancelar <strong>{pedidos(n)}</strong>? Quedarán cancelados para siempre y sus unidades volverán al stock. Los que no se puedan
          cancelar se quedan como están.
        </Text>
        {owed.isPending && <Skeletons heights={[48]} />}
        {owed.error && (
          <Text c="var(--mantine-color-error)" role="alert">
            No se sabe si habrá que reembolsar dinero: {owed.error.message}
          </Text>
        )}
        {owed.data && <RefundDue paid={owed.data.pagados} amount={owed.data.importe} of={n} />}
        <GrowingTextarea
          label={`${label} (opcional)`}
          description="Queda en el historial de cada pedido"
          minRows={2}
          maxLength={max}
          data-autofocus
          {...form.getInputProps('motivo')}
        />
        <FormActions submit={`Cancelar ${pedidos(n)}`} pending="Cancelando..." busy={busy} onCancel={onClose} danger />
      </Stack>
    </form>
  );
}
