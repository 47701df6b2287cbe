import { ActionIcon, Button, Checkbox, Divider, Group, Popover, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import type { Columns, Look } from './use-view.ts';
import classes from './view-menu.module.css';

type Props<T> = { look: Look & { setLook: (patch: Partial<Look>) => void }; columns: Columns<T> };

/** Menu for the visible columns, their order, and the row height. */
export function ViewMenu<T>({ look, columns: { columns, toggle, move, reset } }: Props<T>) {
  const free = columns.filter(({ fixed }) => !fixed);
  return (
    <Popover position="bottom-end" width="17rem" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} stroke={1.8} aria-hidden />}>
          Columnas
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Checkbox
            label="Filas de una línea"
            checked={look.oneLine}
            onChange={({ currentTarget }) => look.setLook({ oneLine: currentTarget.checked })}
          />
          <Divider />
          <ul className={classes.list} aria-label="Columnas">
            {free.map(({ key, title, hidden = false }, i) => (
              <li key={key}>
                <Checkbox label={title} checked={!hidden} onChange={() => toggle(key)} />
                <Group gap={0} wrap="nowrap">
                  <Step name={`Subir ${title}`} Icon={IconArrowUp} off={i === 0} onClick={() => move(key, -1)} />
                  <Step name={`Bajar ${title}`} Icon={IconArrowDown} off={i === free.length - 1} onClick={() => move(key, 1)} />
                </Group>
              </li>
            ))}
          </ul>
          <Button variant="subtle" size="compact-sm" h="auto" py={4} styles={{ label: { whiteSpace: 'normal' } }} onClick={reset}>
            Restablecer columnas y anchos
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

type StepProps = { name: string; Icon: typeof IconArrowUp; off: boolean; onClick: () => void };

// Never `disabled`: a disabled button loses the focus, which would leave the menu.
const Step = ({ name, Icon, off, onClick }: StepProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={28}
    aria-label={name}
    aria-disabled={off || undefined}
    opacity={off ? 0.35 : undefined}
    onClick={() => off || onClick()}
  >
    <Icon size={15} stroke={1.8} aria-hidden />
  </ActionIcon>
);
