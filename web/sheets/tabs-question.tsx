import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { useState } from 'react';
import { plural } from '../../contract/text/plural.ts';
import { number } from '../ui/format/format.ts';
import { type CountKnown, chooseTabs } from './table.ts';
import type { Tab } from './workbook.ts';

type Props = { tabs: readonly Tab[]; known: CountKnown; onRead: (read: readonly Tab[]) => void };

/** Asks which tabs of a workbook are read; the visible ones with known headings are proposed. */
export function TabsQuestion({ tabs, known, onRead }: Props) {
  const [chosen, setChosen] = useState(() => chooseTabs(tabs, known).read);
  const n = chosen.length;
  const rowsOf = ({ cells }: Tab) => plural(cells.length, 'fila');
  return (
    <Alert color="blue" variant="light" icon={<IconFiles size={18} />} title="¿Qué pestañas del libro se leen?">
      <Stack gap="xs">
        {tabs.map((tab) => (
          <Checkbox
            key={tab.name}
            label={`${tab.name} (${tab.hidden ? 'oculta, ' : ''}${rowsOf(tab)})`}
            checked={chosen.includes(tab)}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              setChosen((now) => tabs.filter((each) => (each === tab ? checked : now.includes(each))));
            }}
          />
        ))}
        <Group gap="md">
          <Button size="xs" disabled={n === 0} onClick={() => onRead(chosen)}>
            {n === 1 ? `Leer ${chosen[0]?.name ?? ''}` : `Leer las ${number(n)} pestañas`}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
