import { Button, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CODE_DIGITS, confirmSecondFactor, startSecondFactor } from '../../contract/account/account.ts';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { fieldErrors, useMutate } from '../api.ts';
import { DialogForm, FormActions } from '../ui/form/form-actions.tsx';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import classes from './account.module.css';

type Props = { onCodes: (codes: string[]) => void; onCancel: () => void };

export function Setup({ onCodes, onCancel }: Props) {
  const [begun, setBegun] = useState<Answer<typeof startSecondFactor>>();
  const start = useMutate(startSecondFactor, {
    failure: 'No se pudo empezar la configuración',
    invalidates: [],
    onSuccess: setBegun,
  });
  if (begun) return <Confirm begun={begun} onCodes={onCodes} onCancel={onCancel} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!start.isPending) start.mutate({});
  };
  return (
    <form onSubmit={submit}>
      <Text>
        Además de la contraseña, al entrar se te pedirá un código de seis cifras de una aplicación de tu móvil, como Google Authenticator,
        Aegis o la de tu gestor de contraseñas.
      </Text>
      <FormActions submit="Continuar" pending="Preparando..." busy={start.isPending} onCancel={onCancel} />
    </form>
  );
}

function Confirm({ begun, onCodes, onCancel }: Props & { begun: Answer<typeof startSecondFactor> }) {
  // A link to the app helps only on the phone that has the app.
  const phone = usePhone();
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const confirm = useMutate(confirmSecondFactor, {
    // No toast: the recovery codes confirm success, and on a phone a toast would cover them.
    success: false,
    failure: 'No se pudo activar la verificación',
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(!code.trim());
    if (code.trim() && !confirm.isPending) confirm.mutate({ body: { code } });
  }
  return (
    <DialogForm onSubmit={submit} submit="Activar" pending="Comprobando..." busy={confirm.isPending} onCancel={onCancel}>
      <Text>1. Escanea el código con la aplicación, o escribe en ella la clave.</Text>
      <img className={classes.qr} src={begun.qr} alt="Código QR con la clave de verificación" />
      <TextInput label="Clave" readOnly value={inFours(begun.secret)} classNames={{ input: classes.secret }} />
      <Group>
        <CopyButton size="xs" copy={() => copyOr(begun.secret, 'No se pudo copiar la clave')}>
          Copiar clave
        </CopyButton>
        {phone && (
          <Button component="a" href={begun.uri} variant="default" size="xs">
            Abrir en la aplicación
          </Button>
        )}
      </Group>
      <TextInput
        label="2. Escribe el código que muestra"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        maxLength={CODE_DIGITS + 1}
        maw="18rem"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={missing && !code.trim() ? 'Escribe el código' : fieldErrors(confirm.error).code}
      />
    </DialogForm>
  );
}

const inFours = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');
