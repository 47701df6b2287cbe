import { plural } from '../../contract/text/plural.ts';
import '@mantine/core/styles/Progress.css';
import { Alert, Anchor, Badge, Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type Cuadre, type Diferencia, type FilaDiferencia, getCuadre, startCuadre } from '../../contract/cuadre/cuadre.ts';
import { useApi, useMutate } from '../api.ts';
import { fechaHora, money, number } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';

export function CuadreTab() {
  // Polls too, in case the live stream is lost.
  const query = useApi(getCuadre, {}, { refetchInterval: 10_000 });
  const start = useMutate(startCuadre, { success: false, failure: 'No se pudieron comprobar las cuentas', invalidates: [getCuadre] });
  return (
    <Loaded query={query} failed="No se pudo cargar el cuadre" waiting={<Skeletons heights={[40, 96]} />}>
      {({ data: { ultimo, en_curso, comprobaciones } }) => (
        <Stack maw="52rem">
          <Group justify="space-between" gap="sm">
            <Text c="dimmed" flex="1 1 16rem">
              Cada noche se vuelve a contar todo lo que tiene que coincidir. Si algo no coincide se dice aquí, y no se cambia nada.
            </Text>
            <Button
              leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
              onClick={() => start.mutate({})}
              disabled={start.isPending || en_curso !== null}
            >
              {en_curso ? 'Comprobando...' : 'Comprobar ahora'}
            </Button>
          </Group>
          {en_curso && <Reached cuadre={en_curso} />}
          {ultimo ? (
            <Result cuadre={ultimo} />
          ) : (
            <EmptyState title="Todavía no se ha comprobado" hint="Se hace solo esta noche; también puedes pulsar «Comprobar ahora»." />
          )}
          <details>
            <Text component="summary">Qué se comprueba</Text>
            <ul>
              {comprobaciones.map((titulo) => (
                <Text component="li" key={titulo}>
                  {titulo}
                </Text>
              ))}
            </ul>
          </details>
        </Stack>
      )}
    </Loaded>
  );
}

function Reached({ cuadre: { hechas, partes } }: { cuadre: Cuadre }) {
  const percent = partes ? Math.floor((100 * hechas) / partes) : 0;
  return (
    <Group wrap="nowrap">
      <Progress value={percent} flex={1} aria-label="Progreso de la comprobación" />
      <Text size="xs" ta="right" miw="3.5rem">
        {partes ? `${percent} %` : 'Preparando…'}
      </Text>
    </Group>
  );
}

function Result({ cuadre: { ended_at, pedidos, diferencias, num_diferencias } }: { cuadre: Cuadre }) {
  const when = `Comprobado el ${fechaHora(ended_at)}, con ${plural(pedidos, 'pedido')}`;
  if (num_diferencias === 0)
    return (
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="Todo cuadra">
        {when}
      </Alert>
    );
  return (
    <>
      <Alert color="red" title={plural(num_diferencias, 'diferencia')}>
        {when}. No se ha cambiado nada: mira cada fila, y si no sabes de dónde viene, avisa a quien administra el servidor.
      </Alert>
      {diferencias.map((diferencia) => (
        <Difference key={diferencia.name} diferencia={diferencia} />
      ))}
    </>
  );
}

function Difference({ diferencia: { titulo, unidad, remedio, cuantas, filas } }: { diferencia: Diferencia }) {
  const words = (value: number | string) => (unidad === 'euros' ? money(value) : typeof value === 'number' ? number(value) : value);
  return (
    <Paper component="section" p="md" aria-label={titulo}>
      <Group justify="space-between" gap="sm">
        <Title order={3} size="h5">
          No se cumple: {titulo}
        </Title>
        <Badge color="red">{plural(cuantas, 'diferencia')}</Badge>
      </Group>
      <Stack component="ul" gap={4} mt="xs">
        {filas.map((fila) => (
          <Text component="li" key={`${fila.que} ${fila.hay} ${fila.esperado}`}>
            <Where fila={fila} />: hay <strong>{words(fila.hay)}</strong> y debería haber <strong>{words(fila.esperado)}</strong>
          </Text>
        ))}
      </Stack>
      {cuantas > filas.length && (
        <Text c="dimmed" mt={4}>
          Y {number(cuantas - filas.length)} más
        </Text>
      )}
      {remedio && <Text mt={4}>{remedio}</Text>}
    </Paper>
  );
}

function Where({ fila: { que, enlace } }: { fila: FilaDiferencia }) {
  if (!enlace) return que;
  const { pathname, searchParams } = new URL(enlace, location.origin);
  const target = { to: pathname, search: Object.fromEntries(searchParams) } as LinkProps;
  return (
    <Anchor inherit fw={600} renderRoot={(props) => <Link {...props} {...target} preload={false} />}>
      {que}
    </Anchor>
  );
}
