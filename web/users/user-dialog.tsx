import { USER_FIELDS } from '../../contract/users.fields.ts';
import '@mantine/core/styles/Switch.css';
import { PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useState } from 'react';
import type { Role } from '../../contract/policy.ts';
import { createUser, type User, updateUser } from '../../contract/users.ts';
import { type ApiError, useMutate } from '../api.ts';
import { refreshSession, useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { ResetSecondFactor } from './reset-second-factor.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { showRefusal } from './show-refusal.ts';
import { announceUserCreated } from './user-created.ts';
import type { UserAction } from './user-errors.ts';
import { createBody, updateBody, userProblems, userValues } from './user-form.ts';

type Props = { role: Role; user: User | undefined; opened: boolean; onClose: () => void };

/** Creates a user of `role`, or edits `user`. */
export function UserDialog({ role, user, opened, onClose }: Props) {
  const { singular } = ROLE_WORDS[role];
  return (
    <FormDialog opened={opened} onClose={onClose} title={user ? `Editar ${singular}` : `Crear ${singular}`}>
      {(inDialog) => <UserForm key={user?.id} role={role} user={user} onClose={onClose} {...inDialog} />}
    </FormDialog>
  );
}

type FormProps = Pick<Props, 'role' | 'user' | 'onClose'> & InDialog;

// Mounts each time the dialog opens, so it starts from the current list.
function UserForm({ role, user, dirty, onBusy, onCancel, onClose }: FormProps) {
  const me = useSession();
  const self = user?.id === me.id;
  const [shown, setShown] = useState(false);
  const form = useForm({ initialValues: userValues(user), validate: (values) => userProblems(values, user) });
  useImperativeHandle(dirty, () => form.isDirty);

  const refused = (action: UserAction) => (error: ApiError) => {
    onBusy(false);
    showRefusal(action, error);
    focusFirst(form, error.errors);
  };
  const saved = () => {
    onBusy(false);
    onClose();
  };
  const create = useMutate(createUser, {
    form,
    success: 'Usuario creado',
    failure: false,
    onError: refused('create'),
    onSuccess: () => {
      saved();
      announceUserCreated();
    },
  });
  const update = useMutate(updateUser, {
    form,
    success: 'Usuario actualizado',
    failure: false,
    onError: refused('update'),
    onSuccess: () => {
      saved();
      if (self) void refreshSession();
    },
  });
  const submit = form.onSubmit(
    (values) => {
      onBusy(true);
      if (user) update.mutate({ params: { id: user.id }, body: updateBody(values) });
      else create.mutate({ body: createBody(values, role) });
    },
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack gap="sm">
        <TextInput
          label="Nombre completo"
          required
          maxLength={USER_FIELDS.full_name.max}
          data-autofocus
          {...form.getInputProps('full_name')}
        />
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          required
          maxLength={USER_FIELDS.email.max}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <TextInput
          label="Usuario"
          description="Opcional: sirve para entrar en lugar del email"
          maxLength={USER_FIELDS.username.max}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        {self ? (
          <Text size="sm" c="dimmed">
            Tu contraseña se cambia en «Mi cuenta».
          </Text>
        ) : (
          <PasswordInput
            label="Contraseña"
            description={user ? 'Al cambiarla se cierran sus sesiones abiertas' : 'Al menos 6 caracteres'}
            placeholder={user ? 'Dejar vacío para mantener la actual' : undefined}
            required={!user}
            maxLength={USER_FIELDS.password.max}
            autoComplete="new-password"
            visible={shown}
            onVisibilityChange={setShown}
            visibilityToggleFocusable
            visibilityToggleButtonProps={{ 'aria-label': shown ? 'Ocultar la contraseña' : 'Mostrar la contraseña', 'aria-pressed': shown }}
            {...form.getInputProps('password')}
          />
        )}
        <Switch
          label="Activo"
          description={self ? 'No puedes quitarte el acceso a ti mismo' : 'Quien no está activo no puede entrar en el sistema'}
          disabled={self}
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
        {user?.second_factor && !self && <ResetSecondFactor user={user} />}
        <FormActions
          submit={user ? 'Guardar cambios' : `Crear ${ROLE_WORDS[role].singular}`}
          pending={user ? 'Guardando...' : 'Creando...'}
          busy={create.isPending || update.isPending}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
