import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { IconMapPin, IconPhone } from '@tabler/icons-react';
import type { PedidoDisponible } from '../../contract/pedidos.ts';
import { callHref, mapHref, townOf } from './address.ts';

type Place = Pick<
  PedidoDisponible,
  'cliente_nombre' | 'cliente_direccion' | 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia' | 'cliente_pais'
>;
type Props = { pedido: Place & { cliente_direccion2?: string | null } };

const outside = { target: '_blank', rel: 'noreferrer' } as const;

/** Address of an order in two or three lines. */
export function Address({ pedido, large = false }: Props & { large?: boolean }) {
  const town = townOf(pedido);
  return (
    <div>
      <Text fz={large ? 'lg' : 'sm'} lh={1.35}>
        {pedido.cliente_direccion}
      </Text>
      {pedido.cliente_direccion2 && <Text fz={large ? 'lg' : 'sm'}>{pedido.cliente_direccion2}</Text>}
      {town && (
        <Text size={large ? 'md' : 'xs'} c="dimmed">
          {town}
        </Text>
      )}
    </div>
  );
}

/** Address as a link to the map, for a table cell. */
export function AddressLink({ pedido }: Props) {
  return (
    <Anchor href={mapHref(pedido)} {...outside} c="inherit">
      <VisuallyHidden>Ver en el mapa: </VisuallyHidden>
      <Address pedido={pedido} />
    </Anchor>
  );
}

const THUMB = { variant: 'default', mih: 44, fullWidth: true, px: 'xs' } as const;

export function MapButton({ pedido }: Props) {
  return (
    <Button component="a" href={mapHref(pedido)} {...outside} {...THUMB} leftSection={<IconMapPin size={18} aria-hidden />}>
      Mapa
    </Button>
  );
}

export function CallButton({ phone, name }: { phone: string; name: string }) {
  return (
    <Button
      component="a"
      href={callHref(phone)}
      aria-label={`Llamar a ${name}`}
      {...THUMB}
      leftSection={<IconPhone size={18} aria-hidden />}
    >
      Llamar
    </Button>
  );
}
