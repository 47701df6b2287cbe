import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { TRANSITION_ICON } from '../actions/icons.ts';
import type { Step } from './accion.ts';

const STEPS: [Step, string][] = [
  ['pagar', 'Anotar pago'],
  ['preparar', 'Empezar a preparar'],
  ['salir', 'Salir a reparto'],
  ['completar', 'Completar'],
];

/** Menu of steps for all chosen orders at once. */
export function StepMenu({ disabled, onStep }: { disabled: boolean; onStep: (step: Step) => void }) {
  return (
    <Menu position="top-start" width={210}>
      <Menu.Target>
        <Button size="xs" variant="default" disabled={disabled} rightSection={<IconChevronDown size={15} aria-hidden />}>
          Cambiar estado
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {STEPS.map(([step, label]) => {
          const Icon = TRANSITION_ICON[step];
          return (
            <Menu.Item key={step} leftSection={<Icon size={16} stroke={1.8} aria-hidden />} onClick={() => onStep(step)}>
              {label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
