import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { IconMapPin, IconPhone } from '@tabler/icons-react';
import type { PedidoDisponible } from '../../contract/pedidos.ts';
import { llamar, localidad, mapa } from './address.ts';

type Lugar = Pick<
  PedidoDisponible,
  'cliente_nombre' | 'cliente_direccion' | 'cliente_codigo_postal' | 'cliente_ciudad' | 'cliente_provincia' | 'cliente_pais'
>;
type Props = { pedido: Lugar & { cliente_direccion2?: string | null } };

const outside = { target: '_blank', rel: 'noreferrer' } as const;

/** The address of an order in two or three lines. */
export function Direccion({ pedido, large = false }: Props & { large?: boolean }) {
  const town = localidad(pedido);
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

/** The same for a cell of a table, as the way to the map. */
export function DireccionEnlace({ pedido }: Props) {
  return (
    <Anchor href={mapa(pedido)} {...outside} c="inherit">
      <VisuallyHidden>Ver en el mapa: </VisuallyHidden>
      <Direccion pedido={pedido} />
    </Anchor>
  );
}

const THUMB = { variant: 'default', mih: 44, fullWidth: true, px: 'xs' } as const;

export function MapaBoton({ pedido }: Props) {
  return (
    <Button component="a" href={mapa(pedido)} {...outside} {...THUMB} leftSection={<IconMapPin size={18} aria-hidden />}>
      Mapa
    </Button>
  );
}

export function LlamarBoton({ telefono, nombre }: { telefono: string; nombre: string }) {
  return (
    <Button
      component="a"
      href={llamar(telefono)}
      aria-label={`Llamar a ${nombre}`}
      {...THUMB}
      leftSection={<IconPhone size={18} aria-hidden />}
    >
      Llamar
    </Button>
  );
}
