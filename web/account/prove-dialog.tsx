import { Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { CODE_DIGITS, getAccount, proveIdentity } from '../../contract/account/account.ts';
import { fieldErrors, useApi, useMutate, whenProofIsAsked } from '../api.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { DialogForm } from '../ui/form/form-actions.tsx';
import { PasswordField } from './password-field.tsx';

/** Dialog that asks for the password again; mounted once. */
export function ProveHost() {
  const [asked, setAsked] = useState<{ answer: (proven: boolean) => void }>();
  useEffect(() => whenProofIsAsked(() => new Promise((answer) => setAsked({ answer }))), []);
  const close = (proven: boolean) => {
    setAsked(undefined);
    asked?.answer(proven);
  };
  return (
    // Stacks above the dialog that made the request.
    <Dialog zIndex={260} opened={asked !== undefined} onClose={() => close(false)} title="Confirma quién eres" size="md" fillsPhone={false}>
      <ProveForm onProven={() => close(true)} onCancel={() => close(false)} />
    </Dialog>
  );
}

function ProveForm({ onProven, onCancel }: { onProven: () => void; onCancel: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const account = useApi(getAccount, {});
  const prove = useMutate(proveIdentity, { success: false, failure: 'No se pudo comprobar', invalidates: [], onSuccess: onProven });
  const errors = fieldErrors(prove.error);
  const withCode = account.data?.data.second_factor === true || errors.code !== undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    const incomplete = !password || (withCode && !code.trim());
    setMissing(incomplete);
    if (!incomplete && !prove.isPending) prove.mutate({ body: { password, ...(withCode && { code }) } });
  }
  return (
    <DialogForm onSubmit={submit} submit="Confirmar" pending="Comprobando..." busy={prove.isPending} onCancel={onCancel}>
      <Text>Lo que vas a hacer pide tu contraseña otra vez. No se vuelve a pedir en cinco minutos.</Text>
      <PasswordField
        label="Contraseña actual"
        withAsterisk
        aria-required
        autoComplete="current-password"
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={missing && !password ? 'Escribe tu contraseña actual' : errors.password}
      />
      {withCode && (
        <TextInput
          label="Código de verificación"
          withAsterisk
          aria-required
          description={`Las ${CODE_DIGITS} cifras de tu aplicación, o un código de recuperación`}
          inputMode="text"
          autoComplete="one-time-code"
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={missing && !code.trim() ? 'Escribe el código' : errors.code}
        />
      )}
    </DialogForm>
  );
}
