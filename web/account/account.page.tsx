import { Alert, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { getAccount } from '../../contract/account/account.ts';
import { ROLE_LABEL } from '../../contract/policy/policy.ts';
import type { Pending } from '../../contract/session/fields.ts';
import { useApi } from '../api.ts';
import { hasOutbox } from '../pedidos/actions/outbox.ts';
import { useSession } from '../session/session.ts';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { OfflineSection } from './offline-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PushSection } from './push-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

const PENDING: Record<Pending, { title: string; text: string }> = {
  password: { title: 'Tu contraseña ha caducado', text: 'Cámbiala para seguir: hasta entonces no se puede abrir nada más.' },
  second_factor: {
    title: 'Falta la verificación en dos pasos',
    text: 'La configuración la exige a los administradores. Actívala para seguir: hasta entonces no se puede abrir nada más.',
  },
};

/** «Mi cuenta»: password, second factor and sessions. The router allows no other screen while a step is pending. */
export default function AccountPage() {
  const user = useSession();
  const { email, role, pending } = user;
  const account = useApi(getAccount, {}, { staleTime: 0 });

  return (
    <>
      <PageHeader title="Mi cuenta" subtitle={`${email} · ${ROLE_LABEL[role]}`} />
      <Stack gap="md" maw="40rem">
        {pending && (
          <Alert color="orange" role="alert" icon={<IconAlertTriangle size={18} />} title={PENDING[pending].title}>
            {PENDING[pending].text}
          </Alert>
        )}
        {hasOutbox(user) && !pending && <OfflineSection />}
        <Loaded query={account} failed="No se pudo cargar tu cuenta" waiting={<Skeletons gap="md" heights={[280, 150, 120]} />}>
          {({ data }) => (
            <>
              <PasswordSection account={data} />
              <SecondFactorSection account={data} />
              <SessionsSection />
              {!pending && <PushSection />}
            </>
          )}
        </Loaded>
      </Stack>
    </>
  );
}
