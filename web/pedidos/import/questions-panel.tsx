import { Button, Group, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import type { useImport } from './use-import.ts';

type Props = { of: ReturnType<typeof useImport> };

const SAMPLES = 5;

/** Questions about the sheet; no order is created before they are answered. */
export function QuestionsPanel({ of: { state, quantity, customers, unanswered, setColumns, notQuantity, set } }: Props) {
  if (!state || unanswered === 0) return null;
  const { titles, columns, rows, juntar } = state;
  const samples = quantity === undefined ? [] : rows.flatMap(({ cells }) => cells[quantity] || []).slice(0, SAMPLES);
  const names = customers
    .slice(0, SAMPLES)
    .map(({ rows, values }) => `${values?.cliente_nombre}: filas ${rows.map(({ n }) => n).join(', ')}`);
  const n = customers.length;
  return (
    <Panel title="Antes de crear">
      <Stack gap="sm">
        {quantity !== undefined && (
          <Question
            text={`¿La columna «${titles?.[quantity] || quantity + 1}» es la cantidad?`}
            detail={`Dice ${samples.join(', ')}${rows.length > SAMPLES ? '…' : ''}. Ninguna otra columna dice cuántos son.`}
            yes="Sí"
            no="No"
            onYes={() => setColumns(columns.map((column, at) => (at === quantity ? 'cantidad' : column)))}
            onNo={() => notQuantity(quantity)}
          />
        )}
        {n > 0 && juntar === undefined && (
          <Question
            text={
              n === 1
                ? '1 cliente tiene varias filas: ¿juntarlas en un pedido?'
                : `${number(n)} clientes tienen varias filas: ¿juntar en un pedido las de cada uno?`
            }
            detail={`${names.join(' · ')}${n > SAMPLES ? '…' : ''}`}
            yes="Juntar"
            no="Un pedido por fila"
            onYes={() => set({ juntar: true })}
            onNo={() => set({ juntar: false })}
          />
        )}
      </Stack>
    </Panel>
  );
}

type QuestionProps = { text: string; detail: string; yes: string; no: string; onYes: () => void; onNo: () => void };

function Question({ text, detail, yes, no, onYes, onNo }: QuestionProps) {
  const id = useId();
  return (
    <Group role="group" aria-labelledby={id} gap="xs" justify="space-between">
      <div>
        <Text size="md" id={id} fw={500}>
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
