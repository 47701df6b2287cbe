import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CAMPO_LABEL } from './campos.ts';
import type { Campo, Diferencia } from './conflict.ts';

type Props = {
  diferencias: Diferencia[];
  /** What the form holds now, which says which of the two was chosen. */
  values: Record<Campo, string>;
  /** Whether there is still a choice. */
  editable: (campo: Campo) => boolean;
  onPick: (campo: Campo, value: string) => void;
};

/** What this person had beside what somebody else stored meanwhile, and the choice between the two while there is one. */
export function ConflictoPanel({ diferencias, values, editable, onPick }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.focus();
  }, []);
  return (
    <Alert ref={panel} tabIndex={-1} color="orange" title="Otra persona ha cambiado este pedido mientras lo editabas">
      {diferencias.length === 0 ? (
        <Text size="sm">Nada de lo que has escrito choca con lo que ha cambiado. Revísalo y vuelve a guardar.</Text>
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            {diferencias.some(({ campo }) => editable(campo))
              ? 'Elige qué se queda en cada campo y vuelve a guardar.'
              : 'Lo que habías escrito ya no se puede guardar: se queda como está.'}
          </Text>
          {diferencias.map(({ campo, mio, guardado, escrito }) => (
            <fieldset key={campo} style={{ border: 0, margin: 0, padding: 0 }}>
              <Text component="legend" size="sm" fw={600} p={0}>
                {CAMPO_LABEL[campo]}
              </Text>
              <SimpleGrid cols={2} spacing="sm" maw="36rem">
                <Side
                  label={escrito ? 'Lo tuyo' : 'Lo que había'}
                  value={mio}
                  pick={editable(campo) && (escrito ? 'Mantener lo mío' : 'Volver a lo que había')}
                  chosen={values[campo].trim() === mio}
                  onPick={() => onPick(campo, mio)}
                />
                <Side
                  label="Lo guardado ahora"
                  value={guardado}
                  pick={editable(campo) && 'Usar lo guardado'}
                  chosen={values[campo].trim() === guardado}
                  onPick={() => onPick(campo, guardado)}
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
