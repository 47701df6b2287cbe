import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './thumb-form.module.css';

type Props = { onSubmit: () => void; actions: ReactNode; children: ReactNode };

/** A dialog's form for one-handed use: on a phone its large buttons stay within reach of the thumb. */
export function ThumbForm({ onSubmit, actions, children }: Props) {
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="md">{children}</Stack>
      <Group className={classes.actions} gap="xs">
        {actions}
      </Group>
    </form>
  );
}
