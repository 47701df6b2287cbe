import { Anchor, Text } from '@mantine/core';
import { IconDownload, IconPackage, IconSettings, IconTruck, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type AuditEntry, listAudit } from '../../../contract/audit/audit.ts';
import type { AuditType } from '../../../contract/audit/fields.ts';
import { stepInPast } from '../../../contract/pedidos/words.ts';
import { useApi } from '../../api.ts';
import { EntityLink } from '../../audit/links.tsx';
import { ago, fechaHora } from '../../ui/format/format.ts';
import { EmptyState, Skeletons } from '../../ui/list/loaded.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import classes from './admin.module.css';

const SHOWN = 7;
const EACH_MINUTE = 60_000;

const TYPE: Record<AuditType, typeof IconPackage> = {
  pedido: IconPackage,
  revendedor: IconUsers,
  transportista: IconTruck,
  exportacion: IconDownload,
  configuracion: IconSettings,
};

/** «Actividad Reciente» (specification, section 2.4). Keeps the last response if a refetch fails. */
export function Activity() {
  const feed = useApi(listAudit, { query: { limit: SHOWN } }, { refetchInterval: EACH_MINUTE });
  const { data, isPending, dataUpdatedAt, errorUpdatedAt } = feed;
  // Updates relative times on every refetch, even a failed one.
  const now = Math.max(dataUpdatedAt, errorUpdatedAt);
  return (
    <Panel title="Actividad Reciente" busy={isPending} mb={0}>
      <Text size="xs" c="dimmed" mb={4}>
        Se muestran actividades de las últimas 24 horas.{' '}
        <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/admin" search={{ tab: 'logs' }} />}>
          Ver todo el registro
        </Anchor>
      </Text>
      {data?.data.length === 0 ? (
        <EmptyState title="No hay actividad reciente" />
      ) : data ? (
        <ul className={classes.list}>
          {data.data.map((entry) => (
            <Entry key={entry.id} entry={entry} now={now} />
          ))}
        </ul>
      ) : isPending ? (
        <Skeletons my={8} gap={16} heights={Array(SHOWN).fill(40)} />
      ) : (
        <Text size="md" c="dimmed">
          —
        </Text>
      )}
    </Panel>
  );
}

function Entry({ entry, now }: { entry: AuditEntry; now: number }) {
  const Icon = TYPE[entry.type] ?? TYPE.configuracion;
  return (
    <li className={classes.entry}>
      <Icon size={18} stroke={1.8} color="var(--mantine-color-dimmed)" aria-hidden />
      <Text component="span">
        <EntityLink entity={entry.meta.entity_type} id={entry.meta.entity_id}>
          {stepInPast(entry.description)}
        </EntityLink>
        <Text component="span" display="block" variant="detail">
          {entry.user || 'Sistema'}
        </Text>
      </Text>
      <Text
        component="time"
        dateTime={entry.created_at}
        size="xs"
        c="dimmed"
        title={fechaHora(entry.created_at)}
        style={{ whiteSpace: 'nowrap' }}
      >
        {ago(entry.created_at, now)}
      </Text>
    </li>
  );
}
