import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import {
  type Account,
  CODE_DIGITS,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../contract/account/account.ts';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { fieldErrors, useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { DialogForm, FormActions } from '../ui/form/form-actions.tsx';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import classes from './account.module.css';
import { useGoOn } from './use-go-on.ts';

const TITLE = { setup: 'Verificación en dos pasos', codes: 'Códigos de recuperación' };
const FEW_CODES = 3;

export function SecondFactorSection({ account }: { account: Account }) {
  const goOn = useGoOn();
  const [step, setStep] = useState<keyof typeof TITLE>('setup');
  const [opened, setOpened] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const setUp = () => {
    setStep('setup');
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    void goOn();
  };
  const showCodes = (codes: readonly string[]) => {
    setCodes(codes);
    setStep('codes');
    setOpened(true);
  };
  const renew = useMutate(renewRecoveryCodes, {
    success: false,
    failure: 'No se pudieron renovar los códigos',
    onSuccess: ({ recovery_codes }) => showCodes(recovery_codes),
  });
  const remove = useMutate(removeSecondFactor, { failure: 'No se pudo quitar la verificación', onSuccess: () => void goOn() });
  const askToRenew = () =>
    void confirm({
      title: 'Códigos de recuperación nuevos',
      message: 'Tendrás diez códigos nuevos; los que guardaste dejarán de servir.',
      confirm: 'Renovar códigos',
      action: () => renew.mutateAsync({}),
    });
  const askToRemove = () =>
    void confirm({
      title: 'Quitar la verificación en dos pasos',
      message: 'Volverás a entrar solo con la contraseña, y los códigos de recuperación dejarán de servir.',
      confirm: 'Quitar',
      danger: true,
      action: () => remove.mutateAsync({}),
    });
  const { second_factor: active, second_factor_required: required, recovery_codes_left: left } = account;

  return (
    <Panel title="Segundo factor" aside={<ActiveBadge active={active} yes="Activado" no="Sin activar" />}>
      <Stack align="flex-start">
        <Text c="dimmed">
          {active
            ? 'Al entrar se te pide, además de la contraseña, un código de tu aplicación.'
            : 'Con la verificación en dos pasos nadie entra en tu cuenta solo con la contraseña.'}
          {required && ' La configuración la exige a tu cuenta.'}
        </Text>
        {active && (
          <Text {...(left <= FEW_CODES && { c: 'var(--mantine-color-error)', fw: 600 })}>
            {left === 1 ? 'Te queda 1 código de recuperación.' : `Te quedan ${left} códigos de recuperación.`}
          </Text>
        )}
        {active ? (
          <Group>
            <Button variant="default" onClick={askToRenew}>
              Renovar códigos
            </Button>
            <Button variant="default" onClick={setUp}>
              Cambiar de móvil
            </Button>
            {!required && (
              <Button variant="light" color="red" onClick={askToRemove}>
                Quitar
              </Button>
            )}
          </Group>
        ) : (
          <Button onClick={setUp}>Activar la verificación en dos pasos</Button>
        )}
      </Stack>
      {/* The codes are shown only once, so a click outside must not close the dialog. */}
      <Dialog opened={opened} onClose={close} title={TITLE[step]} size="md" dismissible={step !== 'codes'}>
        {step === 'setup' && <Setup onCodes={showCodes} onCancel={close} />}
        {step === 'codes' && <RecoveryCodes codes={codes} onDone={close} />}
      </Dialog>
    </Panel>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text>
        Si pierdes el móvil, entra con uno de estos códigos en lugar del de la aplicación. Cada uno sirve una vez.{' '}
        <strong>No se volverán a mostrar</strong>: guárdalos fuera del móvil.
      </Text>
      <ul className={classes.codes} aria-label="Códigos de recuperación">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton autoFocus copy={() => copyOr(text, 'No se pudieron copiar los códigos')}>
          Copiar
        </CopyButton>
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="enruta-codigos-de-recuperacion.txt"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Descargar
        </Button>
      </Group>
      <Group gap="md" justify="flex-end">
        <Button onClick={onDone}>Los he guardado</Button>
      </Group>
    </Stack>
  );
}

type Props = { onCodes: (codes: string[]) => void; onCancel: () => void };

function Setup({ onCodes, onCancel }: Props) {
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
