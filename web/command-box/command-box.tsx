import { Modal, TextInput, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import classes from './command-box.module.css';
import { type Entry, grouped } from './entries.ts';
import { OptionList, optionId } from './option-list.tsx';
import { useFound } from './use-found.ts';

type Props = { opened: boolean; onClose: () => void; onShortcuts: () => void };

/** The command box (Ctrl+K): finds screens, settings, actions, orders, customers, people and products by name. */
export function CommandBox({ opened, onClose, onShortcuts }: Props) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      padding={0}
      size="36rem"
      yOffset="12dvh"
      // The box is there at once, so that no letter is lost, and the button gives the focus back.
      transitionProps={{ duration: 0 }}
      returnFocus={false}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Buscar o ir a">
        <Modal.Body>
          <Search onClose={onClose} onShortcuts={onShortcuts} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

// Mounted on every opening, so that the search starts empty.
function Search({ onClose, onShortcuts }: Omit<Props, 'opened'>) {
  const user = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  const { leave } = useSignOut();
  const navigate = useNavigate();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [activeId, setActiveId] = useState<string>();
  // Enter was pressed before the results of the current query arrived; the results on screen are stale.
  const [hasty, setHasty] = useState(false);

  const query = typed.trim();
  const { found, busy } = useFound(query);
  const groups = grouped(query, user, dark, found);
  const entries = groups.flatMap((group) => group.entries);
  // Late results do not move the active entry; by default the first is active.
  const active = entries.find(({ id }) => id === activeId) ?? entries[0];
  const activeOption = active && optionId(list, active);
  useEffect(() => {
    if (activeOption) document.getElementById(activeOption)?.scrollIntoView({ block: 'nearest' });
  }, [activeOption]);

  function pick({ does }: Entry) {
    onClose();
    if (typeof does === 'object') void navigate({ to: does.to, search: does.search ?? {} });
    else if (does === 'tema') setColorScheme(dark ? 'light' : 'dark');
    else if (does === 'actualizar') location.reload();
    else if (does === 'atajos') onShortcuts();
    else if (does === 'ayuda') void navigate({ to: '/ayuda', search: { desde: location.pathname + location.search } });
    else leave();
  }

  useEffect(() => {
    if (!hasty || busy) return;
    setHasty(false);
    if (active) pick(active);
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && busy && !activeId) setHasty(true);
    else if (event.key === 'Enter' && active) pick(active);
    else if (step && active) setActiveId(entries.at((entries.indexOf(active) + step) % entries.length)?.id);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <TextInput
        autoFocus
        aria-label="Buscar o ir a"
        placeholder="Pantallas, pedidos, acciones…"
        leftSection={<IconSearch size={18} stroke={1.8} aria-hidden />}
        classNames={{ input: classes.input }}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={list}
        aria-activedescendant={activeOption}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setActiveId(undefined);
          setHasty(false);
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">
        {busy ? 'Buscando...' : entries.length === 1 ? '1 resultado' : `${entries.length} resultados`}
      </VisuallyHidden>
      {entries.length > 0 ? (
        <OptionList id={list} groups={groups} active={active} onActive={({ id }) => setActiveId(id)} onPick={pick} />
      ) : (
        <p className={classes.nothing}>{busy ? 'Buscando...' : `Nada coincide con «${query}»`}</p>
      )}
    </>
  );
}
