import { Button, SimpleGrid } from '@mantine/core';
import { IconArrowLeft, IconCoinEuro, IconListDetails } from '@tabler/icons-react';
import { PER_PAGE } from '../../contract/kit/pages.ts';
import { type Abierta, getAbierta } from '../../contract/liquidaciones/liquidaciones.ts';
import { ROLE_LABEL } from '../../contract/policy/policy.ts';
import { useApi } from '../api.ts';
import { CashHeld, useHeld } from '../caja/held.tsx';
import { useSession } from '../session/session.ts';
import { fecha, money, number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { Section } from '../ui/page/panel.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { GananciaList } from './line-list.tsx';

type Row = Abierta & { id: string };

/** Earnings per person not yet in a statement; choosing a person shows the lines. */
export function OpenByPerson({ onChoose }: { onChoose: (persona: string) => void }) {
  const { data, error, refetch } = useApi(getAbierta, { query: { per_page: 1 } });
  const held = useHeld();
  const rows = data?.personas.map((persona): Row => ({ ...persona, id: persona.user_id }));
  const see = ({ user_id, persona_nombre }: Row) => (
    <Button size="compact-sm" variant="default" aria-label={`Ver líneas de ${persona_nombre}`} onClick={() => onChoose(user_id)}>
      Ver líneas
    </Button>
  );
  const columns: Column<Row>[] = [
    {
      key: 'persona',
      at: 'title',
      title: 'Persona',
      render: ({ user_id, persona_nombre }) => (
        <>
          {persona_nombre}
          <CashHeld held={held.get(user_id)} />
        </>
      ),
    },
    { key: 'role', at: 'line', title: 'Papel', width: 150, render: ({ role }) => ROLE_LABEL[role] },
    { key: 'desde', at: 'labelled', title: 'Desde', width: 120, render: ({ desde }) => fecha(desde) },
    { key: 'num_lineas', at: 'labelled', title: 'Líneas', width: 90, align: 'right', render: ({ num_lineas }) => number(num_lineas) },
    { key: 'total', at: 'aside', title: 'Total', width: 130, align: 'right', render: ({ total }) => money(total) },
    { key: 'acciones', at: 'foot', title: 'Acciones', width: 120, align: 'right', render: see },
  ];
  return (
    <Section title="Sin liquidar" mb="xs">
      <DataTable
        label="Sin liquidar"
        rows={rows}
        columns={columns}
        empty={{
          title: 'No hay nada sin liquidar',
          hint: 'En Gestión de Usuarios se dice lo que gana cada uno; cada pedido entregado se anota aquí.',
        }}
        error={{ title: 'No se pudo cargar lo que está sin liquidar', cause: error, onRetry: () => void refetch() }}
        onRow={({ user_id }) => onChoose(user_id)}
        skeletonRows={3}
      />
    </Section>
  );
}

/** A person's earnings since the last statement; without `persona`, the signed-in user's. */
export function OpenLines({ persona, onBack }: { persona?: string; onBack?: () => void }) {
  const [{ abiertas }, set] = useSearchState({ abiertas: 1 });
  // Short page on a phone, to keep the statements below within reach.
  const query = { page: abiertas, per_page: usePhone() ? 5 : PER_PAGE, ...(persona && { user_id: persona }) };
  const { data, error, refetch, isPending, isPlaceholderData } = useApi(getAbierta, { query }, { keepPrevious: true });
  const [sum] = data?.personas ?? [];
  const me = useSession().id;
  const held = useHeld(persona ?? me).get(persona ?? me);
  const title = persona ? `Sin liquidar${sum ? `: ${sum.persona_nombre}` : ''}` : 'Desde la última liquidación';
  return (
    <Section title={title} mb="xs">
      {onBack && (
        <Button variant="default" size="xs" mb="sm" leftSection={<IconArrowLeft size={14} aria-hidden />} onClick={onBack}>
          Todas las personas
        </Button>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" mb="sm">
        <StatCard
          label="Ganado"
          value={data ? money(sum?.total ?? 0) : '—'}
          loading={isPending}
          icon={<IconCoinEuro size={18} />}
          hint={sum && `Desde el ${fecha(sum.desde)}`}
        />
        <StatCard
          label="Líneas"
          value={data ? number(sum?.num_lineas ?? 0) : '—'}
          loading={isPending}
          icon={<IconListDetails size={18} />}
        />
      </SimpleGrid>
      <CashHeld held={held} own={!persona} mb="sm" />
      <GananciaList
        label="Líneas sin liquidar"
        lines={data?.lineas}
        empty={{ title: 'Nada desde la última liquidación', hint: 'Lo que se gana con cada pedido aparece aquí al momento.' }}
        error={error}
        onRetry={() => void refetch()}
        busy={isPlaceholderData}
        onPage={(next) => set({ abiertas: next })}
      />
    </Section>
  );
}
