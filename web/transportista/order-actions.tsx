import { Button, Stack } from '@mantine/core';
import { IconNavigation, IconPhone, IconTag } from '@tabler/icons-react';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { callHref } from '../../contract/text/telephone.ts';
import { labelHref } from '../etiquetas/label-href.ts';
import { CustomerMessage } from '../pedidos/actions/customer-message.tsx';
import { directionsHref } from '../pedidos/address.ts';
import { useSession } from '../session/session.ts';
import classes from './buttons.module.css';
import { outside } from './place.tsx';
import { StepButton } from './step-buttons.tsx';
import { nextOf, type Steps } from './steps.ts';

type Props = { pedido: PedidoTransportista; steps: Steps };

/** Actions of a carrier on an open order: call, write, navigate, and the next steps, the primary one last. */
export function OrderActions({ pedido, steps }: Props) {
  const actor = useSession();
  if (!EN_MANOS.includes(pedido.estado)) return null;
  const { next, complete, rest } = nextOf(steps);
  const failed = rest.find(({ name }) => name === 'fallar');
  const buttons = [failed, complete, next].filter((step) => step !== undefined);
  const links = [
    pedido.cliente_telefono && { label: 'Llamar', href: callHref(pedido.cliente_telefono), Icon: IconPhone, away: false },
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
            mih={44}
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
