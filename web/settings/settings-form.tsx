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
import { useEffect, useState } from 'react';
import { getSettings, type ShownSettings, updateSettings } from '../../contract/settings.ts';
import { useMutate } from '../api.ts';
import { setAppearance } from '../appearance.ts';
import { focusFirst } from '../ui/form/focus-first.ts';
import { toast } from '../ui/page/toast.tsx';
import { ConnectionTest } from './connection-test.tsx';
import type { Field, FieldName, Tab } from './fields.ts';

type Values = Partial<Record<FieldName, string | number | boolean>>;

/** The form of one tab; saves only what was changed. */
export function SettingsForm({ tab, settings }: { tab: Tab; settings: ShownSettings }) {
  const { setColorScheme } = useMantineColorScheme();
  // The settings that the form started from, and whether the last save was refused because somebody saved first.
  const [base, setBase] = useState(settings);
  const [conflict, setConflict] = useState(false);
  const initial = valuesOf(tab, base);
  const form = useForm<Values>({
    initialValues: initial,
    validate: (values) =>
      Object.fromEntries(
        tab.fields
          .filter(({ name, required }) => required && !String(values[name] ?? '').trim())
          .map(({ name }) => [name, 'Nombre de empresa y email son obligatorios.']),
      ),
  });
  const save = useMutate(updateSettings, {
    form,
    success: 'Configuración guardada',
    failure: 'Error',
    invalidates: [getSettings],
    onSuccess: ({ data }) => {
      setBase(data);
      const kept = valuesOf(tab, data);
      form.setValues(kept);
      form.resetDirty(kept);
      // Applies the business's choice here at once, even over this browser's own.
      if (tab.value === 'appearance') {
        const { theme, primaryColor, compactMode } = data;
        setAppearance({ primaryColor, compactMode });
        setColorScheme(theme);
      }
    },
    onError: (error) => {
      setConflict(error.code === 'version');
      focusFirst(form, error.errors);
    },
  });

  // When somebody else has saved, updates the untouched fields. With unsaved changes it waits for the refusal,
  // so that nobody overwrites a setting without knowing.
  const outdated = settings.version > base.version;
  useEffect(() => {
    if (!outdated || (form.isDirty() && !conflict)) return;
    const [before, now] = [valuesOf(tab, base), valuesOf(tab, settings)];
    const touched = Object.entries(form.getValues()).filter(([name, value]) => value !== before[name as FieldName]);
    form.setValues({ ...now, ...Object.fromEntries(touched) });
    form.resetDirty(now);
    setBase(settings);
    setConflict(false);
  }, [outdated, conflict, form, tab, base, settings]);

  const submit = form.onSubmit(
    (values) => {
      const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== initial[name as FieldName]));
      save.mutate({ body: { ...changed, version: base.version } });
    },
    (errors) => {
      toast.error(String(Object.values(errors)[0]), { title: 'Error de validación' });
      focusFirst(form, errors);
    },
  );

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw="34rem">
        {tab.fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            settings={settings}
            props={form.getInputProps(field.name, field.kind === 'switch' ? { type: 'checkbox' } : {})}
          />
        ))}
        {tab.fields.length > 0 && (
          <Group mt="xs">
            <Button type="submit" disabled={save.isPending}>
              {save.isPending ? 'Guardando...' : 'Guardar cambios'}
            </Button>
          </Group>
        )}
        {tab.value === 'database' && <ConnectionTest of="database" />}
        {tab.value === 'integrations' && <ConnectionTest of="mail" />}
      </Stack>
    </form>
  );
}

const valuesOf = (tab: Tab, stored: ShownSettings): Values =>
  Object.fromEntries(tab.fields.map(({ name, kind }) => [name, kind === 'secret' ? '' : stored[name as keyof ShownSettings]]));

type InputProps = { field: Field; settings: ShownSettings; props: ReturnType<ReturnType<typeof useForm<Values>>['getInputProps']> };

function Input({ field: { name, label, kind, hint, options = [], required = false, unavailable }, settings, props }: InputProps) {
  const common = { ...props, label, description: hint };
  if (unavailable) return <Switch label={label} description={hint} checked={false} disabled mt={4} />;
  if (kind === 'switch') return <Switch {...common} mt={4} />;
  if (kind === 'choice') return <Select {...common} data={options} allowDeselect={false} />;
  if (kind === 'number') return <NumberInput {...common} allowDecimal={false} hideControls styles={{ wrapper: { maxWidth: '10rem' } }} />;
  if (kind === 'colour')
    return (
      <ColorInput
        {...common}
        format="hex"
        eyeDropperButtonProps={{ 'aria-label': 'Tomar un color de la pantalla' }}
        swatches={['#3b82f6', '#0ea5e9', '#10b981', '#f59e0b', '#ef4444', '#8b5cf6', '#475569']}
      />
    );
  if (kind === 'secret') {
    const set = name === 'apiKey' ? settings.apiKeySet : settings.smtpPasswordSet;
    return (
      <PasswordInput
        {...common}
        autoComplete="new-password"
        placeholder={set ? 'Guardada: deja en blanco para mantenerla' : 'Sin guardar'}
      />
    );
  }
  return <TextInput {...common} required={required} withAsterisk={required} />;
}
