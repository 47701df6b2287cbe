import { USER_FIELDS } from '../../contract/users/fields.ts';
import '@mantine/core/styles/Switch.css';
import { Button, Group, PasswordInput, type PasswordInputProps, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconShieldOff } from '@tabler/icons-react';
import { type ReactNode, useImperativeHandle, useState } from 'react';
import { type Role, roleMay } from '../../contract/policy/policy.ts';
import { INVITE_DAYS } from '../../contract/session/fields.ts';
import { createUser, type Invitation, inviteUser, listUsers, type User, updateUser } from '../../contract/users/users.ts';
import { call, useMutate } from '../api.ts';
import { refreshSession, useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { ChoiceTiles } from '../ui/form/choice-tiles.tsx';
import { DialogForm, FormActions, onValid } from '../ui/form/form-actions.tsx';
import { fieldInputs, rulesOf } from '../ui/form/rules.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { HandOver, InviteLink, MadeKeys } from './hand-over.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { announceUserCreated, showRefusal } from './saved.ts';
import { createBody, updateBody, userProblems, userValues } from './user-form.ts';

type Props = { role: Role; user: User | undefined; opened: boolean; onClose: () => void };

export function UserDialog({ role, user, opened, onClose }: Props) {
  const { singular } = ROLE_WORDS[role];
  return (
    <FormDialog opened={opened} onClose={onClose} title={user ? `Editar ${singular}` : `Crear ${singular}`}>
      {(inDialog) =>
        user ? (
          <UserForm key={user.id} role={role} user={user} onClose={onClose} {...inDialog} />
        ) : (
          <NewUser role={role} onClose={onClose} {...inDialog} />
        )
      }
    </FormDialog>
  );
}

const WAYS = [
  { value: 'invitacion', label: 'Le invito por WhatsApp o un enlace' },
  { value: 'clave', label: 'Pongo yo su contraseña' },
] as const;

/** Creates a person with a password or by a link. Typed values survive a switch between both forms. */
function NewUser({ role, onClose, ...inDialog }: Pick<Props, 'role' | 'onClose'> & InDialog) {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('invitacion');
  const [typed, setTyped] = useState({ full_name: '', email: '' });
  const onTyped = ({ full_name, email }: typeof typed) => setTyped({ full_name, email });
  const ways = <ChoiceTiles label="Cómo entra" optional options={WAYS} value={way} onChange={setWay} />;
  const shared = { role, typed, onTyped, ways, ...inDialog };
  return way === 'clave' ? <UserForm user={undefined} onClose={onClose} {...shared} /> : <InviteForm onDone={onClose} {...shared} />;
}

const ACTIVO = 'Activo';
const CONTRA_REEMBOLSO = 'Puede vender contra reembolso';

type Typed = Pick<ReturnType<typeof userValues>, 'full_name' | 'email'>;
type FormProps = Pick<Props, 'role' | 'user' | 'onClose'> &
  InDialog & {
    /** For a new person only: values shared with `InviteForm`, and the input for the choice between both forms. */
    typed?: Typed;
    onTyped?: (typed: Typed) => void;
    ways?: ReactNode;
  };

// Mounted on every opening, so that the form starts from the user's current values.
function UserForm({ role, user, dirty, onCancel, onClose, typed, onTyped, ways }: FormProps) {
  const me = useSession();
  const self = user?.id === me.id;
  // Only resellers need the permission for cash on delivery: superadmins always have it, and carriers do not sell.
  const sells = roleMay(role, 'pedido:create') && !roleMay(role, 'pedido:create-free');
  const [heir, setHeir] = useState('');
  const [revokes, setRevokes] = useState(false);
  const form = useForm({
    initialValues: { ...userValues(user), ...typed },
    onValuesChange: (values) => onTyped?.(values),
    validate: (values) => userProblems(values, user),
  });

  const input = fieldInputs(USER_FIELDS, form.getInputProps);
  const create = useMutate(createUser, {
    form,
    success: 'Usuario creado',
    failure: false,
    onError: (error) => showRefusal('create', error),
    onSuccess: () => {
      onClose();
      announceUserCreated();
    },
  });
  const conflict = useConflict({
    record: user,
    form,
    valuesOf: userValues,
    read: async () => (await call(listUsers, { query: { role } })).data.find(({ id }) => id === user?.id),
    title: 'Otra persona ha cambiado este usuario mientras lo editabas',
    label: (field) => (field === 'is_active' ? ACTIVO : field === 'contra_reembolso' ? CONTRA_REEMBOLSO : USER_FIELDS[field].label),
  });
  const update = useMutate(updateUser, {
    form,
    onStale: conflict.onStale,
    success: 'Usuario actualizado',
    failure: false,
    onError: (error) => showRefusal('update', error),
    onSuccess: () => {
      onClose();
      if (self) void refreshSession();
    },
  });
  const leaves = user?.is_active && !form.values.is_active;
  const saving = create.isPending || update.isPending;
  useImperativeHandle(dirty, () => () => (form.isDirty() || !!typed?.full_name || !!typed?.email) && !saving);
  const submit = onValid(form, (values) => {
    if (conflict.base) {
      const leaving = leaves ? { ...(heir && { pedidos_a: heir }), ...(revokes && { revocar_claves: true as const }) } : {};
      update.mutate({ params: { id: conflict.base.id }, body: { ...updateBody(values, conflict.base.version), ...leaving } });
    } else create.mutate({ body: createBody(values, role) });
  });

  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack>
        {ways}
        {conflict.panel}
        <TextInput {...input('full_name')} data-autofocus />
        <TextInput {...input('email')} type="email" inputMode="email" autoComplete="off" />
        <TextInput
          {...input('username')}
          description="Opcional: sirve para entrar en lugar del email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Password user={user} self={self} input={input('password')} />
        <Switch
          label={ACTIVO}
          description={self ? 'No puedes quitarte el acceso a ti mismo' : 'Quien no está activo no puede entrar en el sistema'}
          disabled={self}
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
        {sells && me.contra_reembolso && (
          <Switch
            label={CONTRA_REEMBOLSO}
            description="Sus clientes pagan al transportista al recibir el pedido"
            {...form.getInputProps('contra_reembolso', { type: 'checkbox' })}
          />
        )}
        {me.zonas && roleMay(role, 'reparto:zonas') && (
          <TextInput {...input('zonas')} description="Códigos postales enteros o su comienzo con asterisco: 28013, 280*; vacío: todos" />
        )}
        {leaves && user.pedidos_abiertos > 0 && <HandOver user={user} optional onChoose={setHeir} />}
        {leaves && <MadeKeys user={user} onChoose={setRevokes} />}
        {user?.second_factor && !self && <ResetSecondFactor user={user} />}
        <FormActions
          submit={user ? 'Guardar cambios' : `Crear ${ROLE_WORDS[role].singular}`}
          pending={user ? 'Guardando...' : 'Creando...'}
          busy={saving}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function Password({ user, self, input }: { user: User | undefined; self: boolean; input: PasswordInputProps }) {
  const [shown, setShown] = useState(false);
  if (self) return <Text c="dimmed">Tu contraseña se cambia en «Mi cuenta».</Text>;
  return (
    <PasswordInput
      {...input}
      description={user ? 'Al cambiarla se cierran sus sesiones abiertas' : 'Al menos 6 caracteres'}
      placeholder={user ? 'Dejar vacío para mantener la actual' : undefined}
      required={!user}
      autoComplete="new-password"
      visible={shown}
      onVisibilityChange={setShown}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': shown ? 'Ocultar la contraseña' : 'Mostrar la contraseña', 'aria-pressed': shown }}
    />
  );
}

/** Removes the second factor of a user who lost their phone; the password alone then signs them in. */
function ResetSecondFactor({ user }: { user: User }) {
  const reset = useMutate(updateUser, { success: 'Segundo factor quitado', failure: 'No se pudo quitar el segundo factor' });
  const { id, full_name } = user;
  const ask = () =>
    void confirm({
      title: 'Quitar el segundo factor',
      message: (
        <>
          <strong>{full_name}</strong> podrá entrar solo con su contraseña hasta que configure otro. Se cierran sus sesiones abiertas.
          Asegúrate antes de que es quien te lo pide.
        </>
      ),
      confirm: 'Quitar',
      danger: true,
      action: () => reset.mutateAsync({ params: { id }, body: { reset_second_factor: true } }),
    });

  // Hides the button after success, because `user` stays outdated until the dialog reopens.
  if (reset.isSuccess) return null;
  return (
    <Group justify="space-between">
      <Text>Entra con segundo factor</Text>
      <Button variant="default" size="xs" leftSection={<IconShieldOff size={14} aria-hidden />} onClick={ask}>
        Quitar el segundo factor
      </Button>
    </Group>
  );
}

type InviteFormProps = InDialog & Required<Pick<FormProps, 'role' | 'typed' | 'onTyped' | 'ways'>> & { onDone: () => void };

/** Invites a person of `role` by a link with which they choose their password. */
function InviteForm({ role, dirty, onCancel, onDone, typed, onTyped, ways }: InviteFormProps) {
  const [made, setMade] = useState<Invitation>();
  const form = useForm({ initialValues: typed, onValuesChange: onTyped, validate: rulesOf(USER_FIELDS, ['full_name', 'email']) });
  const input = fieldInputs(USER_FIELDS, form.getInputProps);
  const invite = useMutate(inviteUser, {
    form,
    success: false,
    failure: false,
    onError: (error) => showRefusal('create', error),
    onSuccess: ({ data }) => {
      setMade(data);
      announceUserCreated();
    },
  });
  useImperativeHandle(dirty, () => () => Object.values(form.getValues()).some(Boolean) && !made && !invite.isPending);
  if (made) return <InviteLink invitation={made} onDone={onDone} />;
  const submit = onValid(form, (values) => invite.mutate({ body: { ...values, role } }));
  return (
    <DialogForm onSubmit={submit} autoComplete="off" submit="Invitar" pending="Invitando..." busy={invite.isPending} onCancel={onCancel}>
      {ways}
      <Text c="dimmed">Recibe un enlace, elige su contraseña y ya está dentro. El enlace vale {INVITE_DAYS} días y una sola vez.</Text>
      <TextInput {...input('full_name')} data-autofocus />
      <TextInput {...input('email')} type="email" inputMode="email" autoComplete="off" />
    </DialogForm>
  );
}
