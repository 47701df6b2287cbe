import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type EditableField, pedidoField } from '../../contract/pedidos.fields.ts';
import type { Difference } from './conflict.ts';

type Props = {
  differences: Difference[];
  /** Current form values, which tell which side is chosen. */
  values: Record<EditableField, string>;
  /** Whether the field can still be changed. */
  editable: (field: EditableField) => boolean;
  onPick: (field: EditableField, value: string) => void;
};

/** Shows this person's values beside those stored meanwhile by somebody else, and lets them choose. */
export function ConflictPanel({ differences, values, editable, onPick }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.focus();
  }, []);
  return (
    <Alert ref={panel} tabIndex={-1} color="orange" title="Otra persona ha cambiado este pedido mientras lo editabas">
      {differences.length === 0 ? (
        <Text size="sm">Nada de lo que has escrito choca con lo que ha cambiado. Revísalo y vuelve a guardar.</Text>
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            {differences.some(({ field }) => editable(field))
              ? 'Elige qué se queda en cada campo y vuelve a guardar.'
              : 'Lo que habías escrito ya no se puede guardar: se queda como está.'}
          </Text>
          {differences.map(({ field, mine, stored, typed }) => (
            <fieldset key={field} style={{ border: 0, margin: 0, padding: 0 }}>
              <Text component="legend" size="sm" fw={600} p={0}>
                {pedidoField(field).label}
              </Text>
              <SimpleGrid cols={2} spacing="sm" maw="36rem">
                <Side
                  label={typed ? 'Lo tuyo' : 'Lo que había'}
                  value={mine}
                  pick={editable(field) && (typed ? 'Mantener lo mío' : 'Volver a lo que había')}
                  chosen={values[field].trim() === mine}
                  onPick={() => onPick(field, mine)}
                />
                <Side
                  label="Lo guardado ahora"
                  value={stored}
                  pick={editable(field) && 'Usar lo guardado'}
                  chosen={values[field].trim() === stored}
                  onPick={() => onPick(field, stored)}
                />
              </SimpleGrid>
            </fieldset>
          ))}
        </Stack>
      )}
    </Alert>
  );
}

type SideProps = { label: string; value: string; pick: string | false; chosen: boolean; onPick: () => void };

function Side({ label, value, pick, chosen, onPick }: SideProps) {
  return (
    <Stack gap={4} justify="space-between">
      <div>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {value || '(vacío)'}
        </Text>
      </div>
      {pick && (
        <Button size="compact-sm" px={4} fullWidth variant={chosen ? 'filled' : 'default'} aria-pressed={chosen} onClick={onPick}>
          {pick}
        </Button>
      )}
    </Stack>
  );
}
