import { Alert, Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useImperativeHandle } from 'react';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import { lineasRefusal } from '../../../contract/pedidos/flow.ts';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { ConflictPanel } from '../../ui/form/conflict-panel.tsx';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { NumberField } from '../../ui/form/form-number.tsx';
import { ErrorState } from '../../ui/list/loaded.tsx';
import { Subject } from '../subject.tsx';
import classes from './lineas.module.css';
import { LineasFields } from './lineas-fields.tsx';
import { NewTotal } from './outcome.tsx';
import { useEditLineas } from './use-edit-lineas.ts';

export default function LineasDialog({ pedido, onClose }: { pedido: Pedido | undefined; onClose: () => void }) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title="Cambiar productos" size="xl">
      {(inDialog) => pedido && <Content key={pedido.id} id={pedido.id} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

type InForm = InDialog & { onDone: () => void };

function Content({ id, ...props }: InForm & { id: string }) {
  const actor = useSession();
  const { data, error, refetch } = useApi(getPedido, { params: { id } });
  const pedido = data && isWhole(data.data) ? data.data : undefined;
  if (pedido?.lineas) return <EditLineas pedido={pedido} refusal={lineasRefusal(actor, pedido)} {...props} />;
  if (error) return <ErrorState title="No se pudo cargar el pedido" error={error} onRetry={() => void refetch()} />;
  return <Skeleton h={260} role="status" aria-label="Cargando..." />;
}

function EditLineas({ pedido, refusal, dirty, onCancel, onDone }: InForm & { pedido: Pedido; refusal: string | undefined }) {
  const { form, submit, saving, base, kept, free, packs, ordered, isChanged, conflict, conflictText, pick } = useEditLineas(pedido, onDone);
  // Does not ask before dropping changes that can no longer be saved.
  useImperativeHandle(dirty, () => () => !refusal && isChanged() && !saving);
  return (
    <form onSubmit={submit} noValidate aria-label={`Cambiar los productos del pedido ${pedido.numero_orden}`}>
      <Stack gap="md" className={classes.edit}>
        <Subject pedido={pedido} />
        {refusal && (
          <Alert color="orange" icon={<IconInfoCircle size={18} />} role="alert">
            {refusal}.
          </Alert>
        )}
        {!refusal && conflict && conflictText && (
          <ConflictPanel
            title="Otra persona ha cambiado este pedido mientras lo editabas"
            differences={conflict.differences}
            values={conflictText}
            label={(field) => (field === 'lineas' ? 'Productos' : `${pedidoField(field).label} (€)`)}
            onPick={(field, value) => pick(field, String(value))}
          />
        )}
        <LineasFields form={form} packs={packs} free={free} kept={kept} />
        {free && (
          <SimpleGrid cols={2} spacing="sm" maw={{ base: undefined, sm: '21rem' }}>
            <NumberField {...form.getInputProps('envio')} label="Envío (€)" placeholder="0,00" decimals={2} />
            <NumberField {...form.getInputProps('descuento')} label="Descuento (€)" placeholder="0,00" decimals={2} />
          </SimpleGrid>
        )}
        <div className={classes.foot}>
          <NewTotal pedido={base} ordered={ordered} {...form.values} />
          {refusal ? (
            <Group gap="md" justify="flex-end">
              <Button variant="default" onClick={onCancel}>
                Cerrar
              </Button>
            </Group>
          ) : (
            <FormActions submit="Guardar cambios" busy={saving} onCancel={onCancel} />
          )}
        </div>
      </Stack>
    </form>
  );
}
