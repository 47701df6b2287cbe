import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { can } from '../../contract/policy/policy.ts';
import { type Lista, VISTA_FIELDS } from '../../contract/vistas/fields.ts';
import { type Consulta, createVista, updateVista, type Vista } from '../../contract/vistas/vistas.ts';
import { useMutate } from '../api.ts';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { inputsOf, rulesOf } from '../ui/form/rules.ts';
import { today } from '../ui/format/format.ts';
import { periodoOf, withPeriodo } from './consulta.ts';

type Props = {
  opened: boolean;
  onClose: () => void;
  lista: Lista;
  /** View to rename; absent when saving a new one. */
  vista: Vista | undefined;
  consulta: Consulta;
  columnas: string[] | null;
  onSaved: (vista: Vista) => void;
};

/** Saves the current list as a view, or renames and shares a view. */
export default function VistaDialog({ opened, onClose, vista, ...given }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={vista ? `Vista «${vista.nombre}»` : 'Guardar vista'} size="sm" fillsPhone={false}>
      {(inDialog) => <VistaForm {...given} {...inDialog} vista={vista} onDone={onClose} />}
    </FormDialog>
  );
}

type FormProps = Omit<Props, 'opened' | 'onClose'> & InDialog & { onDone: () => void };

function VistaForm({ lista, vista, consulta, columnas, onSaved, dirty, onCancel, onDone }: FormProps) {
  const actor = useSession();
  const periodo = vista ? undefined : periodoOf(consulta, today());
  const form = useForm({
    initialValues: { nombre: vista?.nombre ?? '', compartida: vista?.compartida ?? false, movil: true },
    validate: rulesOf(VISTA_FIELDS, ['nombre']),
  });
  const options = {
    form,
    onSuccess: ({ data }: { data: Vista }) => {
      form.resetDirty();
      onSaved(data);
      onDone();
    },
  };
  const create = useMutate(createVista, { ...options, failure: 'No se pudo guardar la vista' });
  const update = useMutate(updateVista, { ...options, failure: 'No se pudo cambiar la vista' });
  const busy = create.isPending || update.isPending;
  useImperativeHandle(dirty, () => () => !busy && form.isDirty());
  const submit = onValid(form, ({ nombre, compartida, movil }) => {
    const named = { nombre: nombre.trim(), compartida };
    if (vista) return update.mutate({ params: { id: vista.id }, body: { ...named, version: vista.version } });
    const kept = periodo && movil ? withPeriodo(consulta, periodo.id) : consulta;
    create.mutate({ body: { ...named, lista, consulta: kept, columnas } });
  });
  return (
    <form onSubmit={submit} noValidate aria-label={vista ? 'Cambiar vista' : 'Guardar vista'}>
      <Stack gap="md">
        {!vista && (
          <Text c="dimmed">
            {columnas ? 'Guarda los filtros, el orden y las columnas que ves ahora.' : 'Guarda los filtros y el orden que ves ahora.'}
          </Text>
        )}
        <TextInput {...inputsOf(VISTA_FIELDS, form.getInputProps)('nombre')} autoComplete="off" data-autofocus />
        {periodo && (
          <Checkbox
            label={`Siempre «${periodo.label}»`}
            description="Las fechas avanzan con el calendario. Sin marcar, quedan las de ahora"
            {...form.getInputProps('movil', { type: 'checkbox' })}
          />
        )}
        {can(actor, 'vista:share') && (
          <Checkbox
            label="Compartir con todos los administradores"
            description={
              vista && !vista.mia
                ? `La guardó ${vista.de}: solo esa persona puede dejar de compartirla`
                : 'Cualquiera de ellos podrá cambiarla'
            }
            disabled={vista && !vista.mia}
            {...form.getInputProps('compartida', { type: 'checkbox' })}
          />
        )}
        <FormActions submit={vista ? 'Guardar' : 'Guardar vista'} busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
