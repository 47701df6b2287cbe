import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useImperativeHandle, useState } from 'react';
import type { Role } from '../../contract/policy/policy.ts';
import { INVITE_DAYS } from '../../contract/session/fields.ts';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import { type Invitation, inviteUser } from '../../contract/users/users.ts';
import { useMutate } from '../api.ts';
import type { InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { FormActions } from '../ui/form/form-actions.tsx';
import { inputsOf, rulesOf } from '../ui/form/rules.ts';
import { InviteLink } from './invite-link.tsx';
import { announceUserCreated, showRefusal } from './saved.ts';

type Props = InDialog & {
  role: Role;
  onDone: () => void;
  /** Name and e-mail, shared with the form that sets a password. */
  typed: { full_name: string; email: string };
  /** Input for the choice between invitation and password. */
  ways: ReactNode;
  onTyped: (typed: { full_name: string; email: string }) => void;
};

/** Invites a person of `role` by a link with which they choose their password. */
export function InviteForm({ role, dirty, onCancel, onDone, typed, onTyped, ways }: Props) {
  const [made, setMade] = useState<Invitation>();
  const form = useForm({ initialValues: typed, onValuesChange: onTyped, validate: rulesOf(USER_FIELDS, ['full_name', 'email']) });
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
  useImperativeHandle(dirty, () => () => Object.values(form.getValues()).some(Boolean) && !made && !invite.isPending);
  if (made) return <InviteLink invitation={made} onDone={onDone} />;
  const submit = onValid(form, (values) => invite.mutate({ body: { ...values, role } }));
  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack gap="sm">
        {ways}
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
