import { Button, Group, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { getPedido, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { isWhole } from '../../../contract/pedidos/whole.ts';
import { can } from '../../../contract/policy.ts';
import { useApi } from '../../api.ts';
import Comments from '../../comentarios/comments.tsx';
import Returns from '../../devoluciones/returns.tsx';
import { useReadNotices } from '../../notifications/use-read-notices.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { MetadataSection } from '../../ui/page/metadata.tsx';
import type { PedidoDialogProps } from '../actions/actions.ts';
import { FixedFacts } from '../edit/pedido-facts.tsx';
import classes from '../edit/pedido-form.module.css';
import { ClienteView, PedidoEdit } from '../edit/pedido-form.tsx';
import { Pagos } from '../pagos/pagos.tsx';
import Attempts from './attempts.tsx';
import { CompanyNotice } from './company-notice.tsx';
import { DeletedNotice } from './deleted-notice.tsx';
import DeliveryProof from './delivery-proof.tsx';
import { Historial } from './history.tsx';
import { IncidentNotice } from './incident-notice.tsx';
import { OrderHead } from './order-head.tsx';
import { useOwed } from './owed.tsx';
import { PedidoSteps } from './pedido-steps.tsx';

/** Order dialog over the list: view, edit, payments and history. */
export function PedidoDialog({ pedido, action, onClose, ...rest }: PedidoDialogProps) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={`Pedido ${pedido?.numero_orden}`} size="xl">
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

function Content({ row, edit, onClose, dirty, onAction, around }: ContentProps) {
  const actor = useSession();
  useReadNotices(row.id);
  const [editing, setEditing] = useState(edit);
  const box = useRef<HTMLDivElement>(null);
  // The pressed button unmounts, so the focus moves to the first editable field, or back to «Editar».
  const turn = (to: boolean) => {
    flushSync(() => setEditing(to));
    box.current?.querySelector<HTMLElement>(to ? ':is(input, textarea):not(:read-only)' : '[data-edit]')?.focus();
  };
  const { data, error, refetch } = useApi(getPedido, { params: { id: row.id } });
  // Shows the list's row until the order loads; only the loaded order can be edited.
  const fresh = data && isWhole(data.data) ? data.data : undefined;
  const pedido = fresh ?? row;
  const owed = useOwed(pedido);
  if (error && !fresh) return <ErrorState title="No se pudo cargar el pedido" error={error} onRetry={() => void refetch()} />;
  if (editing && fresh) {
    return (
      <div ref={box}>
        <PedidoEdit pedido={fresh} onCancel={edit ? onClose : () => turn(false)} onSaved={onClose} dirty={dirty} />
      </div>
    );
  }
  return (
    <Stack gap="lg" ref={box}>
      <Stack gap="xs">
        <OrderHead pedido={pedido} due={owed.due} back={owed.back} />
        <PedidoSteps pedido={pedido} onAction={onAction} around={around} further={owed.further} />
      </Stack>
      <DeletedNotice pedido={pedido} />
      <IncidentNotice pedido={pedido} isStep />
      <CompanyNotice pedido={pedido} />
      <FixedFacts pedido={pedido} />
      <Pagos key={`pagos ${owed.started}`} pedido={pedido} start={owed.started === 'refund'} />
      <Returns key={`devoluciones ${owed.started}`} pedido={pedido} start={owed.started} dirty={dirty} />
      <Attempts pedido={pedido} />
      {pedido.estado === 'completado' && <DeliveryProof id={row.id} />}
      <ClienteView key={pedido.version} pedido={pedido} />
      <MetadataSection metadata={pedido.metadata} />
      <Comments pedido={pedido} />
      <Historial id={row.id} />
      <Group justify="flex-end" gap="xs" className={classes.actions}>
        <Button
          variant="subtle"
          mr="auto"
          px="xs"
          renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: row.id }} replace />}
        >
          Abrir en su página
        </Button>
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
        {can(actor, 'pedido:edit', pedido) && (
          <Button
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
            disabled={!fresh}
            data-edit
            onClick={() => turn(true)}
          >
            Editar
          </Button>
        )}
      </Group>
    </Stack>
  );
}
