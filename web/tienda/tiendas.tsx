import { Button, Group, NativeSelect, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useState } from 'react';
import { plural } from '../../contract/text/plural.ts';
import { CONECTOR, CONECTORES, TIENDA_FIELDS } from '../../contract/tienda/fields.ts';
import { createFuente, encenderWebhooks, type Fuente, listFuentes, updateFuente } from '../../contract/tienda/tienda.ts';
import { useApi, useMutate } from '../api.ts';
import { sharedLink } from '../session/shared-link.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { FormActions, onValid } from '../ui/form/form-actions.tsx';
import { fieldInputs, rulesOf } from '../ui/form/rules.ts';
import { fechaHora } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { ShopProblems } from './problems.tsx';

/** State of a shop's connection, as Spanish sentences. */
const statesOf = ({ oido_at, sondeo_at, con_api, conector, comun }: Fuente): string[] =>
  [
    comun && 'Envía a la dirección común de antes, /api/tienda/pedidos: pon en ella su dirección y su secreto',
    oido_at ? `Último mensaje: ${fechaHora(oido_at)}` : 'Todavía no ha enviado nada',
    CONECTOR[conector].asked && !con_api && 'Sin claves de la API REST: si deja de enviar, Enruta no puede preguntarle',
    sondeo_at && `Se le ha preguntado: ${fechaHora(sondeo_at)}`,
  ].filter((text): text is string => !!text);

function Shop({ fuente, others, onEdit }: { fuente: Fuente; others: readonly Fuente[]; onEdit: () => void }) {
  const update = useMutate(updateFuente, { failure: 'No se pudo guardar' });
  const switchOn = useMutate(encenderWebhooks, { failure: 'No se pudo encender' });
  const { id, nombre, origen, estado, conector, pedidos, puerta, webhook_apagado } = fuente;
  const target = { params: { id } };
  return (
    <Paper withBorder p="md" component="li">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2}>
          <Text size="md" fw={600}>
            {nombre}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {[CONECTOR[conector].label, origen, plural(pedidos, 'pedido'), estado === 'ignorada' && 'No es tuya']
              .filter(Boolean)
              .join(' · ')}
          </Text>
          <ShopProblems fuentes={[fuente]} />
          {estado === 'activa' && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              Su dirección: {sharedLink(puerta) ?? `${puerta}, cuando Enruta tenga una dirección propia`}
            </Text>
          )}
          {statesOf(fuente).map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Stack>
        <Group gap="xs">
          {estado !== 'activa' && (
            <Button size="xs" aria-label={`Es mía: ${nombre}`} onClick={() => update.mutate({ ...target, body: { estado: 'activa' } })}>
              Son de otra tienda mía
            </Button>
          )}
          {estado === 'por_confirmar' && (
            <>
              {others
                .filter((other) => other.conector === conector && other.estado === 'activa')
                .map((other) => (
                  <Button
                    key={other.id}
                    size="xs"
                    variant="light"
                    onClick={() => update.mutate({ ...target, body: { misma_que: other.id } })}
                  >
                    Son de {other.nombre}
                  </Button>
                ))}
              <Button
                size="xs"
                variant="default"
                aria-label={`No es mía: ${nombre}`}
                onClick={() => update.mutate({ ...target, body: { estado: 'ignorada' } })}
              >
                No son míos, o son de una copia de pruebas
              </Button>
            </>
          )}
          {webhook_apagado && (
            <Button size="xs" variant="light" loading={switchOn.isPending} onClick={() => switchOn.mutate(target)}>
              Encender el webhook
            </Button>
          )}
          <Button size="xs" variant="default" aria-label={`Cambiar: ${nombre}`} onClick={onEdit}>
            Cambiar
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

const NAMES = ['nombre', 'secreto', 'url', 'clave_api', 'clave_secreta'] as const;

function ShopForm({ fuente, onDone, dirty, onCancel }: { fuente: Fuente | undefined; onDone: () => void } & InDialog) {
  const form = useForm({
    initialValues: {
      conector: fuente?.conector ?? CONECTORES[0],
      nombre: fuente?.nombre ?? '',
      secreto: '',
      url: fuente?.url ?? '',
      clave_api: fuente?.clave_api ?? '',
      clave_secreta: '',
    },
    validate: rulesOf(TIENDA_FIELDS, ['nombre', 'url']),
  });
  const create = useMutate(createFuente, { failure: 'No se pudo añadir', form });
  const update = useMutate(updateFuente, { failure: 'No se pudo guardar', form });
  const busy = create.isPending || update.isPending;
  useImperativeHandle(dirty, () => () => form.isDirty() && !busy);
  const input = fieldInputs(TIENDA_FIELDS, form.getInputProps);
  const send = (values: typeof form.values) => {
    const changed = Object.fromEntries(NAMES.filter((name) => form.isDirty(name)).map((name) => [name, values[name].trim() || null]));
    if (fuente) update.mutate({ params: { id: fuente.id }, body: changed }, { onSuccess: onDone });
    else create.mutate({ body: { ...changed, conector: values.conector, nombre: values.nombre } }, { onSuccess: onDone });
  };
  const keeps = fuente ? 'Vacío: se queda como está' : undefined;
  return (
    <form onSubmit={onValid(form, send)} noValidate aria-label="Tienda">
      <Stack gap="sm">
        <TextInput data-autofocus autoComplete="off" {...input('nombre')} />
        {!fuente && <NativeSelect data={CONECTORES.map((value) => ({ value, label: CONECTOR[value].label }))} {...input('conector')} />}
        <PasswordInput
          autoComplete="new-password"
          description={keeps ?? 'Propio de esta tienda, de 16 caracteres o más: el mismo que pones en sus webhooks'}
          {...input('secreto')}
        />
        <TextInput autoComplete="off" description="Para preguntarle y decirle el estado; empieza por https://" {...input('url')} />
        <TextInput autoComplete="off" {...input('clave_api')} />
        <PasswordInput autoComplete="new-password" description={keeps} {...input('clave_secreta')} />
        <FormActions submit={fuente ? 'Guardar' : 'Añadir'} pending="Guardando..." busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Connected web shops, each with its last message, its problem and its keys. */
export default function Tiendas() {
  const query = useApi(listFuentes, {});
  const [editing, setEditing] = useState<{ fuente?: Fuente }>();
  const onDone = () => setEditing(undefined);
  return (
    <Stack gap="md">
      <Group gap="md">
        <Button size="sm" variant="light" onClick={() => setEditing({})}>
          Añadir una tienda
        </Button>
      </Group>
      <Loaded query={query} failed="No se pudieron cargar las tiendas" waiting={<Skeletons heights={[96]} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              title="Todavía no hay ninguna tienda"
              hint="Añade una: tendrá su dirección y su secreto, que se ponen en los webhooks de la tienda."
            />
          ) : (
            <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
              {data.map((fuente) => (
                <Shop key={fuente.id} fuente={fuente} others={data} onEdit={() => setEditing({ fuente })} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <FormDialog opened={!!editing} onClose={onDone} title={editing?.fuente ? `Cambiar ${editing.fuente.nombre}` : 'Añadir una tienda'}>
        {(inDialog) => <ShopForm key={editing?.fuente?.id ?? 'nueva'} fuente={editing?.fuente} onDone={onDone} {...inDialog} />}
      </FormDialog>
    </Stack>
  );
}
