import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { ESTADO, ESTADOS, type Estado } from '../../../contract/pedidos/estados.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { parseEstados } from './query.ts';

type Props = {
  /** Estados separated by commas; empty means all. */
  value: string;
  onChange: (value: string) => void;
  estados?: readonly Estado[];
  /** Toggle for deleted orders; absent if not offered. */
  deleted?: { shown: boolean; onChange: (shown: boolean) => void };
};

export function EstadoFilter({ value, onChange: onChosen, estados = ESTADOS, deleted }: Props) {
  // Optimistic update: marks the choice at once, because the rows follow after the next paint.
  const [marked, setMarked] = useState({ of: value, value });
  if (marked.of !== value) setMarked({ of: value, value });
  const chosen = parseEstados(marked.of === value ? marked.value : value);
  function onChange(next: string) {
    setMarked({ of: value, value: next });
    onChosen(next);
  }
  const [first] = chosen;
  const text = !first ? 'Todos' : chosen.length === 1 ? (ESTADO[first].short ?? ESTADO[first].label) : `${chosen.length} estados`;
  return (
    <Menu position="bottom-start" width={210}>
      <Menu.Target>
        <Button
          variant="default"
          fw={400}
          px="sm"
          flex={usePhone() ? 'auto' : undefined}
          justify="space-between"
          aria-label={`Estado: ${text}`}
          rightSection={<IconChevronDown size={16} stroke={1.8} aria-hidden />}
        >
          Estado: {text}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup value={chosen} onChange={(next) => onChange(parseEstados(next.join(',')).join(','))}>
          <Menu.CheckboxItem checked={chosen.length === 0} onChange={() => onChange('')}>
            Todos
          </Menu.CheckboxItem>
          <Menu.Divider />
          {estados.map((estado) => (
            <Menu.CheckboxItem key={estado} value={estado}>
              <EstadoBadge estado={estado} />
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        {deleted && (
          <>
            <Menu.Divider />
            <Menu.CheckboxItem checked={deleted.shown} onChange={deleted.onChange}>
              Eliminados
            </Menu.CheckboxItem>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
