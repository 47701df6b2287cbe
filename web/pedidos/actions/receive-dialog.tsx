import { ReceiveGoods } from '../../devoluciones/receive-goods.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { Subject } from '../subject.tsx';
import type { PedidoDialogProps } from './actions.ts';

export const ReceiveDialog = ({ pedido, onClose }: PedidoDialogProps) => (
  <FormDialog opened={!!pedido} onClose={onClose} title="¿Ha vuelto la mercancía?" fillsPhone={false}>
    {() =>
      pedido && (
        <>
          <Subject pedido={pedido} />
          <ReceiveGoods key={pedido.id} id={pedido.id} onDone={onClose} />
        </>
      )
    }
  </FormDialog>
);
