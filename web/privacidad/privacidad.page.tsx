import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { focusList } from '../ui/list/focus-list.ts';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { BlockDialog, type Blocking } from './block-dialog.tsx';
import { Blocked } from './blocked.tsx';
import { Found } from './found.tsx';
import { Term } from './term.tsx';

const LEAST = 3;

/** Personal data: search, export, blocking, anonymisation. */
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
      <Group gap="xs" align="flex-start">
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
