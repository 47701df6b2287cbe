import { plural } from '../../../contract/text/plural.ts';
import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { situationOf, whyOrderStays } from '../../../contract/pedidos/situation.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { getSettings } from '../../../contract/settings/settings.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { clock, fecha } from '../../ui/format/format.ts';
import { useSearchState } from '../../ui/list/filters.tsx';
import { EmptyState, ErrorState } from '../../ui/list/loaded.tsx';
import { ButtonLink } from '../../ui/page/link.tsx';
import { PageTabs } from '../../ui/page/page-tabs.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { Albaran } from './albaran.tsx';
import { Picking, RouteSheet } from './lists.tsx';
import type { Company } from './parts.tsx';
import { fetchPedidos, printRequest } from './print.ts';
import classes from './sheet.module.css';
import { carrierRoutes, onSheet, type Printed, pickingLines } from './sheets.ts';

const SHEETS = [
  { value: 'albaranes', label: 'Albaranes' },
  { value: 'preparacion', label: 'Preparación' },
  { value: 'ruta', label: 'Hoja de ruta' },
] as const;

/** Print preview of the chosen orders: delivery notes, picking list or route sheets. */
export default function PrintPage() {
  const wanted = printRequest(useSearch({ strict: false }));
  const [state, setState] = useSearchState({ hoja: 'albaranes' });
  const sheet = SHEETS.find(({ value }) => value === state.hoja)?.value ?? 'albaranes';
  const { data: settings, isPending } = useApi(getSettings, {});
  const packs = useApi(listPacks, {}, { enabled: sheet === 'preparacion' });
  const {
    data: found,
    error,
    refetch,
  } = useQuery({
    queryKey: ['imprimir', wanted],
    queryFn: ({ signal }) => (wanted ? fetchPedidos(wanted, signal) : []),
    staleTime: 0,
  });
  const chosen = found?.filter(onSheet[sheet]);
  const n = chosen?.length ?? 0;
  // Waits for the settings, because every sheet shows the shop as its sender.
  const ready = chosen && !isPending && (sheet !== 'preparacion' || packs.data);
  const failure = error ?? (sheet === 'preparacion' ? packs.error : null);
  const gone = found && wanted && 'ids' in wanted ? wanted.ids.length - found.length : 0;
  const over = found?.filter((pedido) => !chosen?.includes(pedido)) ?? [];
  const staying = over.filter(whyOrderStays);
  const ended = over.length - staying.length;
  const subtitle = [
    sheet === 'albaranes' ? `${plural(n, 'pedido')}, uno por hoja` : plural(n, 'pedido'),
    ended > 0 && `${plural(ended, 'pedido')} sin contar: entregados o cancelados`,
    staying.length > 0 && `${plural(staying.length, 'pedido')} que no salen`,
    gone > 0 && `${plural(gone, 'pedido')} ya no existen`,
  ];

  return (
    <div className={classes.page}>
      <PageHeader
        title="Imprimir"
        subtitle={ready && n > 0 ? subtitle.filter(Boolean).join('; ') : undefined}
        actions={
          <Group>
            <ButtonLink to="/pedidos" variant="default">
              Volver a los pedidos
            </ButtonLink>
            <Button leftSection={<IconPrinter size={16} aria-hidden />} disabled={!ready || n === 0} onClick={() => window.print()}>
              Imprimir
            </Button>
          </Group>
        }
      />
      <PageTabs tabs={SHEETS} open={sheet} onOpen={(hoja) => setState({ hoja })}>
        {failure ? (
          <ErrorState
            title="No se pudieron cargar los pedidos"
            error={failure}
            onRetry={() => void (error ? refetch() : packs.refetch())}
          />
        ) : !ready ? (
          <Skeleton className={classes.sheet} aria-label="Cargando..." />
        ) : n === 0 ? (
          <EmptyState title="No hay pedidos que imprimir" hint="Elige los pedidos en la lista y pulsa «Imprimir»." />
        ) : (
          <Sheets sheet={sheet} pedidos={chosen} packs={packs.data?.data ?? []} company={settings?.data ?? NOBODY} />
        )}
        {ready && <Staying pedidos={staying} />}
      </PageTabs>
    </div>
  );
}

/** Orders that are left out, and why; on the screen only. */
function Staying({ pedidos }: { pedidos: readonly Printed[] }) {
  const actor = useSession();
  if (pedidos.length === 0) return null;
  return (
    <Alert color="orange" title="No salen" role="note" className={classes.screen}>
      {pedidos.map((pedido) => (
        <Text key={pedido.id}>
          {pedido.numero_orden} · {pedido.cliente_nombre}: {situationOf(pedido, actor, clock()).sentence}
        </Text>
      ))}
    </Alert>
  );
}

const NOBODY: Company = { companyName: '', companyEmail: '', companyPhone: '', companyNif: '', companyAddress: '', logo: null };

type SheetsProps = {
  sheet: (typeof SHEETS)[number]['value'];
  pedidos: readonly Printed[];
  packs: Parameters<typeof pickingLines>[1];
  company: Company;
};

function Sheets({ sheet, pedidos, packs, company }: SheetsProps) {
  const today = fecha(new Date().toISOString());
  if (sheet === 'preparacion') return <Picking picks={pickingLines(pedidos, packs)} pedidos={pedidos} today={today} company={company} />;
  if (sheet === 'ruta')
    return carrierRoutes(pedidos).map((route) => <RouteSheet key={route.stops[0]?.id} route={route} today={today} company={company} />);
  return pedidos.map((pedido) => <Albaran key={pedido.id} pedido={pedido} lineas={pedido.lineas} company={company} />);
}
