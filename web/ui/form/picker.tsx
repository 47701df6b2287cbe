import { Select, type SelectProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { matches } from '../list/local-list.ts';

export type PickerProps = Omit<SelectProps, 'data' | 'allowDeselect' | 'searchable' | 'searchValue' | 'onSearchChange'> & {
  data: readonly { value: string; label: string; disabled?: boolean }[];
  /** Called with the text as typed. */
  onSearch?: (typed: string) => void;
};

/** Searchable select: typing replaces the label, Enter takes the first match, and Escape restores the label. */
export function Picker({ data, value, onFocus, onSearch, onOptionSubmit, ...props }: PickerProps) {
  const labelOf = (of: string | null | undefined) => data.find((option) => option.value === of)?.label ?? '';
  const chosen = labelOf(value);
  const [search, setSearch] = useState(chosen);
  const field = useRef<HTMLInputElement>(null);
  const select = () => field.current?.select();
  // Runs after the click or the new text has moved the caret. Skips if the person has typed or left: selecting takes the focus.
  const selectThen = (label: string) =>
    setTimeout(() => {
      if (document.activeElement === field.current && field.current?.value === label) select();
    });
  const show = (label: string) => {
    setSearch(label);
    selectThen(label);
  };
  // A letter typed before the label was selected is added to the label, so the label is removed here.
  function typed(next: string) {
    const added = search === chosen && next.length > chosen.length && data.every(({ label }) => label !== next);
    if (added && next.startsWith(chosen)) setSearch(next.slice(chosen.length));
    else if (added && next.endsWith(chosen)) setSearch(next.slice(0, -chosen.length));
    else setSearch(next);
    onSearch?.(next);
  }
  return (
    <Select
      filter={({ options, search: typed, limit }) =>
        options.filter((option) => !('group' in option) && matches(typed, option.label)).slice(0, limit)
      }
      // Automatic focus (after an error, in an opening dialog) must not open the list over other fields.
      openOnFocus={false}
      {...props}
      data={data}
      value={value ?? null}
      searchable
      searchValue={search}
      onSearchChange={typed}
      selectFirstOptionOnChange
      ref={field}
      onFocus={(event) => {
        select();
        onFocus?.(event);
      }}
      onClick={() => search === chosen && selectThen(chosen)}
      onOptionSubmit={(next) => {
        onOptionSubmit?.(next);
        show(labelOf(next));
      }}
      onKeyDown={({ key }) => key === 'Escape' && show(chosen)}
      // The library highlights no option when the first letter opens the list, so Enter would submit the form.
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || search === chosen || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '');
        for (const option of ['[data-combobox-selected]', '[data-combobox-option]:not([data-combobox-disabled])']) {
          const found = list?.querySelector<HTMLElement>(option);
          if (found) return found.click();
        }
      }}
    />
  );
}
