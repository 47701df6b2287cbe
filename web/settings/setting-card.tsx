import '@mantine/core/styles/Paper.css';
import { Paper, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react';
import { mayLose } from '../ui/form/unsaved.ts';
import classes from './settings.module.css';

type Props = {
  title: string;
  /** Current state of the settings, in one line. */
  state: string;
  /** True to open the card. A change to true opens a closed card again. */
  open: boolean;
  /** Returns true if closing would lose unsaved input. */
  dirty?: RefObject<(() => boolean) | null>;
  children: ReactNode;
};

/** Card of «Configuración»: a title and a line of state; a click opens the content in place. */
export function SettingCard({ title, state, open, dirty, children }: Props) {
  const [opened, setOpened] = useState(open);
  const [id, body] = [useId(), useId()];
  useEffect(() => {
    if (open) setOpened(true);
  }, [open]);
  const toggle = async () => {
    if (opened && dirty?.current?.() && !(await mayLose())) return;
    setOpened(!opened);
  };
  return (
    <Paper component="section" aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id} size="h3">
          <UnstyledButton
            className={classes.opener}
            aria-describedby={`${id}-state`}
            aria-expanded={opened}
            aria-controls={opened ? body : undefined}
            onClick={() => void toggle()}
          >
            {title}
          </UnstyledButton>
        </Title>
        <Text size="sm" c="dimmed" id={`${id}-state`} className={classes.state}>
          {state}
        </Text>
        <IconChevronDown size={18} stroke={1.7} aria-hidden className={classes.chevron} data-opened={opened || undefined} />
      </div>
      {opened && (
        <div id={body} className={classes.body}>
          {children}
        </div>
      )}
    </Paper>
  );
}
