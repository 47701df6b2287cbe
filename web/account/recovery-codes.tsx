import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import classes from './account.module.css';

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Si pierdes el móvil, entra con uno de estos códigos en lugar del de la aplicación. Cada uno sirve una vez.{' '}
        <strong>No se volverán a mostrar</strong>: guárdalos fuera del móvil.
      </Text>
      <ul className={classes.codes} aria-label="Códigos de recuperación">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton autoFocus copy={() => copyOr(text, 'No se pudieron copiar los códigos')}>
          Copiar
        </CopyButton>
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="enruta-codigos-de-recuperacion.txt"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Descargar
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>Los he guardado</Button>
      </Group>
    </Stack>
  );
}
