import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconDotsVertical, IconEye } from '@tabler/icons-react';
import { stepLabel } from '../../contract/pedidos/reversals.ts';
import { type LoadStep, orderedSteps, type Steps } from '../carga/steps.ts';
import { stepIcon } from '../pedidos/actions/icons.ts';

type StepProps = {
  step: LoadStep;
  /** Number of the order, which makes the accessible name of the button unique in the list. */
  of: string;
  /** Touch size: as high as a thumb, and full width. */
  thumb?: boolean;
  main?: boolean;
  icon?: boolean;
};

export function StepButton({ step, of, thumb = false, main = false, icon = true }: StepProps) {
  const Icon = stepIcon(step.name);
  return (
    <Button
      variant={main ? 'filled' : 'default'}
      size={thumb ? 'sm' : 'xs'}
      {...(thumb && {
        mih: 48,
        fullWidth: true,
        px: icon ? 'xs' : 4,
        styles: { label: { whiteSpace: 'normal', lineHeight: 1.15 } },
      })}
      leftSection={icon && <Icon size={thumb ? 18 : 16} aria-hidden />}
      aria-label={`${stepLabel(step.name)} ${of}`}
      loading={step.busy}
      onClick={step.run}
    >
      {stepLabel(step.name)}
    </Button>
  );
}

type MoreProps = { name: string; steps: readonly LoadStep[]; onDetails: () => void; thumb?: boolean };

/** Menu of rarer actions: details, and steps without a button. */
export const MoreMenu = ({ name, steps, onDetails, thumb = false }: MoreProps) => (
  <Menu>
    <Menu.Target>
      <ActionIcon
        variant={thumb ? 'default' : 'subtle'}
        color="gray"
        size={thumb ? 48 : 'md'}
        aria-label={`Más acciones del pedido ${name}`}
      >
        <IconDotsVertical size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconEye size={16} aria-hidden />} onClick={onDetails}>
        Ver detalles
      </Menu.Item>
      {steps.map((step) => {
        const Icon = stepIcon(step.name);
        return (
          <Menu.Item key={step.name} leftSection={<Icon size={16} aria-hidden />} onClick={step.run}>
            {stepLabel(step.name)}
          </Menu.Item>
        );
      })}
    </Menu.Dropdown>
  </Menu>
);

/** Actions cell of a row (specification, section 2.13): completing, the next step, details, and a menu of the other steps. */
export function RowSteps({ name, steps, onDetails }: { name: string; steps: Steps; onDetails: () => void }) {
  const { next, complete, rest } = orderedSteps(steps);
  return (
    <Group gap={4} justify="flex-end">
      {complete && <StepButton step={complete} of={name} icon={false} />}
      {next && <StepButton step={next} of={name} main icon={false} />}
      <Group gap={4} wrap="nowrap">
        <Button variant="subtle" size="compact-sm" aria-label={`Ver detalles del pedido ${name}`} onClick={onDetails}>
          Ver detalles
        </Button>
        {rest.length > 0 && <MoreMenu name={name} steps={rest} onDetails={onDetails} />}
      </Group>
    </Group>
  );
}
