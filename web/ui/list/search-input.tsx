import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

type Props = {
  /** Value in the address; typing reaches `onChange` after `delay` ms without input. */
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  delay?: 300 | 500;
  /** Minimum width; smaller beside many filters. */
  w?: string | undefined;
};

export function SearchInput({ value, onChange, placeholder, delay = 300, w = '12rem' }: Props) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onChange);
  // Takes changes from outside (the back button), unless they only echo the typed text.
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  useEffect(() => {
    latest.current = onChange;
  }, [onChange]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={placeholder.replace(/\.{3}$/, '')}
      placeholder={placeholder}
      value={typed}
      maxLength={100}
      leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
      rightSection={
        typed && (
          <CloseButton
            size={24}
            aria-label="Borrar la búsqueda"
            onClick={() => {
              setTyped('');
              clearTimeout(timer.current);
              onChange('');
            }}
          />
        )
      }
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        clearTimeout(timer.current);
        timer.current = setTimeout((text) => latest.current(text), delay, event.currentTarget.value.trim());
      }}
      style={{ flex: `1 1 ${w}`, maxWidth: '26rem' }}
    />
  );
}
