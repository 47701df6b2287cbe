import { ActionIcon } from '@mantine/core';
import { IconMaximize, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { useReadNotices } from '../../notifications/use-read-notices.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { ErrorState } from '../../ui/list/loaded.tsx';
import type { PedidoDialogProps } from '../actions/actions.ts';
import { PedidoEdit } from '../edit/pedido-form.tsx';
import { OpenOrder } from './open-order.tsx';
import { OrderTitle } from './order-head.tsx';

export function PedidoDialog({ pedido, action, onClose, ...rest }: PedidoDialogProps) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={pedido && <OrderTitle pedido={pedido} />} size="60rem" tall>
      {({ dirty }) =>
        pedido && (
          <Content
            key={`${pedido.id} ${action.kind}`}
            row={pedido}
            edit={action.kind === 'edit'}
            onClose={onClose}
            dirty={dirty}
            {...rest}
          />
        )
      }
    </FormDialog>
  );
}

type ContentProps = Pick<InDialog, 'dirty'> &
  Pick<PedidoDialogProps, 'onAction' | 'around'> & { row: Pedido; edit: boolean; onClose: () => void };

function Content({ row, edit, onClose, dirty, onAction = () => undefined, around }: ContentProps) {
  const actor = useSession();
  useReadNotices(row.id);
  const [editing, setEditing] = useState(edit);
  const box = useRef<HTMLDivElement>(null);
  // Moves the focus to the first editable field, or back to «Editar», because the pressed button unmounts.
  const turn = (to: boolean) => {
    flushSync(() => setEditing(to));
    box.current?.querySelector<HTMLElement>(to ? ':is(input, textarea):not(:read-only)' : '[data-edit]')?.focus();
  };
  const { data, error, refetch } = useApi(getPedido, { params: { id: row.id } });
  // Shows the list's row until the whole order loads; only the whole order can be edited.
  const fresh = data && isWhole(data.data) ? data.data : undefined;
  const pedido = fresh ?? row;
  if (error && !fresh) return <ErrorState title="No se pudo cargar el pedido" error={error} onRetry={() => void refetch()} />;
  if (editing && fresh) {
    return (
      <div ref={box}>
        <PedidoEdit pedido={fresh} onCancel={edit ? onClose : () => turn(false)} onSaved={onClose} dirty={dirty} />
      </div>
    );
  }
  const tools = (
    <>
      {can(actor, 'pedido:edit', pedido) && (
        <ActionIcon variant="subtle" color="gray" aria-label="Editar" title="Editar" disabled={!fresh} data-edit onClick={() => turn(true)}>
          <IconPencil size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Abrir en su página"
        title="Abrir en su página"
        renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: row.id }} replace preload={false} />}
      >
        <IconMaximize size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
    </>
  );
  return (
    <div ref={box}>
      <OpenOrder pedido={pedido} onAction={onAction} around={around} dirty={dirty} tools={tools} />
    </div>
  );
}
