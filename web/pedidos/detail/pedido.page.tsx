import { Button, Paper, Skeleton, Stack } from '@mantine/core';
import { IconArrowLeft, IconPencil } from '@tabler/icons-react';
import { useCanGoBack, useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { getPedido, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { isWhole } from '../../../contract/pedidos/whole.ts';
import { can } from '../../../contract/policy.ts';
import { useApi } from '../../api.ts';
import Comments from '../../comentarios/comments.tsx';
import Returns from '../../devoluciones/returns.tsx';
import { useReadNotices } from '../../notifications/use-read-notices.ts';
import { useSession } from '../../session/session.ts';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { MetadataSection } from '../../ui/page/metadata.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { iconOf } from '../actions/action-icons.ts';
import { type Action, actionsFor, nextOf, POSTPONE, sealedReason } from '../actions/actions.ts';
import { ActionsMenu } from '../actions/actions-menu.tsx';
import { CustomerMessage } from '../actions/customer-message.tsx';
import { ClienteLink } from '../cliente/cliente-link.tsx';
import { SaidOfCliente } from '../cliente/said.tsx';
import { FixedFacts } from '../edit/pedido-facts.tsx';
import { ClienteView, PedidoEdit } from '../edit/pedido-form.tsx';
import { Pagos } from '../pagos/pagos.tsx';
import { AnswerButton } from './answer-button.tsx';
import Attempts from './attempts.tsx';
import { CompanyNotice } from './company-notice.tsx';
import { DeletedNotice } from './deleted-notice.tsx';
import DeliveryProof from './delivery-proof.tsx';
import { Historial } from './history.tsx';
import { IncidentNotice } from './incident-notice.tsx';
import { OrderHead } from './order-head.tsx';
import { useOwed } from './owed.tsx';
import classes from './pedido.module.css';
import { waitsForMe } from './pedido-steps.tsx';
import { SealedNotice } from './sealed-notice.tsx';
import { useActions } from './use-actions.tsx';

/** /pedidos/{id} and /pedidos/{id}/editar: one screen, with an edit mode (specification, section 2.1). */
export default function PedidoPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useApi(getPedido, { params: { id } });
  const pedido = data && isWhole(data.data) ? data.data : undefined;
  const back = useBack();

  return (
    <Stack gap="md" className={classes.page}>
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
  const owed = useOwed(pedido);
  const dirty = useRef<() => boolean>(null);
  useUnsaved(() => !!dirty.current?.());
  const editing = useLocation({ select: ({ pathname }) => /\/editar\/?$/.test(pathname) });
  const view = () => void navigate({ to: '/pedidos/$id', params: { id: pedido.id }, replace: true });
  const edit = () => void navigate({ to: '/pedidos/$id/editar', params: { id: pedido.id }, replace: true });

  return (
    <>
      <PageHeader
        title={`Pedido ${pedido.numero_orden}`}
        subtitle={editing && <ClienteLink id={pedido.cliente_id}>{pedido.cliente_nombre}</ClienteLink>}
        actions={
          <>
            {back}
            {!editing && can(actor, 'pedido:edit', pedido) && !sealedReason(pedido) && (
              <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
                Editar
              </Button>
            )}
            {!editing && can(actor, 'pedido:postpone', pedido) && !sealedReason(pedido) && (
              <Button variant="default" onClick={(event) => actions.run({ kind: 'postpone' }, pedido, event.currentTarget)}>
                {POSTPONE}
              </Button>
            )}
            {!editing && <CustomerMessage pedido={pedido} />}
            {!editing && <ActionsMenu pedido={pedido} onAction={actions.run} without={['view', 'edit']} />}
            {!editing && !pedido.deleted_at && <NextStep pedido={pedido} onAction={actions.run} />}
          </>
        }
      />
      {!editing && <OrderHead pedido={pedido} due={owed.due} back={owed.back} />}
      <DeletedNotice pedido={pedido} />
      <SealedNotice pedido={pedido} />
      <IncidentNotice pedido={pedido} isStep={!editing} />
      <CompanyNotice pedido={pedido} />
      <div className={classes.columns}>
        <Paper p="md">
          {editing && !sealedReason(pedido) ? (
            <PedidoEdit key={pedido.id} pedido={pedido} dirty={dirty} onCancel={view} onSaved={() => void navigate({ to: '/pedidos' })} />
          ) : (
            <Stack gap="md">
              <SaidOfCliente nota={pedido.cliente_nota} avisar_antes={pedido.avisar_antes} />
              <FixedFacts pedido={pedido} />
              <ClienteView key={pedido.version} pedido={pedido} />
              <MetadataSection metadata={pedido.metadata} />
              <Attempts pedido={pedido} />
              {pedido.estado === 'completado' && <DeliveryProof id={pedido.id} />}
            </Stack>
          )}
        </Paper>
        <Stack gap="md">
          <Paper p="md">
            <Pagos pedido={pedido} />
          </Paper>
          {pedido.estado === 'completado' && (
            <Paper p="md">
              <Returns pedido={pedido} dirty={editing ? undefined : dirty} />
            </Paper>
          )}
          <Paper p="md">
            <Comments pedido={pedido} />
          </Paper>
          <Paper p="md">
            <Historial id={pedido.id} />
          </Paper>
        </Stack>
      </div>
      {actions.dialogs}
    </>
  );
}

/** The one blue button: the next step, or the answer that the order waits for. */
function NextStep({ pedido, onAction }: { pedido: Pedido; onAction: (action: Action, pedido: Pedido, from: Element | null) => void }) {
  const actor = useSession();
  if (waitsForMe(actor, pedido)) return <AnswerButton pedido={pedido} />;
  const next = nextOf(
    actionsFor(actor, pedido).filter(({ reason }) => !reason),
    pedido,
  );
  if (!next) return null;
  const Icon = iconOf(next.action);
  return (
    <Button
      leftSection={<Icon size={18} stroke={1.8} aria-hidden />}
      onClick={(event) => onAction(next.action, pedido, event.currentTarget)}
    >
      {next.label}
    </Button>
  );
}

/** «Volver»: back in history, else to the list. */
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
