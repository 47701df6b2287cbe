import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Pack } from '../../../contract/products/products.ts';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import { packLabel } from '../lineas/pack-label.ts';
import { PackPicker } from '../lineas/pack-picker.tsx';
import type { UnknownPack } from './check.ts';

type Props = {
  packs: readonly Pack[] | undefined;
  unknown: readonly UnknownPack[];
  chosen: Readonly<Record<string, string>>;
  onChoose: (key: string, pack_id: string) => void;
};

/** Ambiguous pack texts, each resolved once for all its rows. */
export function PacksPanel({ packs, unknown, chosen, onChoose }: Props) {
  if (!packs || unknown.length === 0) return null;
  return (
    <Panel title="Packs sin reconocer">
      <Text size="sm" c="dimmed" mb="sm">
        Elige qué pack es cada uno: vale para todas sus filas y se recuerda para la próxima vez.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {unknown.map(({ key, text, rows, guess }) => (
          <Stack key={key} gap={4} align="flex-start">
            <PackPicker
              packs={packs}
              label={`«${text}»`}
              description={rows === 1 ? 'En 1 fila' : `En ${number(rows)} filas`}
              value={packs.some(({ id }) => id === chosen[key]) ? (chosen[key] ?? null) : null}
              onChange={(id) => id && onChoose(key, id)}
              w="100%"
            />
            {guess && !chosen[key] && (
              <Button size="compact-xs" variant="light" onClick={() => onChoose(key, guess.id)}>
                Sí, es {packLabel(guess)}
              </Button>
            )}
          </Stack>
        ))}
      </SimpleGrid>
    </Panel>
  );
}
