import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react';
import { plural } from '../../../contract/text/plural.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { focusList } from '../../ui/list/focus-list.ts';
import classes from './result-dialog.module.css';

export type LoteResult = {
  title: string;
  /** Undoes the action; absent if the action has no inverse. */
  undo?: (() => void) | undefined;
  rows: readonly { id: string; numero_orden: string; ok: boolean; message: string }[];
};
export default function ResultDialog({ result, onClose }: { result: LoteResult | undefined; onClose: () => void }) {
  const rows = (result?.rows ?? []).toSorted((a, b) => Number(a.ok) - Number(b.ok));
  const failed = rows.filter(({ ok }) => !ok).length;
  const done = rows.length - failed;
  const close = () => {
    onClose();
    // Moves the focus to the list, because the bar that had it is gone.
    focusList();
  };
  return (
    <Dialog opened={!!result} onClose={close} title={result?.title} size="lg">
      <Stack>
        <Text size="md">
          {failed === 0
            ? `Hecho: ${plural(done, 'pedido')}.`
            : `Hecho: ${done} de ${plural(rows.length, 'pedido')}. ${plural(failed, 'no se pudo', 'no se pudieron')} cambiar.`}
        </Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes a long list scrollable by keyboard */}
        <ul className={classes.list} aria-label="Resultado de cada pedido" tabIndex={0}>
          {rows.map(({ id, numero_orden, ok, message }) => (
            <li key={id} className={classes.row}>
              {ok ? (
                <IconCircleCheck size={18} className={classes.icon} color="var(--mantine-color-green-6)" aria-hidden />
              ) : (
                <IconAlertTriangle size={18} className={classes.icon} color="var(--mantine-color-orange-6)" aria-hidden />
              )}
              <div>
                <Text fw={600}>{numero_orden}</Text>
                <Text c={ok ? 'dimmed' : undefined}>{message}</Text>
              </div>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          {result?.undo && (
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => {
                close();
                result.undo?.();
              }}
            >
              {done === 1 ? 'Deshacer el que se hizo' : `Deshacer los ${done} que se hicieron`}
            </Button>
          )}
          <Button onClick={close} data-autofocus>
            Cerrar
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
