import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { memo, useState } from 'react';
import type { Pack } from '../../../contract/products/products.ts';
import { packLabel } from '../lineas/pack-label.ts';
import { PackPicker } from '../lineas/pack-picker.tsx';
import classes from './import.module.css';
import { LINE_TARGETS, type Target, targetLabel } from './target.ts';
import type { View } from './view.ts';

const DOUBT = 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))';

export type CellActions = {
  packs: readonly Pack[] | undefined;
  onType: (id: string, target: Target, text: string) => void;
  onPick: (id: string, pack_id: string) => void;
};
/** Fields that every row of an order has; all others are edited in the order's first row. */
const EACH_ROW: readonly Target[] = [...LINE_TARGETS, 'pedido'];

/** Field of a row, with warnings below. An editable value becomes an input when pressed or invalid. */
export function Cell({ view, target, ...actions }: CellActions & { view: View; target: Target }) {
  const doubts = view.doubts.filter((doubt) => doubt.target === target);
  return (
    <>
      {view.later && !EACH_ROW.includes(target) ? (
        <Text size="sm" c="dimmed" className={classes.doubt}>
          {view.values[target] || '—'}
        </Text>
      ) : (
        <Editable
          {...actions}
          id={view.id}
          n={view.row.n}
          target={target}
          value={view.values[target]}
          error={view.errors[target]}
          pack={target === 'pack' ? view.pack : undefined}
        />
      )}
      {doubts.map(({ text }) => (
        <Text key={text} size="xs" c={view.open.some((doubt) => doubt.text === text) ? DOUBT : 'dimmed'} className={classes.doubt}>
          {text}
        </Text>
      ))}
    </>
  );
}

type EditableProps = CellActions & {
  id: string;
  n: number;
  target: Target;
  value: string;
  error: string | undefined;
  pack: Pack | undefined;
};

// Memoised: a page has up to fifty rows, and a keystroke changes few of their fields.
const Editable = memo(({ packs, onType, onPick, id, n, target, value, error, pack }: EditableProps) => {
  const [pressed, setPressed] = useState(false);
  // Keeps the input while typing, even once the value is valid.
  const [typing, setTyping] = useState(false);
  const label = `${targetLabel(target)}, fila ${n}`;
  const text = pack ? packLabel(pack) : value;
  if (!error && !pressed && !typing)
    return (
      <UnstyledButton className={classes.value} aria-label={`${label}: ${text || 'sin nada'}`} onClick={() => setPressed(true)}>
        {text || (
          <Text span size="sm" c="dimmed" inherit>
            {'—'}
          </Text>
        )}
      </UnstyledButton>
    );
  const edited = pressed || typing;
  const field = {
    'aria-label': label,
    size: 'xs',
    error,
    autoFocus: pressed,
    onFocus: () => setTyping(true),
    onBlur: () => {
      setPressed(false);
      setTyping(false);
    },
  } as const;
  // Rendering all the pickers of a page takes a second, so each appears on demand.
  if (target === 'pack' && !edited)
    return (
      <TextInput
        {...field}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={false}
        readOnly
        pointer
        placeholder="Elige un pack"
        value={text}
        onFocus={undefined}
        onClick={() => setPressed(true)}
        onKeyDown={({ key }) => !['Tab', 'Shift'].includes(key) && setPressed(true)}
      />
    );
  if (target === 'pack')
    return (
      <PackPicker
        {...field}
        defaultDropdownOpened={pressed}
        packs={packs}
        like={text}
        value={pack?.id ?? null}
        onChange={(chosen) => chosen && onPick(id, chosen)}
      />
    );
  return <TextInput {...field} autoComplete="off" value={value} onChange={(event) => onType(id, target, event.currentTarget.value)} />;
});
