import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useState } from 'react';
import type { Role } from '../../contract/policy.ts';
import { INVITE_DAYS } from '../../contract/session/fields.ts';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import { type Invitation, inviteUser } from '../../contract/users/users.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { inputsOf, rulesOf } from '../ui/form/rules.ts';
import { InviteLink } from './invite-link.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { showRefusal } from './show-refusal.ts';
import { announceUserCreated } from './user-created.ts';

type Props = { role: Role; opened: boolean; onClose: () => void };

/** Invites a person of `role` by a link with which they choose their password. */
export function InviteDialog({ role, opened, onClose }: Props) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Invitar a un ${ROLE_WORDS[role].singular}`}>
      {(inDialog) => <Content role={role} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

function Content({ role, dirty, onCancel, onDone }: InDialog & { role: Role; onDone: () => void }) {
  const [made, setMade] = useState<Invitation>();
  const form = useForm({ initialValues: { full_name: '', email: '' }, validate: rulesOf(USER_FIELDS, ['full_name', 'email']) });
  const input = inputsOf(USER_FIELDS, form.getInputProps);
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
  useImperativeHandle(dirty, () => () => form.isDirty() && !made && !invite.isPending);
  if (made) return <InviteLink invitation={made} onDone={onDone} />;
  const submit = form.onSubmit(
    (values) => invite.mutate({ body: { ...values, role } }),
    (errors) => focusFirst(form, errors),
  );
  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Recibe un enlace, elige su contraseña y ya está dentro. El enlace vale {INVITE_DAYS} días y una sola vez.
        </Text>
        <TextInput {...input('full_name')} data-autofocus />
        <TextInput {...input('email')} type="email" inputMode="email" autoComplete="off" />
        <FormActions submit="Invitar" pending="Invitando..." busy={invite.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
