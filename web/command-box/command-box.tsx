import { Modal, TextInput, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { listClientes } from '../../contract/clientes/clientes.ts';
import { EN_MANOS, type Estado } from '../../contract/pedidos/estados.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { can, mayEver, type Role } from '../../contract/policy/policy.ts';
import { listProducts } from '../../contract/products/products.ts';
import { plural } from '../../contract/text/plural.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import classes from './command-box.module.css';
import { clienteEntry, type Entry, type EntryGroup, groupEntries, pedidoEntry, peopleEntries, stockEntries } from './entries.ts';

type Props = { opened: boolean; onClose: () => void; onShortcuts: () => void };

/** The command box (Ctrl+K): finds screens, settings, actions, orders, customers, people and products by name. */
export const CommandBox = ({ opened, onClose, onShortcuts }: Props) => (
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
  const groups = groupEntries(query, user, dark, found);
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
      <VisuallyHidden role="status">{busy ? 'Buscando...' : plural(entries.length, 'resultado')}</VisuallyHidden>
      {entries.length > 0 ? (
        <OptionList id={list} groups={groups} active={active} onActive={({ id }) => setActiveId(id)} onPick={pick} />
      ) : (
        <p className={classes.nothing}>{busy ? 'Buscando...' : `Nada coincide con «${query}»`}</p>
      )}
    </>
  );
}

const DEBOUNCE = 250;
const LEAST = 2;
const PEDIDOS = 6;
const CLIENTES = 4;
const MINUTE = 60_000;

/** Estados to search in, for roles whose list does not show every estado. */
const FOUND_IN: Partial<Record<Role, readonly Estado[]>> = { transportista: EN_MANOS };

function useFound(query: string): { found: EntryGroup[]; busy: boolean } {
  const user = useSession();
  const [asked] = useDebouncedValue(query, DEBOUNCE);
  const enough = asked.length >= LEAST;
  const pedidos = useApi(
    listPedidos,
    { query: { search: asked, per_page: PEDIDOS, estado: FOUND_IN[user.role]?.join(',') } },
    { enabled: enough, keepPrevious: true },
  );
  const clientes = useApi(
    listClientes,
    { query: { search: asked, per_page: CLIENTES } },
    { enabled: enough && mayEver(user, 'cliente:read'), keepPrevious: true },
  );
  const users = useApi(listUsers, { query: {} }, { enabled: can(user, 'user:manage'), staleTime: MINUTE });
  const products = useApi(listProducts, {}, { enabled: can(user, 'product:manage'), staleTime: MINUTE });
  if (query.length < LEAST) return { found: [], busy: false };
  return {
    found: [
      { label: 'Pedidos', entries: enough ? (pedidos.data?.data ?? []).map((pedido) => pedidoEntry(user, pedido)) : [] },
      { label: 'Clientes', entries: enough ? (clientes.data?.data ?? []).map(clienteEntry) : [] },
      { label: 'Personas', entries: peopleEntries(query, users.data?.data ?? []) },
      { label: 'Productos', entries: stockEntries(query, products.data?.data ?? []) },
    ],
    busy: query !== asked || pedidos.isFetching || clientes.isFetching,
  };
}

type OptionListProps = {
  id: string;
  groups: EntryGroup[];
  active: Entry | undefined;
  onActive: (entry: Entry) => void;
  onPick: (entry: Entry) => void;
};

const optionId = (list: string, { id }: Entry) => `${list}-${id}`;

/** Grouped results. The focus stays in the field, whose aria-activedescendant is the active option. */
const OptionList = ({ id, groups, active, onActive, onPick }: OptionListProps) => (
  <div role="listbox" id={id} aria-label="Resultados" className={classes.list}>
    {groups.map(({ label, entries }) => (
      // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
      <div key={label} role="group" aria-labelledby={`${id}-${label}`}>
        <div id={`${id}-${label}`} className={classes.label}>
          {label}
        </div>
        {entries.map((entry) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={entry.id}
            id={optionId(id, entry)}
            role="option"
            aria-selected={entry === active}
            className={classes.option}
            // Keeps the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => entry !== active && onActive(entry)}
            onClick={() => onPick(entry)}
          >
            <span className={classes.icon} aria-hidden>
              <entry.icon size={18} stroke={1.7} />
            </span>
            <span className={classes.text}>{entry.label}</span>
            {entry.hint && <span className={classes.hint}>{entry.hint}</span>}
          </div>
        ))}
      </div>
    ))}
  </div>
);
