import { ComboboxChevron, type SelectProps, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { overlays } from './overlays.ts';

type Option = { value: string; label: string };
type Props = Omit<SelectProps, 'data' | 'value' | 'searchable' | 'onClick'> & {
  data: readonly (Option & { disabled?: boolean })[];
  value: string | null;
  searchable?: boolean;
  /** Called with the text typed into a searchable select. */
  onSearch?: (typed: string) => void;
};

const PASSED_BY = ['Tab', 'Escape', 'Shift', 'Control', 'Alt', 'Meta'];

/** Select without an empty option. Until the list loads, renders a field that looks the same; a press on that field opens the list later. */
export function Choice({ searchable = false, ...props }: Props) {
  const [pressed, setPressed] = useState(props.defaultDropdownOpened ?? false);
  const plain = useRef<HTMLInputElement>(null);
  const parts = overlays.useParts(pressed);
  if (!parts)
    return (
      <TextInput
        {...lookOf(props)}
        ref={plain}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={pressed}
        readOnly
        pointer
        value={props.data.find((option) => option.value === props.value)?.label ?? ''}
        rightSection={<ComboboxChevron />}
        rightSectionPointerEvents="none"
        onClick={() => setPressed(true)}
        onKeyDown={(event) => {
          if (PASSED_BY.includes(event.key)) return;
          // Keeps Enter from submitting the form.
          event.preventDefault();
          setPressed(true);
        }}
      />
    );
  const focused = plain.current !== null && plain.current === document.activeElement;
  const opening = { autoFocus: pressed || focused, defaultDropdownOpened: pressed };
  if (searchable) return <parts.Picker {...props} {...opening} />;
  const { onSearch, ...select } = props;
  return <parts.Select {...select} data={[...props.data]} {...opening} />;
}

/** Props of the field that stands in until the list has loaded. */
function lookOf(props: Props): object {
  const {
    data,
    value,
    onChange,
    allowDeselect,
    checkIconPosition,
    comboboxProps,
    filter,
    renderOption,
    onSearch,
    onOptionSubmit,
    ...field
  } = props;
  const { nothingFoundMessage, maxDropdownHeight, defaultDropdownOpened, ...look } = field;
  return look;
}
