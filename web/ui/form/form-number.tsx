import { TextInput, type TextInputProps } from '@mantine/core';
import type { FocusEvent, KeyboardEvent } from 'react';
import { parseNumber, showNumber, tidyNumber } from '../format/format.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'type' | 'step' | 'min'> & {
  /** Text as typed; `parseNumber` converts it. */
  value?: string;
  onChange?: (typed: string) => void;
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void;
  decimals?: 0 | 2;
  /** Step of the arrow keys, which stop at `min`. */
  step?: number;
  min?: number;
};

/** Number field with decimal comma and arrow-key steps; never discards typed text. */
export function NumberField({ value = '', onChange, onBlur, decimals = 0, step = 1, min = 0, ...props }: Props) {
  function onArrow(event: KeyboardEvent<HTMLInputElement>) {
    const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const now = parseNumber(value);
    if (!sign || Number.isNaN(now)) return;
    event.preventDefault();
    onChange?.(showNumber(Math.max(min, now + sign * step), decimals));
  }
  return (
    <TextInput
      {...props}
      // A phone's numeric keypad has no minus sign.
      inputMode={min < 0 ? 'text' : decimals ? 'decimal' : 'numeric'}
      autoComplete="off"
      maxLength={14}
      value={value}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      onKeyDown={onArrow}
      onBlur={(event) => {
        const tidy = tidyNumber(value, decimals);
        if (tidy !== value) onChange?.(tidy);
        onBlur?.(event);
      }}
    />
  );
}
