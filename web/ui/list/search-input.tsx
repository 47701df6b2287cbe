import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

type Props = {
  /** Value in the address; typing reaches `onChange` after `delay` ms without input. */
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  delay?: 300 | 500;
  /** Minimum width; smaller beside many filters. */
  w?: string | undefined;
};

/** Search box of a list. */
export function SearchInput({ value, onChange, placeholder, delay = 300, w = '12rem' }: Props) {
  const [typed, setTyped] = useState(value);
  const apply = useDebouncedCallback(onChange, delay);
  // Takes changes from outside (the back button), unless they only echo the typed text.
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);

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
              apply.cancel();
              onChange('');
            }}
          />
        )
      }
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        apply(event.currentTarget.value.trim());
      }}
      style={{ flex: `1 1 ${w}`, maxWidth: '26rem' }}
    />
  );
}
