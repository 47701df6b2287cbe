import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { number } from '../../ui/format/format.ts';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { OWN_LIST } from '../own-list.ts';
import { ColumnsPanel } from './columns-panel.tsx';
import { CreateBar } from './create-bar.tsx';
import { LeftOutPanel } from './left-out-panel.tsx';
import { OwnerPanel } from './owner-panel.tsx';
import { PacksPanel } from './packs-panel.tsx';
import { QuestionsPanel } from './questions-panel.tsx';
import { RecentImports } from './recent-imports.tsx';
import { RowsPanel } from './rows-panel.tsx';
import { SourcePanel } from './source-panel.tsx';
import { useImport } from './use-import.ts';

const DISCARD = {
  title: 'Empezar de nuevo',
  message: 'Se quitarán las filas y lo que hayas corregido en ellas. No se ha creado ningún pedido.',
  confirm: 'Empezar de nuevo',
  danger: true,
};

const OTHER_TABS = {
  title: 'Elegir pestañas',
  message: 'Se vuelve a leer el libro. Lo que hayas corregido en las filas se pierde.',
  confirm: 'Elegir pestañas',
};

/** Imports orders from a sheet: all of them once every row is valid, or none. */
export default function ImportarPage() {
  const actor = useSession();
  const { id } = actor;
  const { data, error, refetch } = useApi(listPacks, {});
  const packs = useMemo(() => data?.data.filter(({ available }) => available), [data]);
  const work = useImport(actor, packs);
  const { state, created, missing, views } = work;

  async function discard() {
    if (await confirm(DISCARD)) work.restart();
  }
  async function chooseTabs() {
    if (await confirm(OTHER_TABS)) work.restart({ keepBook: true });
  }

  const recent = can(actor, 'pedido:undo-imports') && <RecentImports />;

  return (
    <>
      <PageHeader
        title="Importar pedidos"
        subtitle={state ? state.file || 'Filas pegadas' : undefined}
        actions={
          state && (
            <Button variant="default" onClick={() => void discard()} disabled={work.sending}>
              Empezar de nuevo
            </Button>
          )
        }
      />
      <Stack gap="md">
        {created !== undefined && <Done created={created} list={OWN_LIST[actor.role].to} />}
        {created !== undefined && recent}
        {!state && <SourcePanel owner={id} book={work.book} onRead={work.start} />}
        {created === undefined && !state && recent}
        {state && error && !packs && <ErrorState title="No se pudieron cargar los packs" error={error} onRetry={() => void refetch()} />}
        {state && (
          <ColumnsPanel key={state.key} state={state} missing={missing} onChange={work.setColumns} onToggleTitles={work.toggleTitles} />
        )}
        {state && packs && missing.length === 0 && (
          <>
            <LeftOutPanel of={work} onChooseTabs={() => void chooseTabs()} />
            <QuestionsPanel of={work} />
            <PacksPanel packs={packs} unknown={work.unknown} chosen={state.chosen} onChoose={work.choosePack} />
            {can(actor, 'pedido:create-free') && <OwnerPanel state={state} onChange={work.set} />}
            <RowsPanel
              key={state.key}
              columns={state.columns}
              views={views}
              packs={packs}
              onType={work.type}
              onPick={work.pick}
              onAccept={work.accept}
              onRemove={work.remove}
              joined={work.customers.length > 0 ? state.juntar : undefined}
              onJoin={(juntar) => work.set({ juntar })}
            />
            <CreateBar of={work} />
          </>
        )}
      </Stack>
    </>
  );
}

function Done({ created, list }: { created: number; list: string }) {
  return (
    <Paper p="md" role="status">
      <Group gap="sm" justify="space-between">
        <Group gap="sm" wrap="nowrap">
          <IconCircleCheck size={28} color="var(--mantine-color-green-6)" aria-hidden />
          <div>
            <Title order={2}>{created === 1 ? 'Se ha creado 1 pedido' : `Se han creado ${number(created)} pedidos`}</Title>
            <Text size="sm" c="dimmed">
              Puedes importar más aquí debajo.
            </Text>
          </div>
        </Group>
        <Button component={Link} to={list}>
          Ver los pedidos
        </Button>
      </Group>
    </Paper>
  );
}
