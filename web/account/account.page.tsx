import { Alert, Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle, IconLogout } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  type Account,
  changePassword,
  closeOtherSessions,
  getAccount,
  listSessions,
  type OwnSession,
} from '../../contract/account/account.ts';
import { ROLE_LABEL } from '../../contract/policy/policy.ts';
import type { Pending } from '../../contract/session/fields.ts';
import { MIN_PASSWORD, USER_FIELDS } from '../../contract/users/fields.ts';
import { useApi, useMutate } from '../api.ts';
import { installWords, isInstalled } from '../outbox/installed.ts';
import { unsentCash } from '../outbox/unsent-cash.ts';
import { hasOutbox, outboxFor } from '../pedidos/actions/outbox.ts';
import { renewSubscription } from '../push/browser.ts';
import { useSession } from '../session/session.ts';
import { onValid } from '../ui/form/form-actions.tsx';
import { rulesOf } from '../ui/form/rules.ts';
import { ago, fecha, fechaHora, money } from '../ui/format/format.ts';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader, Panel } from '../ui/page/panel.tsx';
import { toast } from '../ui/page/toast.tsx';
import classes from './account.module.css';
import { deviceName } from './device.ts';
import { PasswordField } from './password-field.tsx';
import { PushSection } from './push-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { useGoOn } from './use-go-on.ts';

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
      <Stack gap="md" maw="40rem" data-in-turn>
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

function SessionsSection() {
  const sessions = useApi(listSessions, {}, { staleTime: 0 });
  const close = useMutate(closeOtherSessions, {
    failure: 'No se pudieron cerrar las sesiones',
    invalidates: [listSessions],
    onSuccess: () => void renewSubscription(),
  });
  const aside = sessions.data && sessions.data.data.length > 1 && (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconLogout size={14} aria-hidden />}
      disabled={close.isPending}
      onClick={() => close.mutate({})}
    >
      Cerrar las demás
    </Button>
  );

  return (
    <Panel title="Sesiones" aside={aside}>
      <Loaded query={sessions} failed="No se pudieron cargar las sesiones" waiting={<Skeletons heights={[64]} />}>
        {({ data }) => (
          <ul className={classes.sessions} aria-label="Sesiones abiertas">
            {data.map((session, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sessions have no id that may leave the server
              <Session key={i} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

const Session = ({ session: { ip, user_agent, created_at, last_seen_at, actual } }: { session: OwnSession }) => (
  <li>
    <Group>
      <Text fw={600}>{deviceName(user_agent)}</Text>
      {actual && <Badge color="gray">Esta sesión</Badge>}
    </Group>
    <Text variant="detail">
      {[ip, `abierta el ${fechaHora(created_at)}`, `última actividad: ${ago(last_seen_at).toLowerCase()}`].filter(Boolean).join(' · ')}
    </Text>
  </li>
);

function PasswordSection({ account }: { account: Account }) {
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

const LOOK_MS = 5000;

/** Unsent operations on a carrier's phone, and whether the browser has granted persistent storage. */
function OfflineSection() {
  const actor = useSession();
  const { data, isError, refetch } = useQuery({
    queryKey: ['telefono', actor.id],
    queryFn: async () => {
      const operations = await outboxFor(actor).unsent();
      return { operations, kept: (await navigator.storage?.persisted?.()) ?? false };
    },
    refetchInterval: LOOK_MS,
  });
  const send = useMutation({
    mutationFn: async () => outboxFor(actor).sendNow(),
    onSettled: () => refetch(),
  });
  const save = useMutation({
    mutationFn: async () => (await navigator.storage?.persist?.()) ?? false,
    onSuccess: (kept) => {
      if (kept) toast.success('El navegador lo guardará');
      else toast.info('El navegador no lo ha concedido. Instala Enruta en el teléfono y vuelve a pedirlo.');
      void refetch();
    },
  });
  const [oldest] = data?.operations ?? [];
  const count = data?.operations.length ?? 0;
  const cash = unsentCash(data?.operations ?? []).reduce((sum, { importe }) => sum + importe, 0);
  return (
    <Panel title="Trabajar sin cobertura">
      <Stack>
        {!data && !isError && <Box h={115} />}
        {isError && <Text>Este navegador no puede guardar lo que haces sin cobertura.</Text>}
        {data && (
          <Group justify="space-between">
            <Text>
              {oldest
                ? `${count === 1 ? 'Queda 1 acto' : `Quedan ${count} actos`} por enviar; el más antiguo, del ${fechaHora(oldest.at)}.${cash > 0 ? ` En efectivo, ${money(cash)}.` : ''}`
                : 'Todo lo que has hecho en este teléfono está enviado.'}
            </Text>
            {oldest && (
              <Button variant="default" size="xs" disabled={send.isPending} onClick={() => send.mutate()}>
                Enviar ahora
              </Button>
            )}
          </Group>
        )}
        {data && (
          <Group justify="space-between">
            <Text flex="1 1 14rem">
              {data.kept
                ? 'El navegador guarda lo pendiente hasta que se envía.'
                : 'El navegador puede borrar lo pendiente si falta sitio o si pasan días sin abrir Enruta.'}
            </Text>
            {!data.kept && (
              <Button variant="default" size="xs" disabled={save.isPending} onClick={() => save.mutate()}>
                Pedir que lo guarde
              </Button>
            )}
          </Group>
        )}
        <Text c="dimmed">
          {isInstalled() ? 'Enruta está instalada en este teléfono.' : `Instala Enruta para no perder nada. ${installWords()}`}
        </Text>
      </Stack>
    </Panel>
  );
}
