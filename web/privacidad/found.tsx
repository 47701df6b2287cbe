import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ROLE_LABEL, ROLES } from '../../contract/policy/policy.ts';
import { buscarPersonas } from '../../contract/privacidad/privacidad.ts';
import { useApi } from '../api.ts';
import { number } from '../ui/format/format.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Pages } from '../ui/list/pages.tsx';
import { Panel } from '../ui/page/panel.tsx';
import type { Blocking } from './block-dialog.tsx';
import { Person, times } from './person.tsx';

const roleOf = (role: string): string => {
  const known = ROLES.find((one) => one === role);
  return known ? ROLE_LABEL[known] : role;
};

type Props = { search: string; page: number; onPage: (page: number) => void; onBlock: (blocking: Blocking) => void };

export function Found({ search, page, onPage, onBlock }: Props) {
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
              <Text size="xs" c="dimmed" mt={4}>
                {found.usuarios_total > found.usuarios.length &&
                  `Y ${number(found.usuarios_total - found.usuarios.length)} más: escribe algo más concreto. `}
                Sus datos se cambian en <Link to="/gestion-usuarios">Gestión de Usuarios</Link>.
              </Text>
            </Panel>
          )}
          {found.sueltos.length > 0 && (
            <Text>También está escrito, sin que sea de ningún pedido, en {found.sueltos.map(times).join(' · ')}.</Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
