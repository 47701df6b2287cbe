import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-header.module.css';

type Props = { title: ReactNode; subtitle?: ReactNode; actions?: ReactNode };

export const PageHeader = ({ title, subtitle, actions }: Props) => (
  <header className={classes.root}>
    <div className={classes.text}>
      <Title order={1}>{title}</Title>
      {subtitle && <Text c="dimmed">{subtitle}</Text>}
    </div>
    {actions && <Group className={classes.actions}>{actions}</Group>}
  </header>
);
