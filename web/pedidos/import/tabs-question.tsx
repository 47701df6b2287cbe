import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { useState } from 'react';
import { number } from '../../ui/format/format.ts';
import { type Book, chooseTabs, type IsKnown, ordersIn } from './tabs.ts';
import type { Tab } from './xlsx.ts';

type Props = { book: Book; isKnown: IsKnown; onRead: (read: readonly Tab[]) => void };

/** Asks which tabs of a workbook are read; the visible ones with orders are proposed. */
export function TabsQuestion({ book: { tabs }, isKnown, onRead }: Props) {
  const [chosen, setChosen] = useState(() => chooseTabs(tabs, isKnown).read);
  const n = chosen.length;
  const described = (tab: Tab) => {
    const orders = ordersIn(tab, isKnown);
    const rows = orders === 0 ? 'sin pedidos a la vista' : orders === 1 ? '1 fila' : `${number(orders)} filas`;
    return `${tab.name} (${tab.hidden ? 'oculta, ' : ''}${rows})`;
  };
  return (
    <Alert color="blue" variant="light" icon={<IconFiles size={18} />} title="¿Qué pestañas del libro se leen?">
      <Stack gap="xs">
        {tabs.map((tab) => (
          <Checkbox
            key={tab.name}
            label={described(tab)}
            checked={chosen.includes(tab)}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              setChosen((now) => tabs.filter((each) => (each === tab ? checked : now.includes(each))));
            }}
          />
        ))}
        <Group gap="md">
          <Button size="xs" disabled={n === 0} onClick={() => onRead(chosen)}>
            {n === 1 ? `Leer ${chosen[0]?.name}` : `Leer las ${number(n)} pestañas`}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
