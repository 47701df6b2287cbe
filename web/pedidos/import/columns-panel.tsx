import { Alert, Button, Checkbox, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { SessionUser } from '../../../contract/session/session.ts';
import { useSession } from '../../session/session.ts';
import { Panel } from '../../ui/page/panel.tsx';
import type { Import } from './draft.ts';
import { type Columns, isTarget, mayTarget, TARGETS, type Target, targetLabel } from './target.ts';

type Props = {
  state: Import;
  /** Required targets without a column. */
  missing: readonly Target[];
  onChange: (columns: Columns) => void;
  onToggleTitles: () => void;
};

/** Offers «Contra reembolso» to people with the permission. If the sheet uses the column anyway, the server explains its refusal. */
const optionsFor = (actor: SessionUser, columns: Columns) => [
  { value: '', label: 'No se usa' },
  ...TARGETS.filter(
    (target) => mayTarget(actor, target) && (target !== 'contra_reembolso' || actor.contra_reembolso || columns.includes(target)),
  ).map((target) => ({ value: target, label: targetLabel(target) })),
];
const SAMPLES = 3;

/** Panel to assign columns to fields. Starts collapsed if the sheet has headings and no required field is missing. */
export function ColumnsPanel({ state: { titles, columns, rows }, missing, onChange, onToggleTitles }: Props) {
  const options = optionsFor(useSession(), columns);
  const [wanted, setWanted] = useState(titles === null);
  const opened = wanted || missing.length > 0;
  const used = columns.filter(Boolean).length;
  const samples = (at: number) =>
    rows
      .flatMap(({ cells }) => cells[at] || [])
      .slice(0, SAMPLES)
      .join(' · ');
  return (
    <Panel
      title="Columnas"
      mb={opened ? 'xs' : 0}
      aside={
        missing.length === 0 && (
          <Button variant="default" size="xs" aria-expanded={opened} onClick={() => setWanted(!wanted)}>
            {opened ? 'Cerrar' : `Se usan ${used} de ${columns.length}: revisar`}
          </Button>
        )
      }
    >
      {opened && (
        <Stack gap="sm">
          {missing.length > 0 && (
            <Alert color="orange" variant="light" p="xs" icon={<IconAlertTriangle size={18} />}>
              Di en qué columna está: {missing.map((target) => targetLabel(target).toLowerCase()).join(', ')}.
            </Alert>
          )}
          <Checkbox label="La primera fila son los títulos" checked={titles !== null} onChange={onToggleTitles} />
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4, xl: 6 }} spacing="sm">
            {columns.map((column, at) => (
              <Select
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
                key={at}
                label={titles?.[at] || `Columna ${at + 1}`}
                description={samples(at) || 'Vacía'}
                styles={{ description: { overflow: 'hidden', whiteSpace: 'nowrap', textOverflow: 'ellipsis' } }}
                data={options}
                value={column}
                allowDeselect={false}
                onChange={(value) => onChange(columns.map((each, i) => (i !== at ? each : isTarget(value) ? value : '')))}
              />
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            Dos columnas del mismo campo se juntan, como la calle y su número. Se recuerda para la próxima hoja con estos títulos.
          </Text>
        </Stack>
      )}
    </Panel>
  );
}
