import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type Difference, isSame, type Value } from './conflict.ts';

type Props<F extends string> = {
  title: string;
  differences: Difference<F>[];
  /** Current form values, which show the chosen side. */
  values: Record<F, Value>;
  label: (field: F) => string;
  /** Formats a value that is not text. */
  show?: (field: F, value: Value) => string;
  editable?: (field: F) => boolean;
  onPick: (field: F, value: Value) => void;
};

const inWords = (_: string, value: Value) => (typeof value === 'boolean' ? (value ? 'Sí' : 'No') : String(value ?? ''));

/** Shows the form's values beside the values saved meanwhile by another user, so that the person can choose. */
export function ConflictPanel<F extends string>({
  title,
  differences,
  values,
  label,
  show = inWords,
  editable = () => true,
  onPick,
}: Props<F>) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.focus();
  }, []);
  return (
    <Alert ref={panel} tabIndex={-1} color="orange" title={title}>
      {differences.length === 0 ? (
        <Text>Nada de lo que has escrito choca con lo que ha cambiado. Revísalo y vuelve a guardar.</Text>
      ) : (
        <Stack>
          <Text>
            {differences.some(({ field }) => editable(field))
              ? 'Elige qué se queda en cada campo y vuelve a guardar.'
              : 'Lo que habías escrito ya no se puede guardar: se queda como está.'}
          </Text>
          {differences.map(({ field, mine, stored, typed }) => {
            const side = (value: Value, whose: string, pick: string) => (
              <Side
                label={whose}
                value={show(field, value)}
                pick={editable(field) && pick}
                chosen={isSame(values[field], value)}
                onPick={() => onPick(field, value)}
              />
            );
            return (
              <fieldset key={field} style={{ border: 0, margin: 0, padding: 0 }}>
                <Text component="legend" fw={600} p={0}>
                  {label(field)}
                </Text>
                <SimpleGrid cols={2} spacing="sm" maw="36rem">
                  {typed ? side(mine, 'Lo tuyo', 'Mantener lo mío') : side(mine, 'Lo que había', 'Volver a lo que había')}
                  {side(stored, 'Lo guardado ahora', 'Usar lo guardado')}
                </SimpleGrid>
              </fieldset>
            );
          })}
        </Stack>
      )}
    </Alert>
  );
}

type SideProps = { label: string; value: string; pick: string | false; chosen: boolean; onPick: () => void };

const Side = ({ label, value, pick, chosen, onPick }: SideProps) => (
  <Stack gap={4} justify="space-between">
    <div>
      <Text variant="detail">{label}</Text>
      <Text style={{ overflowWrap: 'anywhere' }}>{value || '(nada)'}</Text>
    </div>
    {pick && (
      <Button size="compact-sm" px={4} fullWidth variant={chosen ? 'filled' : 'default'} aria-pressed={chosen} onClick={onPick}>
        {pick}
      </Button>
    )}
  </Stack>
);
