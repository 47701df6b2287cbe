import { ActionIcon, Button, Table, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconFilterOff, IconTrash } from '@tabler/icons-react';
import { hideLog, type LogEntry, listLogs } from '../../contract/audit/audit.ts';
import { stepInPast } from '../../contract/pedidos/words.ts';
import { ROLES } from '../../contract/policy/policy.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi, useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { fechaHora } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters, SearchInput, soundDay, useCountAll, useSearchState } from '../ui/list/filters.tsx';
import { focusList } from '../ui/list/focus-list.ts';
import type { Column } from '../ui/list/table-props.ts';
import { EntityLink } from './links.tsx';
import { ACTIONS, actionLabel, ENTITIES, entityLabel, roleLabel } from './words.ts';
import '@mantine/core/styles/Table.css';
import { useId, useState } from 'react';
import { shownChanges } from './changes.ts';

const options = (all: string, words: Record<string, string>) => [
  { value: '', label: all },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
];
const DEFAULTS = { search: '', actor: '', action: '', entity: '', desde: '', hasta: '', page: 1 };
const WIDTH = '11rem';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const known = (value: string, words: Record<string, string>) => (Object.hasOwn(words, value) ? value : '');

/** The audit log. Deleting an entry only hides it, and is logged too. */
export function LogsTab() {
  const [state, set] = useSearchState(DEFAULTS);
  const action = known(state.action, ACTIONS);
  const entity = known(state.entity, ENTITIES);
  const [desde, hasta] = [soundDay(state.desde), soundDay(state.hasta)];
  const people = useApi(listUsers, {}, { staleTime: 60_000 });
  const actors = [
    { value: '', label: 'Quién: todos' },
    { value: 'sistema', label: 'Sistema' },
    ...(people.data?.data ?? []).map(({ id, full_name }) => ({ value: id, label: full_name })),
  ];
  const actor = UUID.test(state.actor) || state.actor === 'sistema' ? state.actor : '';
  const search = state.search.slice(0, 100);
  const filter = { action, entity_type: entity, search, actor, desde, hasta };
  const { contar, onCountAll } = useCountAll(filter);
  const { data, error, isPlaceholderData, refetch } = useApi(
    listLogs,
    { query: { ...filter, page: state.page, contar } },
    { keepPrevious: true },
  );
  const filtered = Object.values(filter).some(Boolean);
  const hide = useMutate(hideLog, { failure: 'No se pudo eliminar el registro' });
  const remove = ({ id, description }: LogEntry) =>
    void confirm({
      title: 'Eliminar registro',
      message: `«${stepInPast(description)}» dejará de verse. No se borra: queda oculto, y que lo has ocultado tú también queda registrado.`,
      confirm: 'Eliminar',
      danger: true,
      action: () => hide.mutateAsync({ params: { id } }),
    }).then((gone) => gone && focusList());

  return (
    <>
      <Text c="dimmed" mb="xs">
        Quién hizo qué, y cuándo.
      </Text>
      <Filters>
        <SearchInput
          value={state.search}
          placeholder="Buscar en la descripción o el actor..."
          onChange={(text) => set({ search: text }, { replace: true })}
        />
        <FilterSelect label="Quién" searchable w={WIDTH} data={actors} value={actor} onChange={(next) => set({ actor: next })} />
        <FilterSelect
          label="Acción"
          w={WIDTH}
          data={options('Acción: todas', ACTIONS)}
          value={action}
          onChange={(next) => set({ action: next })}
        />
        <FilterSelect
          label="Sobre qué"
          w={WIDTH}
          data={options('Sobre qué: todo', ENTITIES)}
          value={entity}
          onChange={(next) => set({ entity: next })}
        />
        <DateRange
          label="Fechas"
          value={{ from: desde, to: hasta }}
          onChange={({ from = '', to = '' }) => set({ desde: from, hasta: to })}
        />
        {filtered && (
          <Button variant="subtle" leftSection={<IconFilterOff size={16} aria-hidden />} onClick={() => set(DEFAULTS)}>
            Quitar filtros
          </Button>
        )}
      </Filters>
      <DataTable
        label="Logs"
        rows={data?.data}
        busy={isPlaceholderData}
        columns={columns(remove)}
        empty={
          filtered
            ? { title: 'Ningún registro coincide con los filtros', hint: 'Prueba con otras palabras, otras fechas u otra persona.' }
            : { title: 'Todavía no hay registros', hint: 'Cada cambio que se haga aparecerá aquí.' }
        }
        error={{ title: 'No se pudieron cargar los registros', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'registros', onPage: (page) => set({ page }), counted: true, onCountAll }}
      />
    </>
  );
}

function Actor({ entry }: { entry: LogEntry }) {
  // A program's id is the id of its key, which has no screen.
  const person = ROLES.some((role) => role === entry.actor_role) ? entry.actor_user_id : null;
  return (
    <>
      <Text truncate title={entry.actor_nombre}>
        <EntityLink entity="profile" id={person}>
          {entry.actor_nombre || 'Sistema'}
        </EntityLink>
      </Text>
      <Text size="xs" c="dimmed" title={entry.actor_user_id ?? undefined}>
        {entry.actor_user_id ? `${entry.actor_user_id.slice(0, 8)} · ` : ''}
        {roleLabel(entry.actor_role)}
      </Text>
    </>
  );
}

const Remove = ({ entry, onRemove }: { entry: LogEntry; onRemove: (entry: LogEntry) => void }) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    aria-label={`Eliminar el registro «${stepInPast(entry.description)}» de ${fechaHora(entry.created_at)}`}
    onClick={() => onRemove(entry)}
  >
    <IconTrash size={18} stroke={1.8} aria-hidden />
  </ActionIcon>
);

const columns = (remove: (entry: LogEntry) => void): Column<LogEntry>[] => [
  { key: 'created_at', at: 'line', title: 'Fecha', width: 160, render: ({ created_at }) => fechaHora(created_at) },
  { key: 'action', at: 'line', title: 'Acción', width: 130, render: ({ action }) => actionLabel(action) },
  {
    key: 'entity_type',
    at: 'line',
    title: 'Sobre qué',
    width: 120,
    render: ({ entity_type }) => entityLabel(entity_type),
  },
  { key: 'actor', at: 'line', title: 'Quién', width: 200, render: (entry) => <Actor entry={entry} /> },
  { key: 'description', at: 'title', title: 'Descripción', render: (entry) => <Description entry={entry} /> },
  {
    key: 'eliminar',
    at: 'aside',
    title: 'Eliminar',
    width: 84,
    align: 'right',
    render: (entry) => <Remove entry={entry} onRemove={remove} />,
  },
];

function Description({ entry }: { entry: LogEntry }) {
  const description = stepInPast(entry.description);
  const [open, setOpen] = useState(false);
  const id = useId();
  const changes = shownChanges(entry);
  const text = (
    <Text span style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      <EntityLink entity={entry.entity_type} id={entry.entity_id}>
        {description}
      </EntityLink>
    </Text>
  );
  if (changes.length === 0) return text;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      {text}
      <UnstyledButton
        display="flex"
        mih={24}
        fz="xs"
        c="var(--mantine-color-anchor)"
        style={{ alignItems: 'center', gap: 2 }}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Chevron size={14} aria-hidden />
        {open ? 'Ocultar cambios' : 'Ver cambios'}
      </UnstyledButton>
      <div id={id} hidden={!open}>
        {open && (
          <Table fz="xs" layout="fixed" aria-label={`Cambios de «${description}»`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Campo</Table.Th>
                <Table.Th>Antes</Table.Th>
                <Table.Th>Después</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ field, label, antes, despues }) => (
                <Table.Tr key={field}>
                  <Table.Td style={WRAP}>{label}</Table.Td>
                  <Table.Td style={WRAP}>{antes}</Table.Td>
                  <Table.Td style={WRAP}>{despues}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </div>
    </>
  );
}

const WRAP = { overflowWrap: 'anywhere', whiteSpace: 'normal' } as const;
