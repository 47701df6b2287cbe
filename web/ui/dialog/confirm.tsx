import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from './dialog.tsx';

type Question = {
  title: string;
  message: ReactNode;
  /** Label of the confirming button. */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /** Runs before the dialog closes; the dialog stays open if it fails, to try again. */
  action?: () => Promise<unknown>;
};
type Asked = Question & { answer: (yes: boolean) => void };

let show: ((asked: Asked) => void) | undefined;

/** Asks for confirmation: `if (await confirm({ title, message, confirm: 'Eliminar', danger: true })) …`. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((answer) => show?.({ ...question, answer }));
}

/** Renders the dialog of `confirm`; mounted once, by the shell. */
export function ConfirmHost() {
  const [asked, setAsked] = useState<Asked>();
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    show = (next) => {
      setAsked(next);
      setOpened(true);
    };
    return () => {
      show = undefined;
    };
  }, []);

  function close(yes: boolean) {
    setOpened(false);
    asked?.answer(yes);
  }
  async function proceed() {
    setBusy(true);
    const done = await Promise.resolve(asked?.action?.()).then(
      () => true,
      () => false,
    );
    setBusy(false);
    if (done) close(true);
  }

  return (
    // Stacks above the dialog that asks, even if that one rendered later.
    <Dialog zIndex={250} opened={opened} onClose={() => close(false)} title={asked?.title} size="md" fillsPhone={false} dismissible={!busy}>
      <Text component="div">{asked?.message}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={() => close(false)} disabled={busy} data-autofocus={asked?.danger || undefined}>
          {asked?.cancel ?? 'Cancelar'}
        </Button>
        <Button
          color={asked?.danger ? 'red' : undefined}
          onClick={() => void proceed()}
          loading={busy}
          data-autofocus={!asked?.danger || undefined}
        >
          {asked?.confirm}
        </Button>
      </Group>
    </Dialog>
  );
}
