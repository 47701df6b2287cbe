import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { getPlazo } from '../../contract/privacidad/privacidad.ts';
import { useApi } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import { focusList } from '../ui/list/focus-list.ts';
import { Loaded } from '../ui/list/loaded.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { BlockDialog, type Blocking } from './block-dialog.tsx';
import { Blocked } from './blocked.tsx';
import { Found } from './found.tsx';

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

const orders = (n: number) => (n === 1 ? '1 pedido' : `${number(n)} pedidos`);

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
                : `Los pedidos se anonimizan ${meses === 1 ? '1 mes' : `${number(meses)} meses`} después de terminar. Lo han cumplido ${orders(pendientes)}; la próxima vez es el ${fechaHora(proxima)}.`}
            </Text>
            <Text size="xs" c="dimmed" mt={4}>
              {anonimizados > 0 && `Hay ${orders(anonimizados)} sin datos del cliente. `}
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
