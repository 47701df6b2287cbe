import '@mantine/core/styles/Radio.css';
import { Radio, SimpleGrid } from '@mantine/core';
import '@mantine/core/styles/RadioIndicator.css';
import '@mantine/core/styles/RadioCard.css';
import type { ReactNode, Ref } from 'react';
import classes from './choice-tiles.module.css';

type Props<V extends string> = {
  label: string;
  options: readonly { value: V; label: ReactNode }[];
  value: V | null;
  onChange: (value: V) => void;
  error?: ReactNode;
  optional?: boolean;
  cols?: number | { base: number; xs: number };
  current?: Ref<HTMLButtonElement>;
};

/** Radio group of touch-sized tiles, with arrow keys. */
export function ChoiceTiles<V extends string>({ label, options, value, onChange, error, optional = false, cols = 2, current }: Props<V>) {
  // A radio group is a single tab stop: the chosen option, or the first.
  const stop = options.some((option) => option.value === value) ? value : options[0]?.value;
  return (
    <Radio.Group<V> label={label} withAsterisk={!optional} value={value} onChange={onChange} error={error}>
      <div className={classes.frame}>
        <SimpleGrid cols={cols} spacing="xs" my={4} className={classes.tiles}>
          {options.map((option) => (
            <Radio.Card
              key={option.value}
              ref={option.value === stop ? current : undefined}
              value={option.value}
              className={classes.tile}
              tabIndex={option.value === stop ? 0 : -1}
              data-autofocus={(!optional && option.value === stop) || undefined}
              aria-invalid={error ? true : undefined}
            >
              <Radio.Indicator />
              {option.label}
            </Radio.Card>
          ))}
        </SimpleGrid>
      </div>
    </Radio.Group>
  );
}
