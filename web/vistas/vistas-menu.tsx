import { Button, Checkbox, Menu, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBookmark, IconChevronDown, IconDeviceFloppy, IconPencil, IconStar, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { can } from '../../contract/policy/policy.ts';
import { LISTAS, type Lista, VISTA_FIELDS } from '../../contract/vistas/fields.ts';
import { type Consulta, createVista, deleteVista, listVistas, preferVista, updateVista, type Vista } from '../../contract/vistas/vistas.ts';
import { useMutate } from '../api.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, onValid } from '../ui/form/form-actions.tsx';
import { fieldInputs, rulesOf } from '../ui/form/rules.ts';
import { today } from '../ui/format/format.ts';
import { changedConsulta, findPeriodo, isSameConsulta, type VistaFilters, withDays, withPeriodo } from './consulta.ts';
import { TODOS, type Vistas } from './use-vistas.ts';
import classes from './vistas-menu.module.css';

type Props = {
  vistas: Vistas;
  filters: VistaFilters;
  /** Filters and sort of the whole list. */
  defaults: VistaFilters;
  /** Keys of the visible columns, in order; null if the list has fixed columns. */
  columnas?: string[] | null;
};

/** Menu of a list's saved views. */
export function VistasMenu({ vistas, filters, defaults, columnas = null }: Props) {
  const { lista, chosen } = vistas;
  const [dialog, setDialog] = useState<{ opened: boolean; vista?: Vista | undefined }>();
  const consulta = changedConsulta(lista, filters, defaults);
  const kept = chosen && changedConsulta(lista, withDays(chosen.consulta, today()), defaults);
  const modified = !!chosen && !(kept && isSameConsulta(kept, consulta) && sameColumns(chosen.columnas, columnas));
  const ask = (vista?: Vista) => setDialog({ opened: true, vista });
  const frame = useRef<HTMLDivElement>(null);
  // Focuses the button, because the dialog would return the focus to a removed menu item.
  const focusButton = () => setTimeout(() => frame.current?.querySelector('button')?.focus({ preventScroll: true }));

  return (
    <div ref={frame} className={classes.frame}>
      <Menu width="19rem">
        <Menu.Target>
          <Button
            variant={chosen ? 'light' : 'default'}
            leftSection={<IconBookmark size={16} stroke={1.8} aria-hidden />}
            rightSection={<IconChevronDown size={16} stroke={1.8} aria-hidden />}
            aria-label={chosen && `Vistas: ${chosen.nombre}${modified ? ' (modificada)' : ''}`}
          >
            {chosen ? <span className={classes.name}>{chosen.nombre}</span> : 'Vistas'}
            {modified && <span className={classes.modified}>(modificada)</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Choices vistas={vistas} />
          <Menu.Divider />
          {chosen && (
            <Chosen vista={chosen} modified={modified} now={{ consulta, columnas }} onRename={() => ask(chosen)} onAsked={focusButton} />
          )}
          <Menu.Item leftSection={<IconBookmark size={16} stroke={1.8} aria-hidden />} onClick={() => ask()}>
            Guardar vista…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog && (
        <VistaDialog
          opened={dialog.opened}
          onClose={() => {
            setDialog({ ...dialog, opened: false });
            focusButton();
          }}
          vista={dialog.vista}
          {...{ lista, consulta, columnas }}
          onSaved={vistas.name}
        />
      )}
    </div>
  );
}

const sameColumns = (kept: string[] | null, now: string[] | null) => !kept || !now || kept.join() === now.join();

function Choices({ vistas: { lista, vistas, chosen, show } }: { vistas: Vistas }) {
  const item = ({ id, nombre, al_abrir, compartida, mia, de }: Vista) => (
    <Menu.RadioItem
      key={id}
      value={id}
      closeMenuOnClick
      rightSection={al_abrir && <IconStar size={14} stroke={1.8} role="img" aria-label="Se usa al abrir" />}
    >
      <Text truncate title={nombre}>
        {nombre}
      </Text>
      {compartida && (
        <Text size="xs" c="dimmed" truncate>
          {mia ? 'Compartida' : `De ${de}`}
        </Text>
      )}
    </Menu.RadioItem>
  );
  const [own, shared] = [vistas.filter(({ mia }) => mia), vistas.filter(({ mia }) => !mia)];
  return (
    <div className={classes.choices}>
      <Menu.RadioGroup value={chosen?.id ?? TODOS} onChange={(id) => show(vistas.find((vista) => vista.id === id))}>
        <Menu.RadioItem value={TODOS} closeMenuOnClick>
          {LISTAS[lista].todos}
        </Menu.RadioItem>
        {own.length > 0 && <Menu.Label>Mis vistas</Menu.Label>}
        {own.map(item)}
        {shared.length > 0 && <Menu.Label>Compartidas</Menu.Label>}
        {shared.map(item)}
      </Menu.RadioGroup>
    </div>
  );
}

type ChosenProps = {
  vista: Vista;
  modified: boolean;
  now: Pick<Vista, 'consulta' | 'columnas'>;
  onRename: () => void;
  /** Called after the question about deletion. */
  onAsked: () => void;
};

function Chosen({ vista, modified, now, onRename, onAsked }: ChosenProps) {
  const actor = useSession();
  const changes = { invalidates: [listVistas] };
  const update = useMutate(updateVista, { ...changes, failure: 'No se pudo actualizar la vista' });
  const prefer = useMutate(preferVista, { ...changes, failure: 'No se pudo elegir la vista' });
  const remove = useMutate(deleteVista, { ...changes, failure: 'No se pudo eliminar la vista' });
  const { id, lista, nombre, compartida, version } = vista;
  const mayChange = vista.mia || can(actor, 'vista:share');

  function save() {
    const periodo = findPeriodo(now.consulta, today(), vista.consulta.periodo);
    const consulta = vista.consulta.periodo && periodo ? withPeriodo(now.consulta, periodo.id) : now.consulta;
    update.mutate({ params: { id }, body: { consulta, ...(now.columnas && { columnas: now.columnas }), version } });
  }
  const askToDelete = () =>
    void confirm({
      title: 'Eliminar vista',
      message: compartida
        ? `«${nombre}» desaparece para todos los administradores. Los pedidos no cambian.`
        : `«${nombre}» desaparece. Los pedidos no cambian.`,
      confirm: 'Eliminar',
      danger: true,
      action: () => remove.mutateAsync({ params: { id } }),
    }).then(onAsked);
  return (
    <>
      {modified && mayChange && (
        <Menu.Item leftSection={<IconDeviceFloppy size={16} stroke={1.8} aria-hidden />} onClick={save}>
          Actualizar «{nombre}»
        </Menu.Item>
      )}
      <Menu.CheckboxItem
        checked={vista.al_abrir}
        closeMenuOnClick
        onChange={(on) => prefer.mutate({ body: { lista, vista_id: on ? id : null } })}
      >
        Usar al abrir
      </Menu.CheckboxItem>
      {mayChange && (
        <>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.8} aria-hidden />} onClick={onRename}>
            {can(actor, 'vista:share') ? 'Renombrar o compartir…' : 'Renombrar…'}
          </Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} stroke={1.8} aria-hidden />} onClick={askToDelete}>
            Eliminar
          </Menu.Item>
        </>
      )}
      <Menu.Divider />
    </>
  );
}

type VistaDialogProps = {
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
function VistaDialog({ opened, onClose, vista, ...props }: VistaDialogProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={vista ? `Vista «${vista.nombre}»` : 'Guardar vista'} size="sm" fillsPhone={false}>
      {(inDialog) => <VistaForm {...props} {...inDialog} vista={vista} onDone={onClose} />}
    </FormDialog>
  );
}

type FormProps = Omit<VistaDialogProps, 'opened' | 'onClose'> & InDialog & { onDone: () => void };

function VistaForm({ lista, vista, consulta, columnas, onSaved, onDone, ...inDialog }: FormProps) {
  const actor = useSession();
  const periodo = vista ? undefined : findPeriodo(consulta, today());
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
  const submit = onValid(form, ({ nombre, compartida, movil }) => {
    const named = { nombre: nombre.trim(), compartida };
    if (vista) return update.mutate({ params: { id: vista.id }, body: { ...named, version: vista.version } });
    const kept = periodo && movil ? withPeriodo(consulta, periodo.id) : consulta;
    create.mutate({ body: { ...named, lista, consulta: kept, columnas } });
  });
  return (
    <DialogForm
      onSubmit={submit}
      {...inDialog}
      form={form}
      gap="md"
      aria-label={vista ? 'Cambiar vista' : 'Guardar vista'}
      submit={vista ? 'Guardar' : 'Guardar vista'}
      busy={busy}
    >
      {!vista && (
        <Text c="dimmed">
          {columnas ? 'Guarda los filtros, el orden y las columnas que ves ahora.' : 'Guarda los filtros y el orden que ves ahora.'}
        </Text>
      )}
      <TextInput {...fieldInputs(VISTA_FIELDS, form.getInputProps)('nombre')} autoComplete="off" data-autofocus />
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
    </DialogForm>
  );
}
