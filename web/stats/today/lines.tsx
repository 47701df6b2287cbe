import { Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { number } from '../../ui/format/format.ts';
import classes from './today.module.css';

export type To = Pick<LinkProps, 'to' | 'search'>;

type LineProps = { title: string; count?: number | undefined; to?: To | undefined; children: ReactNode };

/** A line of «Hoy»: title, count and actions. Renders nothing for a count of zero. */
export function Line({ title, count, to, children }: LineProps) {
  if (count === 0) return null;
  const head = (
    <>
      {title} {count !== undefined && <strong>{number(count)}</strong>}
    </>
  );
  return (
    <li className={classes.line}>
      {to ? (
        <Link {...to} className={classes.title}>
          {head}
        </Link>
      ) : (
        <span className={classes.title}>{head}</span>
      )}
      <div className={classes.content}>{children}</div>
    </li>
  );
}

/** Several links beside each other, after the name of whom they are about. */
export const Chips = ({ label, children }: { label?: string; children: ReactNode }) => (
  <div className={classes.chips} {...(label && { role: 'group', 'aria-label': label })}>
    {label && <span className={classes.name}>{label}</span>}
    {children}
  </div>
);

/** A figure that leads to exactly the rows that it counts; nothing for zero. */
export const Chip = ({ label, count, to, urgent }: { label: string; count: number; to: To; urgent?: boolean }) =>
  count !== 0 && (
    <Link {...to} className={classes.chip} data-urgent={urgent || undefined}>
      {label} <strong>{number(count)}</strong>
    </Link>
  );

const moreWords = (more: number) => `y ${number(more)} más`;
/** What is left of goods that run out. */
export const leftWords = (stock: number) => (stock <= 0 ? 'agotado' : stock === 1 ? 'queda 1' : `quedan ${number(stock)}`);

/** One matter in words, with buttons; `more` is how many of its kind are not named, and `to` leads to all. */
export const TodayMatter = ({
  words,
  more = 0,
  to,
  children,
}: {
  words: ReactNode;
  more?: number;
  to?: To | undefined;
  children?: ReactNode;
}) => (
  <div className={classes.matter}>
    <Text className={classes.words}>
      {words}
      {more > 0 && ' · '}
      {more > 0 &&
        (to ? (
          <Link {...to} className={classes.more}>
            {moreWords(more)}
          </Link>
        ) : (
          moreWords(more)
        ))}
    </Text>
    {children && <div className={classes.acts}>{children}</div>}
  </div>
);
