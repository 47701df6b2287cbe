import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';

type Question = {
  title: string;
  message: ReactNode;
  /** Label of the confirming button. */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /**
   * Runs before the dialog closes; the dialog stays open if it fails, to try again. Closed meanwhile, it answers what
   * comes of it.
   */
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
  /** What is being asked now; undefined once it was closed. */
  const current = useRef<Asked>(undefined);
  useEffect(() => {
    show = (next) => {
      current.current = next;
      setBusy(false);
      setAsked(next);
      setOpened(true);
    };
    return () => {
      show = undefined;
    };
  }, []);

  function close() {
    current.current = undefined;
    setOpened(false);
    if (!busy) asked?.answer(false);
  }
  async function proceed() {
    setBusy(true);
    const done = await Promise.resolve(asked?.action?.()).then(
      () => true,
      () => false,
    );
    const open = current.current === asked;
    if (open) setBusy(false);
    if (open && done) setOpened(false);
    if (done || !open) asked?.answer(done);
  }

  return (
    // Stacks above the dialog that asks, even if that one rendered later.
    <Dialog zIndex={250} opened={opened} onClose={close} title={asked?.title} size="md" fillsPhone={false}>
      <Text component="div">{asked?.message}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={close} data-autofocus={asked?.danger || undefined}>
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
