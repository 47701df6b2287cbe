import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconPackageExport, IconPackageImport, IconUserCheck } from '@tabler/icons-react';
import type { Escaneado } from '../../contract/etiquetas/etiquetas.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { stepLabel } from '../../contract/pedidos/reversals.ts';
import { mayLeave, mayLoad } from '../../contract/pedidos/situation.ts';
import { townLine } from '../../contract/text/address.ts';
import { stepIcon } from '../pedidos/actions/icons.ts';
import { Matter } from '../pedidos/table/matter.tsx';
import { EstadoBadge } from '../ui/format/estado-badge.tsx';
import { hora } from '../ui/format/format.ts';
import classes from './carga.module.css';
import type { Steps } from './steps.ts';

/** True for the carrier's own order, false for an order that can be taken. */
export const isOwn = (pedido: Escaneado): pedido is PedidoTransportista => 'cliente_telefono' in pedido;

type Props = {
  pedido: Escaneado;
  steps: Steps;
  onLoad: (pedido: PedidoTransportista, cargado: boolean) => void;
  onTake: (pedido: Escaneado) => void;
  taking: boolean;
  onOpen: (pedido: PedidoTransportista) => void;
};

/** An order found by its code, with the actions for its estado. */
export function Found({ pedido, steps, onLoad, onTake, taking, onOpen }: Props) {
  const name = pedido.numero_orden;
  const act = { mih: 48, fullWidth: true } as const;
  return (
    <Stack gap={8} className={classes.found} role="group" aria-label={`Pedido ${name}`}>
      <Group justify="space-between">
        <Text variant="title">{name}</Text>
        <EstadoBadge estado={pedido.estado} />
      </Group>
      <div>
        <Text fz="lg" fw={600} lh={1.25}>
          {pedido.cliente_nombre}
        </Text>
        <Text>{[pedido.cliente_direccion, townLine(pedido)].filter(Boolean).join(', ')}</Text>
      </div>
      {isOwn(pedido) && <Matter pedido={pedido} />}
      {isOwn(pedido) && pedido.cargado_at && <Text>Cargado a las {hora(Date.parse(pedido.cargado_at))}</Text>}
      {isOwn(pedido) ? (
        <Own pedido={pedido} steps={steps} onLoad={onLoad} onOpen={onOpen} />
      ) : (
        <Button {...act} leftSection={<IconUserCheck size={18} aria-hidden />} loading={taking} onClick={() => onTake(pedido)}>
          Tomar pedido
        </Button>
      )}
    </Stack>
  );
}

function Own({
  pedido,
  steps: { forward, complete },
  onLoad,
  onOpen,
}: { pedido: PedidoTransportista } & Pick<Props, 'steps' | 'onLoad' | 'onOpen'>) {
  const name = pedido.numero_orden;
  const next = forward.find((step) => step.name === 'salir') ?? complete;
  // The next step comes first, under the thumb.
  const steps = [...forward, ...(complete ? [complete] : [])].sort((first, second) => Number(second === next) - Number(first === next));
  const act = { mih: 48, fullWidth: true } as const;
  return (
    <>
      {steps.map((step) => {
        const Icon = stepIcon(step.name);
        return (
          <Button
            key={step.name}
            {...act}
            variant={step === next && mayLeave(pedido) ? 'filled' : 'default'}
            leftSection={<Icon size={18} aria-hidden />}
            loading={step.busy}
            aria-label={`${stepLabel(step.name)} ${name}`}
            onClick={step.run}
          >
            {stepLabel(step.name)}
          </Button>
        );
      })}
      {mayLoad(pedido) && <LoadButton pedido={pedido} onLoad={onLoad} wide />}
      <Button {...act} variant="default" leftSection={<IconEye size={18} aria-hidden />} onClick={() => onOpen(pedido)}>
        Ver detalles
      </Button>
    </>
  );
}

type LoadProps = { pedido: PedidoTransportista; onLoad: Props['onLoad']; wide?: boolean };

export function LoadButton({ pedido, onLoad, wide = false }: LoadProps) {
  const loaded = pedido.cargado_at !== null;
  const Icon = loaded ? IconPackageExport : IconPackageImport;
  const label = loaded ? 'Quitar de la carga' : 'Cargar';
  return (
    <Button
      mih={48}
      fullWidth={wide}
      variant="default"
      leftSection={<Icon size={18} aria-hidden />}
      aria-label={`${label} ${pedido.numero_orden}`}
      onClick={() => onLoad(pedido, !loaded)}
    >
      {wide || !loaded ? label : 'Quitar'}
    </Button>
  );
}
