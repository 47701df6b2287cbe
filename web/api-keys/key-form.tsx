import { Alert, Button, Checkbox, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { createApiKey } from '../../contract/api-keys/api-keys.ts';
import { KEY_ACTION_NAMES, KEY_ACTIONS, KEY_DAYS, KEY_NEEDS, KEY_PURPOSES, type KeyAction } from '../../contract/api-keys/fields.ts';
import { useMutate } from '../api.ts';
import type { InDialog } from '../ui/dialog/form-dialog.tsx';
import { FormActions, onValid } from '../ui/form/form-actions.tsx';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';

const LIVES = [
  { value: '30', label: '30 días' },
  { value: '90', label: '90 días' },
  { value: String(KEY_DAYS), label: 'Un año' },
  { value: '', label: 'Sin caducidad, hasta que se revoque' },
];

const CUSTOM = 'medida';
const PURPOSES = [
  ...Object.entries(KEY_PURPOSES).map(([value, { label }]) => ({ value, label })),
  { value: CUSTOM, label: 'A medida: elegir cada permiso' },
];
type Purpose = keyof typeof KEY_PURPOSES;
const isPurpose = (value: string | null): value is Purpose => value !== null && Object.hasOwn(KEY_PURPOSES, value);

/** Adds the scopes that `chosen` needs, and drops scopes that need a scope just removed. */
export function completeScopes(chosen: string[], before: readonly string[]): KeyAction[] {
  const wanted = KEY_ACTION_NAMES.filter((name) => chosen.includes(name));
  const taken = before.filter((name) => !chosen.includes(name));
  const left = wanted.filter((name) => !KEY_NEEDS[name]?.some((needed) => taken.includes(needed)));
  const needed = new Set(left.flatMap((name) => [name, ...(KEY_NEEDS[name] ?? [])]));
  return KEY_ACTION_NAMES.filter((name) => needed.has(name));
}

export function KeyForm({ dirty, onCancel, onDone }: InDialog & { onDone: () => void }) {
  const form = useForm<{ nombre: string; para: string; acciones: string[]; dias: string }>({
    initialValues: { nombre: '', para: 'tienda', acciones: [...KEY_PURPOSES.tienda.acciones], dias: String(KEY_DAYS) },
    validate: {
      nombre: (nombre) => (nombre.trim() ? null : 'Ponle un nombre: el del programa que la usará'),
      acciones: (acciones) => (acciones.length ? null : 'Elige al menos un permiso'),
    },
  });
  const make = useMutate(createApiKey, { form, success: false, failure: 'No se pudo crear la clave' });
  // Closing asks as with unsaved changes, because an uncopied key is lost; «Ya la he copiado» does not ask.
  useImperativeHandle(dirty, () => () => form.isDirty() || make.isSuccess);
  const submit = onValid(form, ({ nombre, acciones, dias }) =>
    make.mutate({ body: { nombre: nombre.trim(), acciones: acciones as KeyAction[], dias: dias ? Number(dias) : null } }),
  );

  if (make.data) return <Made clave={make.data.data.clave} onDone={onDone} />;
  return (
    <form onSubmit={submit} noValidate aria-label="Nueva clave de API">
      <Stack gap="md">
        <TextInput
          label="Nombre"
          placeholder="El programa que la usará"
          maxLength={60}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('nombre')}
        />
        <Select
          label="Para qué"
          data={PURPOSES}
          checkIconPosition="right"
          {...form.getInputProps('para')}
          onChange={(para) => form.setValues({ para: para ?? CUSTOM, acciones: isPurpose(para) ? [...KEY_PURPOSES[para].acciones] : [] })}
        />
        {isPurpose(form.values.para) ? (
          <Text c="dimmed">
            Podrá: {KEY_PURPOSES[form.values.para].acciones.map((name) => KEY_ACTIONS[name].toLowerCase()).join(', ')}.
          </Text>
        ) : (
          <Checkbox.Group
            label="Qué puede hacer"
            description="Lo mínimo que necesite; un permiso trae los que le hacen falta"
            required
            {...form.getInputProps('acciones')}
            onChange={(chosen) => form.setFieldValue('acciones', completeScopes(chosen, form.getValues().acciones))}
          >
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing={8} mt="xs">
              {KEY_ACTION_NAMES.map((name) => (
                <Checkbox key={name} value={name} label={KEY_ACTIONS[name]} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        )}
        <Select
          label="Vale"
          data={LIVES}
          checkIconPosition="right"
          {...form.getInputProps('dias')}
          onChange={(dias) => form.setFieldValue('dias', dias ?? '')}
        />
        <FormActions submit="Crear clave" pending="Creando..." busy={make.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

const Made = ({ clave, onDone }: { clave: string; onDone: () => void }) => (
  <Stack gap="md">
    <Alert color="yellow" title="Cópiala ahora">
      No se vuelve a mostrar. Guárdala donde guardes las contraseñas; quien la tenga puede hacer lo que has elegido.
    </Alert>
    <TextInput label="Clave de API" value={clave} readOnly onFocus={(event) => event.currentTarget.select()} />
    <Text c="dimmed">
      El programa la envía en cada petición: <code>Authorization: Bearer enr_…</code>
    </Text>
    <Group gap="md" justify="flex-end">
      <CopyButton copy={() => copyOr(clave, 'Selecciónala y cópiala a mano', { title: 'El navegador no deja copiar' })}>
        Copiar clave
      </CopyButton>
      <Button onClick={onDone}>Ya la he copiado</Button>
    </Group>
  </Stack>
);
