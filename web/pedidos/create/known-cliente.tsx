import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { later } from '../../lazy.ts';
import type { FinderProps } from '../cliente/cliente-fields.tsx';

const suggestions = later(() => import('./suggested-clientes.tsx'));

/** Customer field. Once the code for suggestions has loaded, suggests known customers, without losing focus or text. */
export function KnownCliente(props: FinderProps) {
  const plain = useRef<HTMLInputElement>(null);
  const typed = useRef('');
  const parts = suggestions.useParts(false);
  if (!parts)
    return (
      <TextInput
        {...props.input}
        ref={plain}
        onChange={(event) => {
          props.input.onChange?.(event);
          typed.current = event.currentTarget.value;
        }}
      />
    );
  const focused = plain.current !== null && plain.current === document.activeElement;
  return <parts.SuggestedClientes {...props} focused={focused} typedBefore={typed.current} />;
}
