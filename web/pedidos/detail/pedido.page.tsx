import { Button, Paper, Skeleton, Stack } from '@mantine/core';
import { IconArrowLeft, IconPencil } from '@tabler/icons-react';
import { useCanGoBack, useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { useReadNotices } from '../../notifications/use-read-notices.ts';
import { useSession } from '../../session/session.ts';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { ErrorState } from '../../ui/list/loaded.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { sealedReason } from '../actions/actions.ts';
import { PedidoEdit } from '../edit/pedido-form.tsx';
import { OpenOrder } from './open-order.tsx';
import { OrderTitle } from './order-head.tsx';
import classes from './pedido.module.css';
import { SituationBar } from './situation.tsx';
import { useActions } from './use-actions.tsx';

export default function PedidoPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useApi(getPedido, { params: { id } });
  const pedido = data && isWhole(data.data) ? data.data : undefined;
  const back = useBack();

  return (
    <Stack gap="md">
      {pedido ? (
        <Loaded pedido={pedido} back={back} />
      ) : (
        <>
          <PageHeader title="Pedido" actions={back} />
          {error ? (
            <ErrorState title="No se pudo cargar el pedido" error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton h={420} role="status" aria-label="Cargando..." />
          )}
        </>
      )}
    </Stack>
  );
}

function Loaded({ pedido, back }: { pedido: Pedido; back: ReactNode }) {
  useReadNotices(pedido.id);
  const actor = useSession();
  const navigate = useNavigate();
  const actions = useActions();
  const dirty = useRef<() => boolean>(null);
  useUnsaved(() => !!dirty.current?.());
  const sealed = sealedReason(pedido);
  const editing = useLocation({ select: ({ pathname }) => /\/editar\/?$/.test(pathname) });
  const view = () => void navigate({ to: '/pedidos/$id', params: { id: pedido.id }, replace: true });
  const edit = () => void navigate({ to: '/pedidos/$id/editar', params: { id: pedido.id }, replace: true });

  return (
    <>
      <PageHeader
        title={<OrderTitle pedido={pedido} />}
        actions={
          <>
            {back}
            {!editing && can(actor, 'pedido:edit', pedido) && !sealed && (
              <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
                Editar
              </Button>
            )}
          </>
        }
      />
      <Paper p="md" className={classes.page}>
        {editing && !sealed ? (
          <Stack gap="md">
            <SituationBar pedido={pedido} onAction={actions.run} brief />
            <PedidoEdit key={pedido.id} pedido={pedido} dirty={dirty} onCancel={view} onSaved={() => void navigate({ to: '/pedidos' })} />
          </Stack>
        ) : (
          <OpenOrder pedido={pedido} onAction={actions.run} dirty={dirty} />
        )}
      </Paper>
      {actions.dialogs}
    </>
  );
}

/** «Volver»: goes back in history; without history, to the list. */
function useBack() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  const go = () => (canGoBack ? router.history.back() : void navigate({ to: '/pedidos' }));
  return (
    <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={go}>
      Volver
    </Button>
  );
}
