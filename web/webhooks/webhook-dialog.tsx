import '@mantine/core/styles/Switch.css';
import { Checkbox, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { NO_EVENTS, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, WEBHOOK_FIELDS } from '../../contract/webhooks/fields.ts';
import { createWebhook, listWebhooks, updateWebhook, type Webhook } from '../../contract/webhooks/webhooks.ts';
import { call, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import type { Value } from '../ui/form/conflict.ts';
import { DialogForm, onValid } from '../ui/form/form-actions.tsx';
import { fieldInputs, problemsIn } from '../ui/form/rules.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';

type Props = { webhook: Webhook | undefined; opened: boolean; onClose: () => void; onSecret: (secret: string) => void };

/** Creates a webhook, whose secret goes to `onSecret`, or edits `webhook`. */
export const WebhookDialog = ({ webhook, opened, onClose, onSecret }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title={webhook ? 'Editar webhook' : 'Nuevo webhook'}>
    {(inDialog) => <WebhookForm key={webhook?.id} webhook={webhook} onClose={onClose} onSecret={onSecret} {...inDialog} />}
  </FormDialog>
);

const LABELS: Record<keyof WebhookValues, string> = {
  url: WEBHOOK_FIELDS.url.label,
  descripcion: WEBHOOK_FIELDS.descripcion.label,
  eventos: 'Eventos',
  con_precios: 'Con precios',
  is_active: 'Activo',
};

const showValue = (field: keyof WebhookValues, value: Value): string => {
  if (typeof value === 'boolean') return value ? 'Sí' : 'No';
  const text = String(value ?? '');
  return field === 'eventos'
    ? eventsIn(text)
        .map((name) => WEBHOOK_EVENTS[name])
        .join(', ')
    : text;
};

// Mounted on every opening, so that the form starts from the webhook's current values.
function WebhookForm({ webhook, onClose, onSecret, ...inDialog }: Omit<Props, 'opened'> & InDialog) {
  const form = useForm({ initialValues: webhookValues(webhook), validate: webhookProblems });
  const input = fieldInputs(WEBHOOK_FIELDS, form.getInputProps);
  const create = useMutate(createWebhook, {
    form,
    // The secret dialog confirms the creation.
    success: false,
    failure: 'No se pudo crear el webhook',
    invalidates: [listWebhooks],
    onSuccess: ({ secreto }) => {
      onClose();
      onSecret(secreto);
    },
  });
  const conflict = useConflict({
    record: webhook,
    form,
    valuesOf: webhookValues,
    read: async () => (await call(listWebhooks)).data.find(({ id }) => id === webhook?.id),
    title: 'Otra persona ha cambiado este webhook mientras lo editabas',
    label: (field) => LABELS[field],
    show: showValue,
  });
  const update = useMutate(updateWebhook, {
    form,
    failure: 'No se pudo actualizar el webhook',
    invalidates: [listWebhooks],
    onStale: conflict.onStale,
    onSuccess: onClose,
  });
  const saving = create.isPending || update.isPending;
  const submit = onValid(form, (values) => {
    const { base } = conflict;
    if (base) update.mutate({ params: { id: base.id }, body: updateWebhookBody(values, base) });
    else create.mutate({ body: createWebhookBody(values) });
  });
  const { value, onChange, error } = form.getInputProps('eventos');

  return (
    <DialogForm
      onSubmit={submit}
      {...inDialog}
      form={form}
      gap="md"
      submit={webhook ? 'Guardar cambios' : 'Crear webhook'}
      pending={webhook ? 'Guardando...' : 'Creando...'}
      busy={saving}
    >
      {conflict.panel}
      <TextInput
        {...input('url')}
        description="La que te da el otro programa"
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        data-autofocus
      />
      <TextInput {...input('descripcion')} description="Para reconocerlo en la lista" autoComplete="off" />
      <Checkbox.Group label="Eventos" value={eventsIn(value)} onChange={(names) => onChange(names.join(','))} error={error}>
        <Stack gap="sm" mt={8} mb={4}>
          {WEBHOOK_EVENT_NAMES.map((name) => (
            <Checkbox key={name} value={name} label={WEBHOOK_EVENTS[name]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Switch
        {...form.getInputProps('con_precios', { type: 'checkbox' })}
        label="Con precios"
        description="Si no, de los pedidos no se envían precios, pagos ni el enlace de pago"
      />
      <Switch
        {...form.getInputProps('is_active', { type: 'checkbox' })}
        label="Activo"
        description="Al desactivarlo se abandona lo que esperaba"
      />
    </DialogForm>
  );
}

/** Form values; events as comma-separated text. A new webhook gets all events, without prices. */
const webhookValues = (webhook?: Webhook) => ({
  url: webhook?.url ?? '',
  descripcion: webhook?.descripcion ?? '',
  eventos: (webhook?.eventos ?? WEBHOOK_EVENT_NAMES).join(','),
  con_precios: webhook?.con_precios ?? false,
  is_active: webhook?.is_active ?? true,
});
type WebhookValues = ReturnType<typeof webhookValues>;

const eventsIn = (text: string) => WEBHOOK_EVENT_NAMES.filter((name) => text.split(',').includes(name));

const createWebhookBody = (values: WebhookValues): BodyIn<typeof createWebhook> => ({
  ...values,
  eventos: eventsIn(values.eventos),
});

/** Returns only the fields that differ from `base`, because some changes require the password. */
function updateWebhookBody(values: WebhookValues, base: Webhook): BodyIn<typeof updateWebhook> {
  const before: Record<string, unknown> = webhookValues(base);
  const trimmed = { ...values, url: values.url.trim(), descripcion: values.descripcion.trim() };
  const changed = Object.entries(trimmed).filter(([name, value]) => before[name] !== value);
  const { eventos, ...fields } = Object.fromEntries(changed) as Partial<WebhookValues>;
  return { ...fields, ...(eventos !== undefined && { eventos: eventsIn(eventos) }), version: base.version };
}

const webhookProblems = ({ url, descripcion, eventos }: WebhookValues): Record<string, string> => ({
  ...problemsIn(WEBHOOK_FIELDS, { url, descripcion }),
  ...(eventsIn(eventos).length === 0 && { eventos: NO_EVENTS }),
});
