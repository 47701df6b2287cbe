import { Alert, Button, Group, List, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { deshacerImport, listImports } from '../../../contract/pedidos/import.ts';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { plural } from '../../../contract/text/plural.ts';
import { useApi, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { ColumnsPanel } from '../../sheets/columns-panel.tsx';
import { confirm } from '../../ui/dialog/confirm.ts';
import { fechaHora, money, number } from '../../ui/format/format.ts';
import { ErrorState } from '../../ui/list/loaded.tsx';
import { PageHeader, Section } from '../../ui/page/panel.tsx';
import { OWN_LIST } from '../own-list.ts';
import { OwnerPanel } from './owner-panel.tsx';
import { LeftOutPanel, PacksPanel, QuestionsPanel } from './questions-panel.tsx';
import { RowsPanel } from './rows-panel.tsx';
import { SourcePanel } from './source-panel.tsx';
import { useImport } from './use-import.ts';
import '@mantine/core/styles/List.css';
import type { SessionUser } from '../../../contract/session/session.ts';
import { useProgress } from '../../live/progress.ts';
import type { Import } from './draft.ts';
import classes from './import.module.css';
import { COLUMNS, isColumnFor, targetLabel } from './target.ts';

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
  const { data, error, refetch } = useApi(listPacks, {});
  const packs = useMemo(() => data?.data.filter(({ available }) => available), [data]);
  const work = useImport(actor, packs);
  const { state, sheet, created, missing, views } = work;

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
        {!state && <SourcePanel book={work.book} known={work.known} onRead={work.start} />}
        {created === undefined && !state && recent}
        {state && error && !packs && <ErrorState title="No se pudieron cargar los packs" error={error} onRetry={() => void refetch()} />}
        {state && sheet && (
          <ColumnsPanel
            key={state.key}
            titles={state.titles}
            lines={state.lines}
            columns={sheet.reading.columns}
            asked={sheet.asked}
            missing={missing.map(targetLabel)}
            options={optionsFor(actor, sheet.reading.columns)}
            onAnswer={work.answer}
            onToggleTitles={() => work.set(toggledTitles(state))}
          />
        )}
        {state && sheet && packs && missing.length === 0 && (
          <>
            <LeftOutPanel of={work} onChooseTabs={() => void chooseTabs()} />
            <QuestionsPanel of={work} />
            <PacksPanel
              packs={packs}
              unknown={work.unknown}
              chosen={state.answers.packs}
              onChoose={(key, pack_id) => work.answer((answers) => ({ ...answers, packs: { ...answers.packs, [key]: pack_id } }))}
            />
            {can(actor, 'pedido:create-free') && <OwnerPanel state={state} onChange={work.set} />}
            <RowsPanel
              key={state.key}
              columns={sheet.reading.columns}
              views={views}
              packs={packs}
              onType={work.type}
              onPick={work.pick}
              onAccept={work.accept}
              onRemove={work.remove}
              joined={work.customers.length > 0 ? state.answers.joined : undefined}
              onJoin={(joined) => work.answer((answers) => ({ ...answers, joined }))}
            />
          </>
        )}
        {state && packs && <CreateBar of={work} />}
      </Stack>
    </>
  );
}

/** Columns that a person may choose: «Contra reembolso» with the permission, or if the sheet uses it; the server explains its refusal. */
const optionsFor = (actor: SessionUser, columns: readonly string[]) =>
  COLUMNS.filter(
    (column) => isColumnFor(actor)(column) && (column !== 'contra_reembolso' || actor.contra_reembolso || columns.includes(column)),
  ).map((value) => ({ value, label: targetLabel(value) }));

/** Turns the headings into a row, or the first row into headings. */
function toggledTitles({ titles, lines }: Import): Pick<Import, 'titles' | 'lines' | 'rows'> {
  const [first, ...others] = lines;
  if (titles) return { titles: null, lines: [{ n: Math.max(1, (first?.n ?? 2) - 1), cells: titles }, ...lines], rows: [] };
  return { titles: first?.cells ?? null, lines: others, rows: [] };
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

/** Imports of the last days, each of which can be undone whole while none of its orders has changed. */
function RecentImports() {
  const { data } = useApi(listImports, {});
  const undo = useMutate(deshacerImport, { failure: 'No se pudo deshacer la importación' });
  if (!data?.data.length) return null;
  const ask = async (id: string, pedidos: number) => {
    const message = `Se ${pedidos === 1 ? 'elimina' : 'eliminan'} ${plural(pedidos, 'pedido')} y se anulan los pagos que trajo la hoja; las unidades vuelven al stock. Si alguno ha cambiado desde entonces, no se toca ninguno.`;
    const action = () => undo.mutateAsync({ params: { id } });
    await confirm({ title: 'Deshacer la importación', message, confirm: 'Deshacer', danger: true, action });
  };
  return (
    <Section title="Últimas importaciones" order={2}>
      <Stack component="ul" gap="xs" mt="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.data.map(({ id, created_at, quien, pedidos }) => (
          <Group component="li" key={id} justify="space-between" gap="xs">
            <Text size="sm">
              {fechaHora(created_at)} · {plural(pedidos, 'pedido')}
              {quien && ` · ${quien}`}
            </Text>
            <Button
              size="xs"
              variant="default"
              loading={undo.isPending}
              aria-label={`Deshacer la importación de ${fechaHora(created_at)}`}
              onClick={() => void ask(id, pedidos)}
            >
              Deshacer
            </Button>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

/** Summary of the import, its remaining problems, and the button to create the orders. */
function CreateBar({ of }: { of: ReturnType<typeof useImport> }) {
  const { orders: n, paid, partly, onDelivery, wrong, doubtful, unanswered, ones, server, sending, ready, pressed, create } = of;
  const orders = plural(n, 'pedido');
  const waiting = wrong.length === 0 && !server.data && !server.error && n > 0;
  const problems = [
    wrong.length > 0 && `${plural(wrong.length, 'fila')} por corregir`,
    doubtful.length > 0 && `${plural(doubtful.length, 'fila')} con dudas`,
    unanswered > 0 && `${plural(unanswered, 'pregunta')} por contestar`,
  ].filter(Boolean);
  return (
    <section className={classes.bar} aria-label="Crear los pedidos">
      {server.data && server.data.faltan.length > 0 && (
        <Alert color="red" variant="light" p="xs" icon={<IconAlertTriangle size={18} />} title="No hay stock para todo">
          <List size="sm">
            {server.data.faltan.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {server.error && (
        <Alert color="red" variant="light" p="xs" icon={<IconAlertTriangle size={18} />} title="No se pudo comprobar">
          <Group gap="xs">
            {server.error.message}
            <Button size="compact-xs" variant="default" onClick={server.again}>
              Comprobar otra vez
            </Button>
          </Group>
        </Alert>
      )}
      <Group justify="space-between" gap="xs">
        <div role="status">
          {sending ? (
            <Text size="sm">Creando {orders}…</Text>
          ) : (
            <Text size="sm">
              {orders}
              {ones && n > 0 && ' · Cantidad: 1 en todas'}
              {paid > 0 && ` · ${number(paid)} ya ${paid === 1 ? 'pagado' : 'pagados'}`}
              {partly > 0 && ` · ${plural(partly, 'pagado')} en parte`}
              {onDelivery > 0 && ` · ${number(onDelivery)} contra reembolso`}
              {problems.length > 0 && ` · ${problems.join(' · ')}`}
              {waiting && ' · comprobando'}
              {waiting && <Loader size={12} ml={8} aria-hidden />}
              {server.data && (
                <>
                  {' · '}Total <strong>{money(server.data.total)}</strong>
                </>
              )}
            </Text>
          )}
        </div>
        <Button onClick={create} disabled={!ready || pressed || sending}>
          {sending || pressed ? 'Creando...' : `Crear ${orders}`}
        </Button>
      </Group>
      {sending && <Bar clave={of.state?.key ?? ''} label={`Creando ${orders}`} />}
    </section>
  );
}

/** Indeterminate until the server reports progress. */
function Bar({ clave, label }: { clave: string; label: string }) {
  const progress = useProgress(clave);
  return <progress className={classes.progress} aria-label={label} {...(progress && { value: progress.hechos, max: progress.de })} />;
}
