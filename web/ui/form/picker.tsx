import { Select, type SelectProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { matches } from '../list/local-list.ts';

export type PickerProps = Omit<SelectProps, 'data' | 'allowDeselect' | 'searchable' | 'searchValue' | 'onSearchChange'> & {
  data: readonly { value: string; label: string }[];
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
  // After what a click or another text does to the caret.
  const selectThen = () => setTimeout(select);
  const show = (label: string) => {
    setSearch(label);
    selectThen();
  };
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
      onSearchChange={setSearch}
      selectFirstOptionOnChange
      ref={field}
      onFocus={(event) => {
        select();
        onFocus?.(event);
      }}
      onClick={() => search === chosen && selectThen()}
      onOptionSubmit={(next) => show(labelOf(next))}
      onKeyDown={({ key }) => key === 'Escape' && show(chosen)}
      // The library marks nothing when the first letter opens the list, and Enter would send the form.
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || search === chosen || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '');
        for (const option of ['[data-combobox-selected]', '[data-combobox-option]']) {
          const found = list?.querySelector<HTMLElement>(option);
          if (found) return found.click();
        }
      }}
    />
  );
}
