import { Button, Group, Skeleton } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { getSettings } from '../../contract/settings.ts';
import { useApi } from '../api.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { ErrorState } from '../ui/list/error-state.tsx';
import { ButtonLink } from '../ui/page/link.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import classes from './lote/albaran.module.css';
import { Albaran } from './lote/albaran.tsx';
import { fetchPedidos, printRequest } from './lote/print.ts';
import { pedidos as countLabel } from './lote/use-selection.ts';

/** Print preview of the chosen orders' delivery notes, one per sheet. */
export default function PrintPage() {
  const wanted = printRequest(useSearch({ strict: false }));
  const { data: settings, isPending } = useApi(getSettings, {});
  const {
    data: found,
    error,
    refetch,
  } = useQuery({
    queryKey: ['imprimir', wanted],
    queryFn: ({ signal }) => (wanted ? fetchPedidos(wanted, signal) : []),
    staleTime: 0,
  });
  const missing = found && wanted && 'ids' in wanted ? wanted.ids.length - found.length : 0;
  const n = found?.length ?? 0;
  // Waits for the company's name, so that no sheet is printed without it.
  const ready = found && !isPending;
  const subtitle =
    ready && n > 0 ? `${countLabel(n)}, uno por hoja${missing > 0 ? `; ${countLabel(missing)} ya no existen` : ''}` : undefined;

  return (
    <div className={classes.page}>
      <PageHeader
        title="Imprimir albaranes"
        subtitle={subtitle}
        actions={
          <Group gap="xs">
            <ButtonLink to="/pedidos" variant="default">
              Volver a los pedidos
            </ButtonLink>
            <Button leftSection={<IconPrinter size={16} aria-hidden />} disabled={!ready || n === 0} onClick={() => window.print()}>
              Imprimir
            </Button>
          </Group>
        }
      />
      {error ? (
        <ErrorState title="No se pudieron cargar los pedidos" error={error} onRetry={() => void refetch()} />
      ) : !ready ? (
        <Skeleton className={classes.sheet} aria-label="Cargando..." />
      ) : n === 0 ? (
        <EmptyState title="No hay pedidos que imprimir" hint="Elige los pedidos en la lista y pulsa «Imprimir»." />
      ) : (
        found.map((pedido) => <Albaran key={pedido.id} pedido={pedido} company={settings?.data.companyName ?? ''} />)
      )}
    </div>
  );
}
