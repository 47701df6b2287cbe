import { ActionIcon, Anchor, Text, VisuallyHidden } from '@mantine/core';
import { IconMapPin, IconNavigation, IconPhone } from '@tabler/icons-react';
import type { PedidoDisponible } from '../../contract/pedidos/pedidos.ts';
import { directionsHref, mapHref, townLine } from '../../contract/text/address.ts';
import { callHref } from '../../contract/text/telephone.ts';

type Props = { pedido: PedidoDisponible & { cliente_direccion2?: string | null } };

export const outside = { target: '_blank', rel: 'noreferrer' } as const;

export function Address({ pedido }: Props) {
  const town = townLine(pedido);
  return (
    <div>
      <Text fz="sm" lh={1.35}>
        {[pedido.cliente_direccion, pedido.cliente_direccion2].filter(Boolean).join(', ')}
      </Text>
      {town && (
        <Text size="xs" c="dimmed">
          {town}
        </Text>
      )}
    </div>
  );
}

export const AddressLink = ({ pedido }: Props) => (
  <Anchor href={mapHref(pedido)} {...outside} c="inherit">
    <VisuallyHidden>Ver en el mapa: </VisuallyHidden>
    <Address pedido={pedido} />
  </Anchor>
);

const THUMB = { variant: 'default', size: 48, component: 'a' } as const;

export const MapButton = ({ pedido }: Props) => (
  <ActionIcon {...THUMB} href={mapHref(pedido)} {...outside} aria-label={`Mapa de ${pedido.cliente_direccion}`}>
    <IconMapPin size={20} aria-hidden />
  </ActionIcon>
);

export const GoButton = ({ pedido }: Props) => (
  <ActionIcon {...THUMB} href={directionsHref(pedido)} {...outside} aria-label={`Cómo llegar a ${pedido.cliente_direccion}`}>
    <IconNavigation size={20} aria-hidden />
  </ActionIcon>
);

export const CallButton = ({ phone, country, name }: { phone: string; country: string | null; name: string }) => (
  <ActionIcon {...THUMB} href={callHref(phone, country)} aria-label={`Llamar a ${name}`}>
    <IconPhone size={20} aria-hidden />
  </ActionIcon>
);
