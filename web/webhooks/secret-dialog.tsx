import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { copyText } from '../ui/page/copy.ts';
import { toast } from '../ui/page/toast.tsx';
import classes from './webhooks.module.css';

type Props = { secret: string; opened: boolean; onClose: () => void };

/** Shows a webhook's secret, once; only its button closes it. */
export function SecretDialog({ secret, opened, onClose }: Props) {
  async function copy() {
    if (await copyText(secret)) toast.success('Secreto copiado');
    else toast.error('No se pudo copiar el secreto');
  }
  return (
    <Dialog opened={opened} onClose={onClose} title="Secreto del webhook" size="md" dismissible={false} fillsPhone={false}>
      <Stack gap="sm">
        <Text size="sm">
          Con él comprueba el otro programa que los avisos son de Enruta. <strong>No se volverá a mostrar</strong>: cópialo allí ahora. Si
          se pierde, «Cambiar el secreto» hace otro.
        </Text>
        <code className={classes.secret}>{secret}</code>
        <Group justify="space-between" gap="xs">
          <Button data-autofocus variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
            Copiar el secreto
          </Button>
          <Button onClick={onClose}>Lo he guardado</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
