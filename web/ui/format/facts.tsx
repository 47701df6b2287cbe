import type { ReactNode } from 'react';

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
