import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Account, removeSecondFactor, renewRecoveryCodes } from '../../contract/account.ts';
import { useMutate } from '../api.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { ProveForm } from './prove-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from './section.tsx';
import { Setup } from './setup.tsx';
import { useGoOn } from './use-go-on.ts';

const TITLE = {
  setup: 'Verificación en dos pasos',
  renew: 'Códigos de recuperación nuevos',
  remove: 'Quitar la verificación en dos pasos',
  codes: 'Códigos de recuperación',
};
const FEW_CODES = 3;

/** Shows the state of the second factor; every change to it happens in one dialog. */
export function SecondFactorSection({ account }: { account: Account }) {
  const goOn = useGoOn();
  const [step, setStep] = useState<keyof typeof TITLE>('setup');
  const [opened, setOpened] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const open = (next: typeof step) => {
    setStep(next);
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    void goOn();
  };
  const showCodes = (given: readonly string[]) => {
    setCodes(given);
    setStep('codes');
  };
  const { second_factor: active, second_factor_required: required, recovery_codes_left: left } = account;

  return (
    <Section title="Segundo factor" aside={<ActiveBadge active={active} yes="Activado" no="Sin activar" />}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {active
            ? 'Al entrar se te pide, además de la contraseña, un código de tu aplicación.'
            : 'Con la verificación en dos pasos nadie entra en tu cuenta solo con la contraseña.'}
          {required && ' La configuración la exige a tu cuenta.'}
        </Text>
        {active && (
          <Text size="sm" {...(left <= FEW_CODES && { c: 'var(--mantine-color-error)', fw: 600 })}>
            {left === 1 ? 'Te queda 1 código de recuperación.' : `Te quedan ${left} códigos de recuperación.`}
          </Text>
        )}
        {active ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => open('renew')}>
              Renovar códigos
            </Button>
            <Button variant="default" onClick={() => open('setup')}>
              Cambiar de móvil
            </Button>
            {!required && (
              <Button variant="light" color="red" onClick={() => open('remove')}>
                Quitar
              </Button>
            )}
          </Group>
        ) : (
          <Button onClick={() => open('setup')}>Activar la verificación en dos pasos</Button>
        )}
      </Stack>
      {/* The codes are shown only once, so a click outside must not close the dialog. */}
      <Dialog opened={opened} onClose={close} title={TITLE[step]} size="md" dismissible={step !== 'codes'}>
        {step === 'setup' && <Setup onCodes={showCodes} onCancel={close} />}
        {step === 'renew' && <Renew onCodes={showCodes} onCancel={close} />}
        {step === 'remove' && <Remove onDone={close} />}
        {step === 'codes' && <RecoveryCodes codes={codes} onDone={close} />}
      </Dialog>
    </Section>
  );
}

function Renew({ onCodes, onCancel }: { onCodes: (codes: string[]) => void; onCancel: () => void }) {
  const renew = useMutate(renewRecoveryCodes, {
    success: false,
    failure: 'No se pudieron renovar los códigos',
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <ProveForm
      explain="Tendrás diez códigos nuevos; los que guardaste dejarán de servir."
      submit="Renovar códigos"
      busy={renew.isPending}
      error={renew.error}
      onSubmit={(password) => renew.mutate({ body: { password } })}
      onCancel={onCancel}
    />
  );
}

function Remove({ onDone }: { onDone: () => void }) {
  const remove = useMutate(removeSecondFactor, { failure: 'No se pudo quitar la verificación', onSuccess: onDone });
  return (
    <ProveForm
      explain="Volverás a entrar solo con la contraseña, y los códigos de recuperación dejarán de servir."
      submit="Quitar"
      danger
      busy={remove.isPending}
      error={remove.error}
      onSubmit={(password) => remove.mutate({ body: { password } })}
      onCancel={onDone}
    />
  );
}
