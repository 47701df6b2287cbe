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
  Switch,
  Text,
  Textarea,
  type TextareaProps,
  TextInput,
} from '@mantine/core';
import type { useForm } from '@mantine/form';
import { fillTexto, MOMENTOS, type Placeholder, problemOfTexto } from '../../contract/avisos-cliente/fields.ts';
import { settingMomento } from '../../contract/settings/avisos.ts';
import { SETTINGS } from '../../contract/settings/fields.ts';
import type { Setting } from '../../contract/settings/setting.ts';
import type { ShownSettings } from '../../contract/settings/settings.ts';
import { type FieldName, isSecret } from '../../contract/settings/values.ts';
import { DayField } from '../ui/form/day-field.tsx';
import classes from './settings.module.css';

export type SettingValues = Partial<Record<FieldName, string | number | boolean>>;
export type InputsOf = Pick<ReturnType<typeof useForm<SettingValues>>, 'getInputProps'>;

const WITH_CENTS = { decimalScale: 2, decimalSeparator: ',', allowedDecimalSeparators: [',', '.'], allowNegative: false };

type Props = {
  name: FieldName;
  settings: ShownSettings;
  form: InputsOf;
  /** True if saving deletes the stored secret. */
  forgotten: boolean;
};

export function SettingInput({ name, settings, form, forgotten }: Props) {
  const { kind, label, hint, options, required }: Setting = SETTINGS[name];
  const props = form.getInputProps(name, kind === 'switch' ? { type: 'checkbox' } : {});
  const own = { ...props, label, description: hint };
  const common = { ...own, className: classes.field };
  if (kind === 'switch') return <Switch {...own} />;
  if (options) {
    const data = Object.entries(options).map(([value, words]) => ({ value, label: words }));
    return <Select {...common} data={data} />;
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
  if (name === 'ivaDesde') return <DayField {...common} styles={{ wrapper: { maxWidth: '12rem' } }} />;
  return <TextInput {...common} required={!!required} withAsterisk={!!required} />;
}

const SAMPLE: Record<Placeholder, string> = {
  cliente: 'Ana Ruiz',
  pedido: 'ORD-2026000123',
  tienda: 'la tienda',
  direccion: 'Calle Mayor 3, 2.º B',
  dia: 'el jueves 26',
  repartidor: 'Tomás Gil',
  enlace: 'https://…/pagar/…',
};

type MessageFieldProps = TextareaProps & { name: string; value?: string; onRestore: (texto: string) => void };

/** Field for the text of a message to customers, with a preview. */
function MessageField({ name, value = '', onRestore, ...field }: MessageFieldProps) {
  const momento = settingMomento(name);
  if (!momento) return <Textarea {...field} value={value} />;
  const { texto, label } = MOMENTOS[momento];
  return (
    <div>
      <Textarea {...field} value={value} rows={4} maxLength={600} />
      {!problemOfTexto(momento, value) && value.trim() && (
        <Text c="dimmed" maw="34rem" mt={4} style={{ overflowWrap: 'anywhere' }}>
          Se leerá: {fillTexto(value, SAMPLE)}
        </Text>
      )}
      {value !== texto && (
        <Group gap="md" mt={4}>
          <Button variant="subtle" size="compact-sm" aria-label={`Volver al texto de Enruta: ${label}`} onClick={() => onRestore(texto)}>
            Volver al texto de Enruta
          </Button>
        </Group>
      )}
    </div>
  );
}
