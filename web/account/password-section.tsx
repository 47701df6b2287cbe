import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Account, changePassword } from '../../contract/account/account.ts';
import { MIN_PASSWORD, USER_FIELDS } from '../../contract/users/fields.ts';
import { useMutate } from '../api.ts';
import { renewSubscription } from '../push/browser.ts';
import { onValid } from '../ui/form/focus-first.ts';
import { rulesOf } from '../ui/form/rules.ts';
import { fecha } from '../ui/format/format.ts';
import { Panel } from '../ui/page/panel.tsx';
import { PasswordField } from './password-field.tsx';
import { useGoOn } from './use-go-on.ts';

export function PasswordSection({ account }: { account: Account }) {
  const goOn = useGoOn();
  const form = useForm({
    initialValues: { current_password: '', password: '' },
    validate: {
      current_password: (value) => (value ? null : 'Escribe tu contraseña actual'),
      password: rulesOf(USER_FIELDS, ['password']).password,
    },
  });
  const save = useMutate(changePassword, {
    form,
    failure: 'No se pudo cambiar la contraseña',
    onSuccess: () => {
      form.reset();
      void renewSubscription();
      void goOn();
    },
  });
  const submit = onValid(form, (body) => save.mutate({ body }));
  const { password_changed_at: changed, password_expires_at: expires } = account;

  return (
    <Panel title="Contraseña">
      <form onSubmit={submit} noValidate>
        <Stack maw="24rem">
          <Text c="dimmed">
            Cambiada el {fecha(changed)}. {expires ? expiry(expires) : 'No caduca.'}
          </Text>
          {/* Tells password managers which account this is. */}
          <input type="text" autoComplete="username" value={account.email} readOnly hidden />
          <PasswordField label="Contraseña actual" autoComplete="current-password" {...form.getInputProps('current_password')} />
          <PasswordField
            label="Contraseña nueva"
            description={`Al menos ${MIN_PASSWORD} caracteres. Al cambiarla se cierran tus demás sesiones y tus demás navegadores dejan de avisarte`}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <Group gap="md">
            <Button type="submit" disabled={save.isPending}>
              {save.isPending ? 'Cambiando...' : 'Cambiar contraseña'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

const expiry = (expires: string) => (Date.parse(expires) > Date.now() ? `Caduca el ${fecha(expires)}.` : `Caducó el ${fecha(expires)}.`);
