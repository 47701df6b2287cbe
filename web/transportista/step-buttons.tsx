import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconBox, IconCheck, IconDotsVertical, IconEye, IconTruckDelivery } from '@tabler/icons-react';
import type { Estado } from '../../contract/pedidos.flow.ts';
import type { Step, Steps } from './use-steps.tsx';

const ICON: Partial<Record<Estado, typeof IconBox>> = {
  en_proceso: IconBox,
  en_ruta: IconTruckDelivery,
  completado: IconCheck,
  // Forward to asignado is coming back from the street with the parcel.
  asignado: IconAlertTriangle,
};

/** A step as a button; `thumb` is 44 px high and as wide as it may. */
export function StepButton({ step, thumb = false, main = false }: { step: Step; thumb?: boolean; main?: boolean }) {
  const Icon = ICON[step.to] ?? IconCheck;
  return (
    <Button
      variant={main ? 'filled' : 'default'}
      size={thumb ? 'sm' : 'xs'}
      {...(thumb && { mih: 44, fullWidth: true, px: 'xs' })}
      leftSection={<Icon size={thumb ? 18 : 16} aria-hidden />}
      loading={step.busy}
      onClick={step.run}
    >
      {step.label}
    </Button>
  );
}

type MoreProps = { name: string; steps: readonly Step[]; onDetails: () => void; thumb?: boolean };

/** What is done seldom: details, and the steps back. */
export function MoreMenu({ name, steps, onDetails, thumb = false }: MoreProps) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          variant={thumb ? 'default' : 'subtle'}
          color="gray"
          size={thumb ? 44 : 'md'}
          aria-label={`Más acciones del pedido ${name}`}
        >
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEye size={16} aria-hidden />} onClick={onDetails}>
          Ver detalles
        </Menu.Item>
        {steps.map((step) => (
          <Menu.Item key={step.label} leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={step.run}>
            {step.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The actions cell of a row. */
export function RowSteps({ name, steps, onDetails }: { name: string; steps: Steps; onDetails: () => void }) {
  return (
    <Button.Group style={{ gap: 6, justifyContent: 'flex-end', alignItems: 'center' }}>
      {steps.forward.map((step) => (
        <StepButton key={step.label} step={step} />
      ))}
      {steps.complete && <StepButton step={steps.complete} main />}
      <MoreMenu name={name} steps={steps.back} onDetails={onDetails} />
    </Button.Group>
  );
}
