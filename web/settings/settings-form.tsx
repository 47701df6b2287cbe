import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Switch.css';
import '@mantine/core/styles/ColorInput.css';
import '@mantine/core/styles/ColorPicker.css';
import '@mantine/core/styles/ColorSwatch.css';
import {
  Button,
  ColorInput,
  Group,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { SETTINGS } from '../../contract/settings/fields.ts';
import type { Setting, TabName } from '../../contract/settings/setting.ts';
import { getSettings, type ShownSettings, updateSettings } from '../../contract/settings/settings.ts';
import { type FieldName, fieldsOf, isSecret } from '../../contract/settings/values.ts';
import { call, useMutate } from '../api.ts';
import { setAppearance } from '../appearance.ts';
import type { Value } from '../ui/form/conflict.ts';
import { focusFirst } from '../ui/form/focus-first.ts';
import { useUnsaved } from '../ui/form/unsaved.ts';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { toast } from '../ui/page/toast.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { MessageField } from './message-field.tsx';
import classes from './settings.module.css';

type Values = Partial<Record<FieldName, string | number | boolean>>;

/** Form of a tab; saves only the changes. `campo`: the setting to begin at, if any. */
export function SettingsForm({ tab, settings, campo }: { tab: TabName; settings: ShownSettings; campo: string }) {
  const { setColorScheme } = useMantineColorScheme();
  const form = useForm<Values>({
    initialValues: valuesOf(tab, settings),
    validate: (values) =>
      Object.fromEntries(
        fieldsOf(tab).flatMap(([name, { required, problem }]) => {
          const value = String(values[name] ?? '').trim();
          const wrong = value ? problem?.(value) : required;
          return wrong ? [[name, wrong]] : [];
        }),
      ),
  });
  const {
    base = settings,
    fill,
    panel,
    settled,
    onStale,
  } = useConflict({
    record: settings,
    form,
    valuesOf: (stored) => valuesOf(tab, stored),
    read: async () => (await call(getSettings)).data,
    title: 'Otra persona ha cambiado la configuración mientras la editabas',
    label: (name) => SETTINGS[name as FieldName].label,
    show: (name, value) => wordsOf(SETTINGS[name as FieldName], value),
  });
  useUnsaved(form.isDirty);
  const save = useMutate(updateSettings, {
    form,
    onStale,
    success: 'Configuración guardada',
    failure: 'Error',
    invalidates: [getSettings],
    onSuccess: ({ data }) => {
      fill(data);
      settled();
      // Applies the business's appearance at once, even over this browser's own.
      if (tab === 'appearance') {
        const { theme, primaryColor, compactMode } = data;
        setAppearance({ primaryColor, compactMode });
        setColorScheme(theme);
      }
    },
  });

  // An untouched form follows changes saved by others. A changed one waits for the version conflict, so that no setting is overwritten
  // unseen.
  useEffect(() => {
    if (settings.version > base.version && !form.isDirty()) fill(settings);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is another object with every letter
  useEffect(() => {
    if (campo) focusFirst(form, { [campo]: true });
  }, [campo]);

  const submit = form.onSubmit(
    (values) => {
      const before = valuesOf(tab, base);
      const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name as FieldName]));
      save.mutate({ body: { ...changed, version: base.version } });
    },
    (errors) => {
      toast.error(String(Object.values(errors)[0]), { title: 'Error de validación' });
      focusFirst(form, errors);
    },
  );

  const stored = valuesOf(tab, base);
  const isAsked = ([, { providers }]: [FieldName, Setting]) => !providers || providers.some((name) => name === form.values.emailProvider);
  const isForgotten = (name: FieldName) =>
    isSecret(name) && base[`${name}Set`] && SETTINGS[name].isFor.some((of) => of in stored && form.values[of] !== stored[of]);

  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="sm">
        {panel}
        {fieldsOf(tab)
          .filter(isAsked)
          .map(([name, field]) => (
            <Input
              key={name}
              name={name}
              field={field}
              settings={settings}
              forgotten={isForgotten(name)}
              props={form.getInputProps(name, field.kind === 'switch' ? { type: 'checkbox' } : {})}
            />
          ))}
        <Group mt="xs">
          <Button type="submit" disabled={save.isPending}>
            {save.isPending ? 'Guardando...' : 'Guardar cambios'}
          </Button>
        </Group>
        <div className={classes.field}>
          {tab === 'database' && <ConnectionTest of="database" />}
          {tab === 'integrations' && <ConnectionTest of="mail" />}
        </div>
      </Stack>
    </form>
  );
}

const valuesOf = (tab: TabName, stored: ShownSettings): Values =>
  Object.fromEntries(fieldsOf(tab).map(([name]) => [name, isSecret(name) ? '' : stored[name]]));

const wordsOf = (field: Setting | undefined, value: Value): string =>
  typeof value === 'boolean' ? (value ? 'Sí' : 'No') : (field?.options?.[String(value)] ?? String(value ?? ''));

const WITH_CENTS = { decimalScale: 2, decimalSeparator: ',', allowedDecimalSeparators: [',', '.'], allowNegative: false };

type InputProps = {
  name: FieldName;
  field: Setting;
  settings: ShownSettings;
  /** Whether saving deletes the stored secret. */
  forgotten: boolean;
  props: ReturnType<ReturnType<typeof useForm<Values>>['getInputProps']>;
};

function Input({ name, field: { kind, label, hint, options, required, unavailable }, settings, forgotten, props }: InputProps) {
  const own = { ...props, label, description: hint };
  const common = { ...own, classNames: { root: classes.field, description: classes.hint } };
  if (unavailable) return <Switch label={label} description={hint} checked={false} disabled mt={4} />;
  if (kind === 'switch') return <Switch {...own} mt={4} />;
  if (options) {
    const data = Object.entries(options).map(([value, words]) => ({ value, label: words }));
    return <Select {...common} data={data} allowDeselect={false} />;
  }
  if (name === 'primaryColor')
    return (
      <ColorInput
        {...common}
        format="hex"
        eyeDropperButtonProps={{ 'aria-label': 'Tomar un color de la pantalla' }}
        swatches={['#3b82f6', '#0ea5e9', '#10b981', '#f59e0b', '#ef4444', '#8b5cf6', '#475569']}
      />
    );
  if (kind === 'multiline') return <MessageField {...common} name={name} onRestore={(texto) => props.onChange(texto)} />;
  if (isSecret(name))
    return (
      <PasswordInput
        {...common}
        autoComplete="new-password"
        placeholder={
          forgotten
            ? 'Al guardar se olvida la anterior'
            : settings[`${name}Set`]
              ? 'Guardada: deja en blanco para mantenerla'
              : 'Sin guardar'
        }
        description={
          forgotten ? `Escribe otra vez ${name === 'apiKey' ? 'la clave' : 'la contraseña'}: era para el servidor de antes` : hint
        }
      />
    );
  if (kind === 'integer' || kind === 'money') {
    const decimals = kind === 'money' ? WITH_CENTS : { allowDecimal: false };
    return <NumberInput {...common} {...decimals} hideControls styles={{ wrapper: { maxWidth: '10rem' } }} />;
  }
  return <TextInput {...common} required={!!required} withAsterisk={!!required} />;
}
