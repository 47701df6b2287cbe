import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './thumb-form.module.css';

type Props = {
  onSubmit: () => void;
  submit: string;
  busy: boolean;
  other?: { label: string; onClick: () => void } | undefined;
  children: ReactNode;
};

/** Form for one-handed use: on a phone its large buttons stay within reach of the thumb. */
export const ThumbForm = ({ onSubmit, submit, busy, other, children }: Props) => (
  <form
    noValidate
    className={classes.form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    <Stack gap="md">{children}</Stack>
    <Group className={classes.actions}>
      <Button type="submit" loading={busy}>
        {submit}
      </Button>
      {other && (
        <Button variant="default" disabled={busy} onClick={other.onClick}>
          {other.label}
        </Button>
      )}
    </Group>
  </form>
);
