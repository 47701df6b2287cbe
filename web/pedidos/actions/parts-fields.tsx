import { Button, Checkbox, Group, Input, Skeleton, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Checkbox.css';
import { MOTIVO_PARTE_LABEL, MOTIVOS_PARTE } from '../../../contract/devoluciones/partes.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import type { SeenLine } from '../lineas/use-lines.ts';
import { lineWords } from '../summary.ts';
import classes from './parts-fields.module.css';
import type { Parts } from './use-parts.ts';

/** Undelivered units by line and reason; a single button until the carrier opens the fields. */
export default function PartsFields({ parts }: { parts: Parts }) {
  if (!parts.isOpen) {
    return (
      <Button variant="default" mih={44} onClick={parts.open}>
        No se entrega todo
      </Button>
    );
  }
  return (
    <Input.Wrapper label="Qué no se entrega" labelElement="div" error={parts.error}>
      <Stack gap="sm" mt={4}>
        {parts.lines ? parts.lines.map((line) => <Line key={line.numero} line={line} parts={parts} />) : <Skeleton h={64} />}
        <Button variant="subtle" size="compact-md" mih={44} onClick={parts.close}>
          Se entrega todo
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

function Line({ line, parts }: { line: SeenLine; parts: Parts }) {
  const { numero, cantidad } = line;
  return (
    <fieldset className={classes.line}>
      <Text component="legend" size="sm" fw={600}>
        {lineWords(line)}
      </Text>
      <Group grow gap="xs" preventGrowOverflow={false} wrap="nowrap">
        {MOTIVOS_PARTE.map((motivo) => {
          const [value, label] = [parts.valueOf(numero, motivo), MOTIVO_PARTE_LABEL[motivo]];
          // A single unit is either delivered or not, so a checkbox suffices.
          if (cantidad === 1)
            return (
              <Checkbox
                key={motivo}
                label={label}
                styles={{ body: { minHeight: 44, alignItems: 'center' } }}
                checked={value === '1'}
                onChange={(event) => parts.type(numero, motivo, event.currentTarget.checked ? '1' : '')}
              />
            );
          return (
            <NumberField key={motivo} label={label} placeholder="0" value={value} onChange={(typed) => parts.type(numero, motivo, typed)} />
          );
        })}
      </Group>
    </fieldset>
  );
}
