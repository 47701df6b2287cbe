import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: ReactNode, className?: string | undefined];

/** The entries of a `dl`; a fact without a value is left out. */
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
