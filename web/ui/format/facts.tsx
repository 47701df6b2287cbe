import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [label: string, value: ReactNode, className?: string | undefined];

/** Entries of a `dl`; omits facts without a value. */
export const Facts = ({ of }: { of: readonly Fact[] }) =>
  of.map(
    ([label, value, className]) =>
      value && (
        <div key={label} className={className}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ),
  );

/** Class of a fact that takes two columns. */
export const WIDE = classes.wide;

/** Facts in columns, each label in small print above its value; nothing without a value. */
export const FactList = ({ of }: { of: readonly Fact[] }) =>
  of.some(([, value]) => value) && (
    <dl className={classes.facts}>
      <Facts of={of} />
    </dl>
  );
