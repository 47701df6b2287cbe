import { Alert, Button, Group, List, Loader, Text } from '@mantine/core';
import '@mantine/core/styles/List.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useProgress } from '../../live/progress.ts';
import { money, number } from '../../ui/format/format.ts';
import classes from './import.module.css';
import type { useImport } from './use-import.ts';

const some = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${number(n)} ${many}`);

/** Summary of the import, its remaining problems, and the button to create the orders. */
export function CreateBar({ of }: { of: ReturnType<typeof useImport> }) {
  const { orders: n, paid, onDelivery, wrong, doubtful, unanswered, ones, server, sending, ready, pressed, create } = of;
  const orders = some(n, 'pedido', 'pedidos');
  const waiting = wrong.length === 0 && !server.data && !server.error && n > 0;
  const problems = [
    wrong.length > 0 && `${some(wrong.length, 'fila', 'filas')} por corregir`,
    doubtful.length > 0 && `${some(doubtful.length, 'fila', 'filas')} con dudas`,
    unanswered > 0 && `${some(unanswered, 'pregunta', 'preguntas')} por contestar`,
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
              {onDelivery > 0 && ` · ${number(onDelivery)} contra reembolso`}
              {problems.length > 0 && ` · ${problems.join(' · ')}`}
              {waiting && ' · comprobando'}
              {waiting && <Loader size={12} ml={6} aria-hidden />}
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
