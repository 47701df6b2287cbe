import { ComboboxChevron, type SelectProps, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { overlays } from './overlays.ts';

type Option = { value: string; label: string };
type Props = Omit<SelectProps, 'data' | 'value' | 'searchable' | 'onClick'> & { data: Option[]; value: string; searchable?: boolean };

/** Select without an empty option. Looks the same until its list has loaded; if pressed before, it then opens. */
export function Choice({ searchable = false, ...props }: Props) {
  const [pressed, setPressed] = useState(false);
  const plain = useRef<HTMLInputElement>(null);
  const parts = overlays.useParts(pressed);
  const { data, value, allowDeselect: _, checkIconPosition: __, onChange: ___, ...look } = props;
  if (!parts)
    return (
      <TextInput
        {...(look as object)}
        ref={plain}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={pressed}
        readOnly
        pointer
        value={data.find((option) => option.value === value)?.label ?? ''}
        rightSection={<ComboboxChevron />}
        rightSectionPointerEvents="none"
        onClick={() => setPressed(true)}
      />
    );
  const Field = searchable ? parts.Picker : parts.Select;
  const focused = plain.current !== null && plain.current === document.activeElement;
  return <Field {...props} autoFocus={pressed || focused} defaultDropdownOpened={pressed} />;
}
