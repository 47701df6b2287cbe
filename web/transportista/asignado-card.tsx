import { Group, Stack, Text } from '@mantine/core';
import { mayLeave } from '../../contract/pedidos/situation.ts';
import { orderedSteps, type Steps } from '../carga/steps.ts';
import { SaidOfCliente } from '../pedidos/cliente/said.tsx';
import { summaryWords } from '../pedidos/summary.ts';
import { Matter } from '../pedidos/table/matter.tsx';
import { useSession } from '../session/session.ts';
import { EstadoBadge } from '../ui/format/estado-badge.tsx';
import classes from './buttons.module.css';
import { Aviso, AwaitsAnswer, Cobro, Entrega } from './delivery.tsx';
import type { Optimistic } from './optimistic.ts';
import { Address, CallButton, GoButton } from './place.tsx';
import { MoreMenu, StepButton } from './step-buttons.tsx';
import { Unsent } from './unsent.tsx';

/** Assigned order on a phone, for one-handed use: customer, address, what to collect and the next step in the upper half, details below. */
export function AsignadoCard({ pedido, steps, onDetails }: { pedido: Optimistic; steps: Steps; onDetails: () => void }) {
  const { next, complete, rest } = orderedSteps(steps);
  const { tiendas } = useSession();
  const buttons = [complete, next].filter((step) => step !== undefined);
  return (
    <Stack gap={8}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text fz="lg" fw={600} lh={1.25}>
            {pedido.cliente_nombre}
          </Text>
          <Address pedido={pedido} />
        </div>
        <EstadoBadge estado={pedido.estado} />
      </Group>
      <Unsent pedido={pedido} />
      {/* The promised day and the customer's wish stand below. */}
      <Matter pedido={pedido} except={['atrasado', 'aplazado']} />
      <AwaitsAnswer pedido={pedido} />
      <Cobro pedido={pedido} />
      <Group align="flex-end">
        {pedido.cliente_telefono && (
          <CallButton phone={pedido.cliente_telefono} country={pedido.cliente_pais} name={pedido.cliente_nombre} />
        )}
        <GoButton pedido={pedido} />
        <MoreMenu name={pedido.numero_orden} steps={rest} onDetails={onDetails} thumb />
        <div className={classes.row}>
          {buttons.map((step) => (
            <StepButton
              key={step.name}
              step={step}
              of={pedido.numero_orden}
              thumb
              main={step === next && mayLeave(pedido)}
              icon={buttons.length === 1}
            />
          ))}
        </div>
      </Group>
      <Group justify="space-between" gap={4} align="flex-start">
        <Text>{summaryWords(pedido)}</Text>
        <Entrega pedido={pedido} />
      </Group>
      {pedido.franja_horaria && (
        <Text>
          Entregar: <strong>{pedido.franja_horaria}</strong>
        </Text>
      )}
      <SaidOfCliente nota={pedido.cliente_nota} avisar_antes={pedido.avisar_antes} label="Nota" />
      {pedido.instrucciones && <Text lineClamp={2}>«{pedido.instrucciones}»</Text>}
      <Aviso pedido={pedido} />
      <Text variant="detail">{[pedido.numero_orden, tiendas && pedido.tienda].filter(Boolean).join(' · ')}</Text>
    </Stack>
  );
}
