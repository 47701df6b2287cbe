import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import classes from './webhooks.module.css';

type Props = { secret: string; opened: boolean; onClose: () => void };

/** Shows a webhook's secret once. Only the button closes the dialog. */
export function SecretDialog({ secret, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Secreto del webhook" size="md" dismissible={false} fillsPhone={false}>
      <Stack gap="sm">
        <Text size="sm">
          Con él comprueba el otro programa que los avisos son de Enruta. <strong>No se volverá a mostrar</strong>: cópialo allí ahora. Si
          se pierde, «Cambiar el secreto» hace otro.
        </Text>
        <code className={classes.secret}>{secret}</code>
        <Group justify="space-between" gap="xs">
          <CopyButton data-autofocus copy={() => copyOr(secret, 'No se pudo copiar el secreto')}>
            Copiar el secreto
          </CopyButton>
          <Button onClick={onClose}>Lo he guardado</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
