import { Button, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { Panel } from '../../ui/page/panel.tsx';
import type { useImport } from './use-import.ts';

type Props = { of: ReturnType<typeof useImport> };

const SAMPLES = 5;

/** Questions that the sheet leaves open; nothing is created before they are answered. */
export function QuestionsPanel({ of: { state, asked, setColumns, notQuantity } }: Props) {
  if (!state || asked === undefined) return null;
  const { titles, columns, rows } = state;
  const samples = rows.flatMap(({ cells }) => cells[asked] || []).slice(0, SAMPLES);
  return (
    <Panel title="Antes de crear">
      <Question
        text={`¿La columna «${titles?.[asked] || asked + 1}» es la cantidad?`}
        detail={`Dice ${samples.join(', ')}${rows.length > SAMPLES ? '…' : ''}. Ninguna otra columna dice cuántos son.`}
        yes="Sí"
        no="No"
        onYes={() => setColumns(columns.map((column, at) => (at === asked ? 'cantidad' : column)))}
        onNo={() => notQuantity(asked)}
      />
    </Panel>
  );
}

type QuestionProps = { text: string; detail: string; yes: string; no: string; onYes: () => void; onNo: () => void };

function Question({ text, detail, yes, no, onYes, onNo }: QuestionProps) {
  const id = useId();
  return (
    <Group role="group" aria-labelledby={id} gap="xs" justify="space-between">
      <div>
        <Text id={id} fw={500}>
          {text}
        </Text>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onYes}>
          {yes}
        </Button>
        <Button size="xs" variant="default" onClick={onNo}>
          {no}
        </Button>
      </Group>
    </Group>
  );
}
