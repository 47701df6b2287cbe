import { Stack } from '@mantine/core';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { NotePago } from '../pagos/note-pago.tsx';
import { Subject } from '../subject.tsx';
import { NOTE_PAYMENT, type PedidoDialogProps } from './actions.ts';

export const PayDialog = ({ pedido, onClose }: PedidoDialogProps) => (
  <FormDialog opened={!!pedido} onClose={onClose} title={NOTE_PAYMENT} fillsPhone={false}>
    {({ dirty, onCancel }) =>
      pedido && (
        <Stack>
          <Subject pedido={pedido} />
          <NotePago key={pedido.id} pedido={pedido} onDone={onClose} onCancel={onCancel} dirty={dirty} />
        </Stack>
      )
    }
  </FormDialog>
);
