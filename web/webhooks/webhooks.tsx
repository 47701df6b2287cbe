import { Badge, Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconDots,
  IconHistory,
  IconKey,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconSend,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react';
import { useState } from 'react';
import { plural } from '../../contract/text/plural.ts';
import { WEBHOOK_EVENTS } from '../../contract/webhooks/fields.ts';
import {
  changeWebhookSecret,
  deleteWebhook,
  type EntregaWebhook,
  listEntregas,
  listWebhooks,
  reenviarEntrega,
  testWebhook,
  type Webhook,
} from '../../contract/webhooks/webhooks.ts';
import { useApi, useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { fechaHora, number } from '../ui/format/format.ts';
import { EmptyState, Loaded, Records, Skeletons } from '../ui/list/loaded.tsx';
import { Pages } from '../ui/list/pages.tsx';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import { toast } from '../ui/page/toast.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import classes from './webhooks.module.css';

export function Webhooks() {
  const webhooks = useApi(listWebhooks, {});
  // Keeps the webhook while its dialog fades out.
  const [open, setOpen] = useState<{ what?: 'form' | 'entregas'; webhook?: Webhook | undefined }>({});
  const [secret, setSecret] = useState<{ text: string; shown: boolean }>({ text: '', shown: false });
  const show = (text: string) => setSecret({ text, shown: true });
  const close = () => setOpen(({ webhook }) => ({ webhook }));
  const current = webhooks.data?.data.find(({ id }) => id === open.webhook?.id) ?? open.webhook;
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setOpen({ what: 'form' })}>
      Nuevo webhook
    </Button>
  );

  return (
    <section aria-labelledby="webhooks" className={classes.section}>
      <Group justify="space-between" gap="sm" mt="xl" mb="sm">
        <div>
          <Title order={2} size="h4" id="webhooks">
            Webhooks
          </Title>
          <Text c="dimmed">Avisos automáticos a otros programas.</Text>
        </div>
        {webhooks.data && webhooks.data.data.length > 0 && add}
      </Group>
      <Records
        query={webhooks}
        failed="No se pudieron cargar los webhooks"
        label="Webhooks"
        empty={
          <EmptyState
            icon={<IconWebhook size={20} stroke={1.6} />}
            title="Ningún programa recibe avisos"
            hint="Un webhook avisa al momento a otro programa (tu tienda, la contabilidad, el almacén) de los pedidos y del stock bajo."
            action={add}
          />
        }
        row={(webhook) => (
          <Line
            key={webhook.id}
            webhook={webhook}
            onEdit={() => setOpen({ what: 'form', webhook })}
            onEntregas={() => setOpen({ what: 'entregas', webhook })}
            onSecret={show}
          />
        )}
      />
      <WebhookDialog webhook={current} opened={open.what === 'form'} onClose={close} onSecret={show} />
      <EntregasDialog webhook={current} opened={open.what === 'entregas'} onClose={close} />
      <SecretDialog secret={secret.text} opened={secret.shown} onClose={() => setSecret((now) => ({ ...now, shown: false }))} />
    </section>
  );
}

type LineProps = { webhook: Webhook; onEdit: () => void; onEntregas: () => void; onSecret: (secret: string) => void };

function Line({ webhook, onEdit, onEntregas, onSecret }: LineProps) {
  const { id, url, descripcion, eventos, con_precios, is_active, clave, esperando, fallidas } = webhook;
  const params = { id };
  const host = new URL(url).host;
  const test = useMutate(testWebhook, {
    success: false,
    failure: 'No se pudo probar',
    invalidates: [listWebhooks, listEntregas],
    onSuccess: ({ message, data }) => (data.enviado ? toast.success(message) : toast.error(message)),
  });
  const renew = useMutate(changeWebhookSecret, {
    success: false,
    failure: 'No se pudo cambiar el secreto',
    invalidates: [listWebhooks],
    onSuccess: ({ secreto }) => onSecret(secreto),
  });
  const remove = useMutate(deleteWebhook, { failure: 'No se pudo eliminar el webhook', invalidates: [listWebhooks] });
  const askRenew = () =>
    void confirm({
      title: 'Cambiar el secreto',
      message: `Desde ahora todo se firma con otro. ${host} no aceptará los avisos hasta que lo pongas allí.`,
      confirm: 'Cambiar el secreto',
      danger: true,
      action: () => renew.mutateAsync({ params }),
    });
  const askRemove = () =>
    void confirm({
      title: 'Eliminar el webhook',
      message: `${host} dejará de recibir avisos, también los que estaban por enviar. No se puede deshacer.`,
      confirm: 'Eliminar',
      danger: true,
      action: () => remove.mutateAsync({ params }),
    });

  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <Text fw={600}>{descripcion ?? host}</Text>
        <Text variant="detail">{url}</Text>
        <Text variant="detail">
          {eventos.map((name) => WEBHOOK_EVENTS[name]).join(', ')} · {con_precios ? 'con precios' : 'sin precios'}
        </Text>
        {clave && (
          <Text size="xs" c={clave.activa ? 'dimmed' : 'red'}>
            De la clave «{clave.nombre}»{clave.activa ? '' : ', que ya no vale: no se envía nada'}
          </Text>
        )}
        {(fallidas > 0 || esperando > 0) && (
          <Group mt={8}>
            {fallidas > 0 && <Badge color="red">{number(fallidas)} sin entregar</Badge>}
            {esperando > 0 && <Badge color="gray">{number(esperando)} en espera</Badge>}
          </Group>
        )}
      </div>
      <Group wrap="nowrap" className={classes.state}>
        <ActiveBadge active={is_active} />
        <Menu>
          <Menu.Target>
            <Button variant="default" size="xs" mih={36} aria-label={`Acciones de ${descripcion ?? host}`} loading={test.isPending}>
              <IconDots size={16} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconSend size={16} />} onClick={() => test.mutate({ params })}>
              Probar
            </Menu.Item>
            <Menu.Item leftSection={<IconHistory size={16} />} onClick={onEntregas}>
              Ver entregas
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
              Editar
            </Menu.Item>
            <Menu.Item leftSection={<IconKey size={16} />} onClick={askRenew}>
              Cambiar el secreto
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={askRemove}>
              Eliminar
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
    </li>
  );
}

/** Shows a webhook's secret once. Only the button closes the dialog. */
const SecretDialog = ({ secret, opened, onClose }: { secret: string; opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Secreto del webhook" size="md" dismissible={false} fillsPhone={false}>
    <Stack>
      <Text>
        Con él comprueba el otro programa que los avisos son de Enruta. <strong>No se volverá a mostrar</strong>: cópialo allí ahora. Si se
        pierde, «Cambiar el secreto» hace otro.
      </Text>
      <code className={classes.secret}>{secret}</code>
      <Group justify="space-between">
        <CopyButton data-autofocus copy={() => copyOr(secret, 'No se pudo copiar el secreto')}>
          Copiar el secreto
        </CopyButton>
        <Button onClick={onClose}>Lo he guardado</Button>
      </Group>
    </Stack>
  </Dialog>
);

const PER_PAGE = 10;
const EVENTS: Record<string, string> = { ...WEBHOOK_EVENTS, prueba: 'Prueba' };
const ESTADO: Record<EntregaWebhook['estado'], { words: string; color: string; Icon: typeof IconCheck }> = {
  enviado: { words: 'Enviado', color: 'green', Icon: IconCheck },
  esperando: { words: 'En espera', color: 'gray', Icon: IconClock },
  fallido: { words: 'Fallido', color: 'red', Icon: IconAlertTriangle },
};

type Props = { webhook: Webhook | undefined; opened: boolean; onClose: () => void };

/** Deliveries of a webhook in the last month, with a button to resend a delivery. */
const EntregasDialog = ({ webhook, opened, onClose }: Props) => (
  <Dialog opened={opened && !!webhook} onClose={onClose} title="Entregas del último mes" size="lg">
    {webhook && <Content key={webhook.id} webhook={webhook} />}
  </Dialog>
);

function Content({ webhook: { id, is_active } }: { webhook: Webhook }) {
  const [page, setPage] = useState(1);
  const entregas = useApi(
    listEntregas,
    { params: { id }, query: { page, per_page: PER_PAGE } },
    // New deliveries arrive in the background.
    { keepPrevious: true, staleTime: 0, refetchInterval: 5_000 },
  );
  const { data, isPlaceholderData } = entregas;
  return (
    <Stack gap="xs">
      <Loaded query={entregas} failed="No se pudieron cargar las entregas" waiting={<Skeletons gap={8} heights={[54, 54, 54, 54]} />}>
        {({ data: rows, total }) =>
          total === 0 ? (
            <EmptyState title="Todavía no se ha enviado nada" hint="Los avisos aparecerán aquí. «Probar» envía uno ahora mismo." />
          ) : (
            <ul className={classes.entregas} aria-label="Entregas" aria-busy={isPlaceholderData}>
              {rows.map((entrega) => (
                <EntregaLine key={entrega.id} entrega={entrega} canResend={is_active} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {data && data.total > PER_PAGE && (
        <Pages of={data} noun="entregas" onPage={setPage} shown={data.data.length} busy={isPlaceholderData} />
      )}
    </Stack>
  );
}

function EntregaLine({ entrega, canResend }: { entrega: EntregaWebhook; canResend: boolean }) {
  const { id, tipo, asunto, created_at, estado, intentos, error, proximo_at } = entrega;
  const resend = useMutate(reenviarEntrega, { failure: 'No se pudo reenviar', invalidates: [listEntregas, listWebhooks] });
  const { words, color, Icon } = ESTADO[estado];
  const title = [EVENTS[tipo] ?? tipo, asunto].filter(Boolean).join(' · ');
  const tries = plural(intentos, 'intento');
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <Text fw={600}>{title}</Text>
        <Text variant="detail">
          {[fechaHora(created_at), tries, proximo_at && intentos > 0 && `el próximo, ${fechaHora(proximo_at)}`].filter(Boolean).join(' · ')}
        </Text>
        {error && <Text>{error}</Text>}
      </div>
      <Group wrap="nowrap" className={classes.state}>
        <Badge color={color} leftSection={<Icon size={12} aria-hidden />}>
          {words}
        </Badge>
        {estado !== 'esperando' && canResend && (
          <Button
            variant="default"
            size="xs"
            mih={36}
            leftSection={<IconRefresh size={14} aria-hidden />}
            disabled={resend.isPending}
            onClick={() => resend.mutate({ params: { id } })}
            aria-label={`Reenviar ${title}`}
          >
            Reenviar
          </Button>
        )}
      </Group>
    </li>
  );
}
