import { Select, type SelectProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { matches } from '../list/local-list.ts';

export type PickerProps = Omit<SelectProps, 'data' | 'allowDeselect' | 'searchable' | 'searchValue' | 'onSearchChange'> & {
  data: readonly { value: string; label: string; disabled?: boolean }[];
};

/**
 * A choice that is found by typing: what is typed takes the place of what stands there, Enter takes the first that
 * matches, and Escape brings back what stood there.
 */
export function Picker({ data, value, onFocus, ...props }: PickerProps) {
  const labelOf = (of: string | null | undefined) => data.find((option) => option.value === of)?.label ?? '';
  const chosen = labelOf(value);
  const [search, setSearch] = useState(chosen);
  const field = useRef<HTMLInputElement>(null);
  const select = () => field.current?.select();
  // Waits until the click or the new text has moved the caret, unless somebody has typed or gone on meanwhile: selecting takes the focus.
  const selectThen = (label: string) =>
    setTimeout(() => {
      if (document.activeElement === field.current && field.current?.value === label) select();
    });
  const show = (label: string) => {
    setSearch(label);
    selectThen(label);
  };
  // A letter typed before the label was selected stands beside it: it replaces the label all the same.
  function typed(next: string) {
    const added = search === chosen && next.length > chosen.length && data.every(({ label }) => label !== next);
    if (added && next.startsWith(chosen)) setSearch(next.slice(chosen.length));
    else if (added && next.endsWith(chosen)) setSearch(next.slice(0, -chosen.length));
    else setSearch(next);
  }
  return (
    <Select
      filter={({ options, search: typed, limit }) =>
        options.filter((option) => !('group' in option) && matches(typed, option.label)).slice(0, limit)
      }
      // Being taken to it, by its error or by a dialog that opens, must not cover what is around it.
      openOnFocus={false}
      {...props}
      // Found again, it stays chosen; `clearable` gives a way back to none.
      allowDeselect={false}
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
      onOptionSubmit={(next) => show(labelOf(next))}
      onKeyDown={({ key }) => key === 'Escape' && show(chosen)}
      // The library marks nothing when the first letter opens the list, and Enter would send the form.
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
