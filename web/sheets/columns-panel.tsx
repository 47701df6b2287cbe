import { Alert, Button, Checkbox, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Panel } from '../ui/page/panel.tsx';
import { type Answers, type SheetColumns, withColumns } from './reading.ts';
import type { SheetLine } from './table.ts';

type Props = {
  titles: readonly string[] | null;
  lines: readonly Pick<SheetLine, 'cells'>[];
  columns: SheetColumns;
  /** Columns about which nothing is known. */
  asked: readonly number[];
  /** Labels of the required fields without a column. */
  missing: readonly string[];
  /** Fields that a column can be. */
  options: readonly { value: string; label: string }[];
  onAnswer: (make: (answers: Answers) => Answers) => void;
  onToggleTitles?: () => void;
};

const SAMPLES = 3;

/** What each column of a file is. Asks about unknown columns at once; the others are behind a button. */
export function ColumnsPanel({ titles, lines, columns, asked, missing, options, onAnswer, onToggleTitles }: Props) {
  const [wanted, setWanted] = useState(titles === null);
  const shown = wanted || missing.length > 0 ? columns.map((_, at) => at) : asked;
  const samples = (at: number) =>
    lines
      .flatMap(({ cells }) => cells[at] || [])
      .slice(0, SAMPLES)
      .join(' · ');
  const used = columns.filter(Boolean).length;
  return (
    <Panel
      title="Columnas"
      mb={shown.length > 0 ? 'xs' : 0}
      aside={
        missing.length === 0 && (
          <Button variant="default" size="xs" aria-expanded={wanted} onClick={() => setWanted(!wanted)}>
            {wanted ? 'Cerrar' : `Se usan ${used} de ${columns.length}: revisar`}
          </Button>
        )
      }
    >
      {shown.length > 0 && (
        <Stack gap="sm">
          {missing.length > 0 && (
            <Alert color="orange" variant="light" p="xs" icon={<IconAlertTriangle size={18} />}>
              Di en qué columna está: {missing.map((label) => label.toLowerCase()).join(', ')}.
            </Alert>
          )}
          {missing.length === 0 && asked.length > 0 && (
            <Text size="md" fw={500}>
              {asked.length === 1 ? '¿Se usa esta columna?' : '¿Se usa alguna de estas columnas?'}
            </Text>
          )}
          {onToggleTitles && (wanted || missing.length > 0) && (
            <Checkbox label="La primera fila son los títulos" checked={titles !== null} onChange={onToggleTitles} />
          )}
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4, xl: 6 }} spacing="sm">
            {shown.map((at) => (
              <Select
                key={at}
                label={titles?.[at] || `Columna ${at + 1}`}
                description={samples(at) || 'Vacía'}
                styles={{ description: { overflow: 'hidden', whiteSpace: 'nowrap', textOverflow: 'ellipsis' } }}
                data={[{ value: '', label: 'No se usa' }, ...options]}
                value={columns[at] ?? ''}
                allowDeselect={false}
                onChange={(value) => onAnswer((answers) => withColumns(answers, titles, columns.with(at, value ?? ''), at))}
              />
            ))}
          </SimpleGrid>
          {missing.length === 0 && asked.length > 0 && (
            <Group>
              <Button size="xs" onClick={() => onAnswer((answers) => withColumns(answers, titles, columns))}>
                {asked.length === 1 ? 'No se usa' : 'Las demás no se usan'}
              </Button>
            </Group>
          )}
          <Text size="sm" c="dimmed">
            Se recuerda para el próximo fichero con estos títulos. Si dos columnas dicen el mismo dato, vale la primera que lo diga; la
            calle y su número, o el nombre y los apellidos, se juntan.
          </Text>
        </Stack>
      )}
    </Panel>
  );
}
