import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { type ApiKey, isKeyActive, listApiKeys, revokeApiKey } from '../../contract/api-keys/api-keys.ts';
import { KEY_ACTIONS } from '../../contract/api-keys/fields.ts';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import { useApi, useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { FormDialog } from '../ui/dialog/form-dialog.tsx';
import { ago, fecha } from '../ui/format/format.ts';
import { EmptyState, Records } from '../ui/list/loaded.tsx';
import { KeyForm } from './key-form.tsx';

export function ApiKeys() {
  const keys = useApi(listApiKeys, {});
  const [making, setMaking] = useState(false);
  const revoke = useMutate(revokeApiKey, { success: 'Clave revocada: ya no abre nada', failure: 'No se pudo revocar la clave' });

  const ask = ({ id, nombre, usada_at }: ApiKey) =>
    void confirm({
      title: 'Revocar clave',
      message: (
        <Text size="md">
          El programa que usa <strong>{nombre}</strong> dejará de poder entrar en este momento
          {usada_at ? `; la usó por última vez ${ago(usada_at)}` : ''}. Una clave revocada no se recupera.
        </Text>
      ),
      confirm: 'Revocar',
      danger: true,
      action: () => revoke.mutateAsync({ params: { id } }),
    });

  return (
    <section aria-labelledby="api-keys" style={{ maxWidth: '46rem' }}>
      <Group justify="space-between" gap="sm" mt="xl" mb="sm">
        <Title order={2} size="h4" id="api-keys">
          Claves de API
        </Title>
        <Button component="a" href={getOpenapi.path} download="openapi.json" variant="default" ml="auto">
          Descripción de la API (OpenAPI)
        </Button>
        <Button leftSection={<IconKey size={16} stroke={1.7} />} onClick={() => setMaking(true)}>
          Nueva clave
        </Button>
      </Group>
      <Records
        query={keys}
        failed="No se pudieron cargar las claves"
        empty={
          <EmptyState title="Todavía no hay claves" hint="Con una clave, la tienda en línea o la contabilidad usan Enruta por sí solas." />
        }
        row={(key, i) => <Line key={key.id} apiKey={key} first={i === 0} onRevoke={() => ask(key)} />}
      />
      <FormDialog opened={making} onClose={() => setMaking(false)} title="Nueva clave de API" size="lg">
        {(inDialog) => <KeyForm {...inDialog} onDone={() => setMaking(false)} />}
      </FormDialog>
    </section>
  );
}

function Line({ apiKey, first, onRevoke }: { apiKey: ApiKey; first: boolean; onRevoke: () => void }) {
  const { nombre, inicio, acciones, creada_por, created_at, usada_at, caduca_at, revocada_at } = apiKey;
  const facts = [
    `${inicio}…`,
    `de ${creada_por}, ${fecha(created_at)}`,
    usada_at ? `usada ${ago(usada_at)}` : 'sin usar',
    ...(caduca_at ? [`caduca el ${fecha(caduca_at)}`] : []),
  ];
  return (
    <li style={{ padding: '10px 16px', borderTop: first ? 0 : '1px solid var(--line)' }}>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 12rem' }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {nombre}
          </Text>
          <Text variant="detail">{facts.join(' · ')}</Text>
          <Text variant="detail">{acciones.map((name) => KEY_ACTIONS[name]).join(', ')}</Text>
        </div>
        {!isKeyActive(apiKey) ? (
          <Badge color="gray">{revocada_at ? 'Revocada' : 'Caducada'}</Badge>
        ) : (
          <Button size="xs" variant="default" color="red" onClick={onRevoke} aria-label={`Revocar la clave ${nombre}`}>
            Revocar
          </Button>
        )}
      </Group>
    </li>
  );
}
