import { Button, Stack } from '@mantine/core';
import { IconNavigation, IconPhone, IconTag } from '@tabler/icons-react';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import type { ReversalName } from '../../contract/pedidos/reversals.ts';
import { directionsHref } from '../../contract/text/address.ts';
import { callHref } from '../../contract/text/telephone.ts';
import { orderedSteps, type Steps } from '../carga/steps.ts';
import { labelHref } from '../etiquetas/label-href.ts';
import { CompleteDialog } from '../pedidos/actions/complete-dialog.tsx';
import { CustomerMessage } from '../pedidos/actions/customer-message.tsx';
import { DetailsDialog } from '../pedidos/detail/details-dialog.tsx';
import { useSession } from '../session/session.ts';
import classes from './buttons.module.css';
import { FailedAttemptDialog } from './failed-attempt-dialog.tsx';
import { outside } from './place.tsx';
import { StepButton } from './step-buttons.tsx';
import { UndoStepDialog } from './undo-step-dialog.tsx';

export type Opened = {
  kind: 'details' | 'complete' | 'fail' | 'undo';
  pedido: PedidoTransportista;
  /** Way back that is asked for. */
  name?: ReversalName;
  /** True if this telephone has already made the step. */
  made: boolean;
};
type Props = { opened: Opened | undefined; stepsOf: (pedido: PedidoTransportista) => Steps; onClose: () => void };

export default function Dialogs({ opened, stepsOf, onClose }: Props) {
  const of = (kind: Opened['kind']) => ({ pedido: opened?.kind === kind ? opened.pedido : undefined, onClose });
  const made = !!opened?.made;
  const details = of('details');
  return (
    <>
      <DetailsDialog {...details} foot={details.pedido && <OrderActions pedido={details.pedido} steps={stepsOf(details.pedido)} />} />
      <CompleteDialog {...of('complete')} made={made} />
      <FailedAttemptDialog {...of('fail')} made={made} />
      <UndoStepDialog {...of('undo')} name={opened?.name} />
    </>
  );
}

function OrderActions({ pedido, steps }: { pedido: PedidoTransportista; steps: Steps }) {
  const actor = useSession();
  if (!EN_MANOS.includes(pedido.estado)) return null;
  const { next, complete, rest } = orderedSteps(steps);
  const failed = rest.find(({ name }) => name === 'fallar');
  const buttons = [failed, complete, next].filter((step) => step !== undefined);
  const links = [
    pedido.cliente_telefono && {
      label: 'Llamar',
      href: callHref(pedido.cliente_telefono, pedido.cliente_pais),
      Icon: IconPhone,
      away: false,
    },
    actor.etiquetas && { label: 'Etiqueta', href: labelHref({ ids: pedido.id }), Icon: IconTag, away: true },
    { label: 'Cómo llegar', href: directionsHref(pedido), Icon: IconNavigation, away: true },
  ].filter((link) => !!link);
  return (
    <Stack gap="xs">
      <div className={`${classes.row} ${classes.links}`}>
        {links.map(({ label, href, Icon, away }) => (
          <Button
            key={label}
            variant="default"
            mih={48}
            px={4}
            component="a"
            href={href}
            leftSection={<Icon size={18} aria-hidden />}
            styles={LABEL}
            {...(away && outside)}
          >
            {label}
          </Button>
        ))}
        <CustomerMessage pedido={pedido} thumb />
      </div>
      <div className={classes.row}>
        {buttons.map((step) => (
          <StepButton key={step.name} step={step} of={pedido.numero_orden} thumb main={step === next} />
        ))}
      </div>
    </Stack>
  );
}

const LABEL = { label: { whiteSpace: 'normal', lineHeight: 1.15 }, section: { marginRight: 6 } } as const;
