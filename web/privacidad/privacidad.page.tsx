import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { ROLE_LABEL, ROLES } from '../../contract/policy/policy.ts';
import { type Bloqueo, buscarPersonas, getPlazo, listBloqueos } from '../../contract/privacidad/privacidad.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import { focusList } from '../ui/list/focus-list.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Pages } from '../ui/list/pages.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { PageHeader, Panel, Section } from '../ui/page/panel.tsx';
import { BlockDialog, type Blocking } from './block-dialog.tsx';
import { Person, timesText } from './person.tsx';

const LEAST = 3;

export default function PrivacidadPage() {
  const [{ search, page }, set] = useSearchState({ search: '', page: 1 });
  const [{ bloqueados }, setBlocked] = useSearchState({ bloqueados: 1 });
  const [open, setOpen] = useState<{ blocking: Blocking; opened: boolean }>();
  const block = (blocking: Blocking) => setOpen({ blocking, opened: true });
  return (
    <>
      <PageHeader
        title="Datos personales"
        subtitle="Busca a una persona en todo el programa, dale sus datos, bloquéalos o anonimízalos. Cada cosa queda en el registro."
      />
      <Stack gap="lg">
        <SearchForm search={search} onSearch={(words) => set({ search: words })} />
        {search.length >= LEAST && <Found search={search} page={page} onPage={(to) => set({ page: to })} onBlock={block} />}
        <Blocked page={bloqueados} onPage={(to) => setBlocked({ bloqueados: to })} onBlock={block} />
        <Term />
      </Stack>
      <BlockDialog
        blocking={open?.blocking}
        opened={!!open?.opened}
        onClose={() => {
          setOpen((last) => last && { ...last, opened: false });
          focusList();
        }}
      />
    </>
  );
}

// Searches only on submit, because every search is logged.
function SearchForm({ search, onSearch }: { search: string; onSearch: (words: string) => void }) {
  const [typed, setTyped] = useState(search);
  const [short, setShort] = useState(false);
  useEffect(() => setTyped(search), [search]);
  function submit(event: FormEvent) {
    event.preventDefault();
    const words = typed.trim();
    setShort(words.length > 0 && words.length < LEAST);
    if (words.length === 0 || words.length >= LEAST) onSearch(words);
  }
  return (
    <form onSubmit={submit} aria-label="Buscar a una persona">
      <Group align="flex-start">
        <TextInput
          type="search"
          role="searchbox"
          aria-label="Nombre, teléfono o email"
          placeholder="Nombre, teléfono o email"
          value={typed}
          maxLength={200}
          autoComplete="off"
          leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
          error={short && `Escribe al menos ${LEAST} letras o cifras`}
          onChange={(event) => setTyped(event.currentTarget.value)}
          style={{ flex: '1 1 12rem', maxWidth: '26rem' }}
        />
        <Button type="submit">Buscar</Button>
      </Group>
    </form>
  );
}

/** Automatic anonymisation: the retention period and the next run. */
function Term() {
  const query = useApi(getPlazo, {});
  return (
    <Panel title="Por plazo">
      <Loaded query={query} failed="No se pudo cargar el plazo" waiting={<Skeleton h={44} role="status" aria-label="Cargando..." />}>
        {({ data: { meses, pendientes, proxima, anonimizados } }) => (
          <>
            <Text>
              {meses === 0 || !proxima
                ? 'Ningún pedido se anonimiza solo.'
                : `Los pedidos se anonimizan ${plural(meses, 'mes', 'meses')} después de terminar. Lo han cumplido ${plural(pendientes, 'pedido')}; la próxima vez es el ${fechaHora(proxima)}.`}
            </Text>
            <Text variant="detail" mt={4}>
              {anonimizados > 0 && `Hay ${plural(anonimizados, 'pedido')} sin datos del cliente. `}
              El plazo se cambia en{' '}
              <Anchor inherit renderRoot={(props) => <Link {...props} to="/configuracion" search={{ tab: 'security' }} />}>
                Configuración → Seguridad
              </Anchor>
              .
            </Text>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

type Props = { page: number; onPage: (page: number) => void; onBlock: (blocking: Blocking) => void };

function Blocked({ page, onPage, onBlock }: Props) {
  const { data, error, isPlaceholderData, refetch } = useApi(listBloqueos, { query: { page } }, { keepPrevious: true });
  const number = ({ pedido_id, numero_orden }: Bloqueo) => (
    <Anchor underline="always" size="sm" renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido_id }} />}>
      {numero_orden}
    </Anchor>
  );
  const actions = ({ pedido_id, numero_orden }: Bloqueo) => {
    const block = (what: Blocking['what']) => () => onBlock({ what, pedido: pedido_id, label: numero_orden, pedidos: 1 });
    return (
      <Group justify="flex-end">
        <Button size="xs" variant="default" aria-label={`Desbloquear ${numero_orden}`} onClick={block('desbloquear')}>
          Desbloquear
        </Button>
        <Button size="xs" variant="light" color="red" aria-label={`Anonimizar ${numero_orden}`} onClick={block('anonimizar')}>
          Anonimizar
        </Button>
      </Group>
    );
  };
  const columns: Column<Bloqueo & { id: string }>[] = [
    { key: 'numero_orden', at: 'title', title: 'Pedido', width: 160, render: number },
    { key: 'created_at', at: 'aside', title: 'Desde', width: 150, render: ({ created_at }) => fechaHora(created_at) },
    { key: 'motivo', at: 'line', title: 'Motivo', render: ({ motivo }) => <Text>{motivo}</Text> },
    { key: 'bloqueado_por', at: 'labelled', title: 'Quién', width: 170, render: ({ bloqueado_por }) => bloqueado_por ?? '—' },
    { key: 'acciones', at: 'foot', title: 'Acciones', width: 250, align: 'right', render: actions },
  ];
  return (
    <Section title="Bloqueados ahora" mb="xs">
      <DataTable
        label="Pedidos con los datos bloqueados"
        rows={data?.data.map((row) => ({ ...row, id: row.pedido_id }))}
        busy={isPlaceholderData}
        columns={columns}
        empty={{ title: 'No hay nada bloqueado', hint: 'Busca a una persona para bloquear sus datos.' }}
        error={{ title: 'No se pudo cargar lo bloqueado', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'pedidos', onPage }}
        skeletonRows={2}
      />
    </Section>
  );
}

const roleOf = (role: string): string => {
  const known = ROLES.find((known) => known === role);
  return known ? ROLE_LABEL[known] : role;
};

type FoundProps = { search: string; page: number; onPage: (page: number) => void; onBlock: (blocking: Blocking) => void };

function Found({ search, page, onPage, onBlock }: FoundProps) {
  // Never refetched on focus: every search is logged.
  const query = useApi(buscarPersonas, { query: { search, page } }, { keepPrevious: true, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Loaded query={query} failed="No se pudo buscar" waiting={<Skeletons heights={[96, 96]} />}>
      {(found) => (
        <Stack gap="md" aria-busy={query.isPlaceholderData}>
          {found.total === 0 && found.usuarios_total === 0 && found.sueltos.length === 0 ? (
            <EmptyState title="No se ha encontrado a nadie" hint="Lo bloqueado y lo anonimizado ya no se encuentra por sus datos." />
          ) : (
            <section aria-label="Clientes">
              <Stack component="ul" aria-label="Clientes encontrados">
                {found.data.map((persona) => (
                  <Person key={persona.pedido_id} persona={persona} onBlock={onBlock} />
                ))}
              </Stack>
              {found.total === 0 ? (
                <Text>Ningún cliente.</Text>
              ) : (
                <Pages
                  of={found}
                  noun={found.total === 1 ? 'cliente' : 'clientes'}
                  onPage={onPage}
                  shown={found.data.length}
                  busy={query.isPlaceholderData}
                />
              )}
            </section>
          )}
          {found.usuarios_total > 0 && (
            <Panel title="Personas del programa">
              <Stack component="ul" gap={4} aria-label="Personas del programa">
                {found.usuarios.map(({ id, full_name, email, role, activo }) => (
                  <Text component="li" key={id} style={{ overflowWrap: 'anywhere' }}>
                    {full_name} · {email} · {roleOf(role)}
                    {!activo && ' (desactivado)'}
                  </Text>
                ))}
              </Stack>
              <Text variant="detail" mt={4}>
                {found.usuarios_total > found.usuarios.length &&
                  `Y ${number(found.usuarios_total - found.usuarios.length)} más: escribe algo más concreto. `}
                Sus datos se cambian en <Link to="/gestion-usuarios">Gestión de Usuarios</Link>.
              </Text>
            </Panel>
          )}
          {found.sueltos.length > 0 && (
            <Text>También está escrito, sin que sea de ningún pedido, en {found.sueltos.map(timesText).join(' · ')}.</Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
