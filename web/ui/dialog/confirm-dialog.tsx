import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type PendingQuestion, whenConfirmationIsAsked } from './confirm.ts';
import { Dialog } from './dialog.tsx';

/** Renders the dialog of `confirm`; mounted once. */
export function ConfirmHost() {
  const [asked, setAsked] = useState<PendingQuestion>();
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  /** Open question; undefined once closed. */
  const current = useRef<PendingQuestion>(undefined);
  /** Question whose action runs. */
  const running = useRef<PendingQuestion>(undefined);
  useEffect(
    () =>
      whenConfirmationIsAsked((next) => {
        // «Atrás» over an open question opens a second: cancels the first question, or its caller would wait forever.
        if (current.current !== running.current) current.current?.answer(false);
        current.current = next;
        setBusy(false);
        setAsked(next);
        setOpened(true);
      }),
    [],
  );

  function close() {
    current.current = undefined;
    setOpened(false);
    if (!busy) asked?.answer(false);
  }
  async function proceed() {
    setBusy(true);
    running.current = asked;
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
    // Stacks above the dialog that asks, even if that dialog was rendered later. The library would give the focus back late, to a row that the
    // answer has deleted; `Dialog` gives it back if nothing else took it.
    <Dialog zIndex={250} returnFocus={false} opened={opened} onClose={close} title={asked?.title} size="md" fillsPhone={false}>
      <Text size="md" component="div">
        {asked?.message}
      </Text>
      <Group justify="flex-end" mt="lg">
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
