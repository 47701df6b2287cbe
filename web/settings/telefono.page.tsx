import { Alert, Anchor, Button, Group, List, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { getInicio } from '../../contract/payments/payments.ts';
import { getUser } from '../../contract/session/session.ts';
import { comprobarDireccion, getRed, setRed } from '../../contract/settings/settings.ts';
import { useApi, useMutate } from '../api.ts';
import { useNextStep } from '../nav/first-steps.ts';
import { onValid } from '../ui/form/form-actions.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import { PageHeader, Panel } from '../ui/page/panel.tsx';
import '@mantine/core/styles/List.css';
import '@mantine/core/styles/Switch.css';

export default function TelefonoPage() {
  const network = useApi(getRed, {});
  useNextStep();
  return (
    <>
      <PageHeader title="Abrir desde el teléfono" subtitle="Para quien reparte, quien vende y quien paga" />
      <Loaded query={network} failed="No se pudo cargar" waiting={<Skeletons gap={16} heights={[180, 220]} />}>
        {({ data }) => (
          <Stack maw="46rem">
            {data.publica ? (
              <Panel title="Tu dirección en internet">
                <Opened addresses={[data.publica]} />
              </Panel>
            ) : (
              <>
                <SameNetwork network={data} />
                <OwnAddress />
              </>
            )}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** Addresses to open on a telephone, and the QR code of the first. */
function Opened({ addresses: [first = '', ...others] }: { addresses: readonly string[] }) {
  const [image, setImage] = useState('');
  useEffect(() => {
    void import('qrcode').then(async ({ toDataURL }) => setImage(await toDataURL(first, { margin: 2, width: 360 }))).catch(() => undefined);
  }, [first]);
  return (
    <Group gap="md" align="flex-start">
      {image && <img src={image} width={160} height={160} alt={`Código QR de ${first}`} />}
      <Stack gap="xs" flex="1 1 14rem">
        <Text>Lee el código con la cámara del teléfono, o escribe en su navegador:</Text>
        <Anchor href={first} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {first}
        </Anchor>
        {others.length > 0 && <Text c="dimmed">Si no abre, prueba con {others.join(' o ')}.</Text>}
      </Stack>
    </Group>
  );
}

type Network = Answer<typeof getRed>['data'];

/** The local network: what opening it means, the address and its QR code once open, and closing it again. */
function SameNetwork({ network: { abierta, siempre, puede, direcciones } }: { network: Network }) {
  const set = useMutate(setRed, { failure: 'No se ha podido abrir', invalidates: [getRed, getUser, getInicio] });
  return (
    <Panel title="En la misma wifi">
      <Stack gap="sm">
        <Text>
          Los teléfonos conectados a la misma wifi que este ordenador podrán abrir Enruta. Entra solo quien tenga cuenta; los demás ven la
          pantalla de entrar. Sirve para empezar y para la tienda: en la calle, y sin https, no hay avisos, firmas, fotos ni modo sin
          cobertura.
        </Text>
        {abierta && <Opened addresses={direcciones} />}
        {puede && abierta && (
          <Switch
            label="Abrirlo también cuando arranque el programa"
            description="Si no, se cierra al apagarlo"
            checked={siempre}
            disabled={set.isPending}
            onChange={({ currentTarget: { checked } }) => set.mutate({ body: { abierta: true, siempre: checked } })}
          />
        )}
        {puede ? (
          <Group>
            <Button
              variant={abierta ? 'default' : 'filled'}
              disabled={set.isPending}
              onClick={() => set.mutate({ body: { abierta: !abierta } })}
            >
              {abierta ? 'Cerrarlo' : 'Abrir en esta wifi'}
            </Button>
          </Group>
        ) : (
          !abierta && <Text c="dimmed">Desde dónde se abre lo decidió quien instaló el programa.</Text>
        )}
      </Stack>
    </Panel>
  );
}

const NOT_YET = {
  nombre: 'El nombre no existe todavía. Crea el registro A en tu proveedor de dominios y espera unos minutos.',
  puerto: 'El nombre existe, pero nadie contesta: el puerto 443 está cerrado. Ábrelo en el router hacia este ordenador.',
  certificado: 'Contesta, pero su certificado no vale, y los teléfonos no la abrirán. Lo renueva quien la instaló.',
  otro_programa: 'Contesta otro programa, no este Enruta: mira a qué dirección lleva el nombre.',
  sin_respuesta: 'Contesta el servidor de delante, pero no llega a Enruta: que lo mire quien lo instaló.',
} as const;

/** What the person who installs the program has to do for an address; copied for that person, and not shown. */
const forInstaller = (address: string) =>
  `Enruta debe abrirse en ${address || 'https://pedidos.…'}: un proxy con https delante (Caddy o nginx, en la carpeta deploy/), PUBLIC_URL con esa dirección y TRUST_PROXY con la del proxy. Los pasos están en docs/public-address.md del programa.`;

/** An address of one's own: what to do where, and a check that says what is missing. */
function OwnAddress() {
  const form = useForm({ initialValues: { direccion: '' } });
  const check = useMutate(comprobarDireccion, { form, failure: 'No se ha podido comprobar' });
  const found = check.data?.data;
  return (
    <Panel title="Desde cualquier sitio, con una dirección propia">
      <form onSubmit={onValid(form, (body) => check.mutate({ body }))} noValidate aria-label="Comprobar la dirección">
        <Stack gap="sm">
          <List type="ordered" size="sm" spacing={4}>
            <List.Item>Contrata un dominio, como tienda.es, en cualquier proveedor.</List.Item>
            <List.Item>
              En su panel, en «DNS», añade un registro de tipo <strong>A</strong>: nombre <strong>pedidos</strong>, valor, la dirección IP
              de tu conexión (la dice tu compañía de internet).
            </List.Item>
            <List.Item>En el router, abre los puertos 80 y 443 hacia este ordenador.</List.Item>
            <List.Item>
              Pide a quien instaló Enruta que le ponga https:{' '}
              <CopyButton copy={() => copyOr(forInstaller(form.values.direccion), 'Cópialo a mano')}>
                Copiar lo que hay que pedirle
              </CopyButton>
            </List.Item>
            <List.Item>Compruébalo aquí las veces que haga falta.</List.Item>
          </List>
          <Group align="flex-end" gap="sm">
            <TextInput
              {...form.getInputProps('direccion')}
              label="Dirección"
              placeholder="https://pedidos.tienda.es"
              inputMode="url"
              autoComplete="off"
              maxLength={200}
              flex="1 1 16rem"
            />
            <Button type="submit" variant="default" disabled={check.isPending}>
              {check.isPending ? 'Comprobando...' : 'Comprobar'}
            </Button>
          </Group>
          <div aria-live="polite">
            {found && (
              <Alert color={found.fallo ? 'orange' : 'green'} p="xs" role="note" title={found.direccion}>
                {found.fallo
                  ? NOT_YET[found.fallo]
                  : 'Lleva a este Enruta. Cuando lo reinicien con ella, los enlaces saldrán con esta dirección.'}
              </Alert>
            )}
          </div>
        </Stack>
      </form>
    </Panel>
  );
}
