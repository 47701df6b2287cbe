import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useImperativeHandle } from 'react';
import { writable } from '../../../contract/pedidos/access.ts';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import type { InDialog } from '../../ui/dialog/form-dialog.tsx';
import { ConflictPanel } from '../../ui/form/conflict-panel.tsx';
import { DayField } from '../../ui/form/day-field.tsx';
import { mayLose } from '../../ui/form/unsaved.ts';
import { fecha, today } from '../../ui/format/format.ts';
import { ClienteFields } from '../cliente/cliente-fields.tsx';
import { ShippingMeans } from '../pagos/shipping-means.tsx';
import { FixedFacts } from './pedido-facts.tsx';
import classes from './pedido-form.module.css';
import { restriction, useEdit } from './use-edit.ts';

type EditProps = Pick<InDialog, 'dirty' | 'onCancel'> & {
  pedido: Pedido;
  onSaved: () => void;
  /** True to omit the facts that cannot be edited. */
  brief?: boolean;
};

/** Form to edit an order; locked fields stay read-only. */
export function PedidoEdit({ pedido, onCancel, onSaved, dirty, brief = false }: EditProps) {
  const actor = useSession();
  const { form, submit, saving, base, differences } = useEdit(pedido, onSaved);
  useImperativeHandle(dirty, () => () => form.isDirty() && !saving);
  const cancel = async () => {
    if (form.isDirty() && !saving && !(await mayLose())) return;
    form.resetDirty();
    onCancel();
  };
  const because = restriction(base);
  const may = writable(actor, base);
  const blocked = !may.includes('instrucciones');
  return (
    <form onSubmit={submit} noValidate aria-label={`Editar el pedido ${pedido.numero_orden}`}>
      <Stack gap="md">
        {differences && (differences.length > 0 || !blocked) && (
          <ConflictPanel
            title="Otra persona ha cambiado este pedido mientras lo editabas"
            differences={differences}
            values={form.values}
            label={(field) => pedidoField(field).label}
            show={(field, value) => (field === 'fecha_estimada' && value ? fecha(String(value)) : String(value ?? ''))}
            editable={(field) => may.includes(field)}
            onPick={(field, value) => form.setFieldValue(field, String(value))}
          />
        )}
        {because && (
          <Alert color="gray" icon={<IconInfoCircle size={18} />} role="note">
            {because}
          </Alert>
        )}
        {!brief && (
          <FixedFacts
            pedido={base}
            promised={
              may.includes('fecha_estimada') && <DayField {...form.getInputProps('fecha_estimada')} label="Fecha estimada" min={today()} />
            }
          />
        )}
        <ClienteFields form={form} prefixed pedido={base} />
        <ShippingMeans pedido={base} address={form.values} />
        <Group justify="flex-end" className={classes.actions}>
          <Button variant="default" onClick={() => void cancel()}>
            Cancelar
          </Button>
          <Button type="submit" disabled={saving || blocked}>
            {saving ? 'Guardando...' : 'Guardar cambios'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
