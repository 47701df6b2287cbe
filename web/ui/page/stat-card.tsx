import { Skeleton, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import classes from './stat-card.module.css';

type Props = {
  label: string;
  /** Formatted figure. */
  value: ReactNode;
  icon?: ReactNode;
  hint?: ReactNode;
  loading?: boolean;
  /** Reduces the card's height on a phone, above a list. */
  low?: boolean;
  /** List that the figure counts, e.g. `link={{ to: '/pedidos', search: { estado: 'pendiente' } }}`. */
  link?: Pick<LinkProps, 'to' | 'search'> | undefined;
};

/** Row of cards, each at least `least` wide (a CSS length). */
export const StatCards = ({ least, children }: { least: string; children: ReactNode }) => (
  <div className={classes.cards} style={{ '--least': least } as CSSProperties}>
    {children}
  </div>
);

export function StatCard({ label, value, icon, hint, loading = false, low = false, link }: Props) {
  const content = (
    <>
      <span className={classes.head}>
        <Text component="span" c="dimmed">
          {label}
        </Text>
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      </span>
      <span className={classes.value}>{loading ? <Skeleton w="5rem" h="1lh" /> : value}</span>
      {hint && (
        <Text component="span" variant="detail">
          {hint}
        </Text>
      )}
    </>
  );
  if (!link)
    return (
      <div className={classes.card} data-low={low || undefined}>
        {content}
      </div>
    );
  return (
    <Link {...link} className={classes.card} data-low={low || undefined}>
      {content}
    </Link>
  );
}
