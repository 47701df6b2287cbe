import '@mantine/core/styles/Paper.css';
import { Group, type GroupProps, Paper, Text, Title, type TitleProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './page-header.module.css';

type Props = { title: string; aside?: ReactNode; busy?: boolean; mb?: GroupProps['mb']; children: ReactNode };

/** Framed part of a screen; `aside` goes beside the title, `mb` is the space below it. */
export function Panel({ title, aside, busy, mb = 'xs', children }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} aria-busy={busy} p="md">
      <Group justify="space-between" mb={mb}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}

type SectionProps = Pick<TitleProps, 'order' | 'mb'> & { title: string; className?: string | undefined; children: ReactNode };

export function Section({ title, order = 2, mb, className, children }: SectionProps) {
  const id = useId();
  return (
    <section className={className} aria-labelledby={id}>
      <Title order={order} id={id} mb={mb}>
        {title}
      </Title>
      {children}
    </section>
  );
}

type PageHeaderProps = { title: ReactNode; subtitle?: ReactNode; actions?: ReactNode };

export const PageHeader = ({ title, subtitle, actions }: PageHeaderProps) => (
  <header className={classes.root}>
    <div className={classes.text}>
      <Title>{title}</Title>
      {subtitle && <Text c="dimmed">{subtitle}</Text>}
    </div>
    {actions && <Group className={classes.actions}>{actions}</Group>}
  </header>
);
