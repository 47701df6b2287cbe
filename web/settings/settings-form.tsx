import { Button, Group, NativeSelect, Stack, Table, useMantineColorScheme } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react';
import { SETTINGS } from '../../contract/settings/fields.ts';
import type { Setting } from '../../contract/settings/setting.ts';
import { getSettings, type ShownSettings, updateSettings } from '../../contract/settings/settings.ts';
import { type FieldName, isSecret } from '../../contract/settings/values.ts';
import { call, useMutate } from '../api.ts';
import { setAppearance } from '../appearance.ts';
import { useSession } from '../session/session.ts';
import { mergeValues, type Value } from '../ui/form/conflict.ts';
import { focusFirst } from '../ui/form/form-actions.tsx';
import { useConflict } from '../ui/form/use-conflict.tsx';
import { toast } from '../ui/page/toast.tsx';
import { type CardName, fieldsIn, isAsked, PROOFS } from './cards.ts';
import { type InputsOf, SettingInput, type SettingValues } from './setting-input.tsx';
import classes from './settings.module.css';
import '@mantine/core/styles/Table.css';
import { EXIGENCIAS, FORMA_LABEL, FORMAS_ENTREGA, PRUEBA_LABEL, PRUEBAS_DE, type PruebaPedida } from '../../contract/pruebas/fields.ts';

const FOLDED: Partial<Record<CardName, string>> = { avisos: 'Textos de los avisos', tienda: 'NIF, dirección y zona horaria' };

type Props = {
  card: CardName;
  settings: ShownSettings;
  /** Setting that gets the focus, if any. */
  campo: string;
  /** Returns true if there is unsaved input. */
  dirty: Ref<() => boolean>;
  children?: ReactNode;
};

/** Form of a card's settings `fields`: detects conflicts with other people, and saves only changed values. */
function useCardForm(card: CardName, settings: ShownSettings, fields: readonly FieldName[]) {
  const { setColorScheme } = useMantineColorScheme();
  const valuesOf = (stored: ShownSettings): SettingValues =>
    Object.fromEntries(fields.map((name) => [name, isSecret(name) ? '' : stored[name as keyof ShownSettings]]));
  const { email } = useSession();
  const form = useForm<SettingValues>({
    // Proposes the owner's e-mail for a new shop.
    initialValues: { ...valuesOf(settings), ...(card === 'tienda' && { companyEmail: settings.companyEmail || email }) },
    validate: (values) =>
      Object.fromEntries(
        fields.flatMap((name) => {
          const { required, problem }: Setting = SETTINGS[name];
          const value = String(values[name] ?? '').trim();
          const wrong = value ? problem?.(value) : required;
          return wrong ? [[name, wrong]] : [];
        }),
      ),
  });
  const read = async () => (await call(getSettings)).data;
  const {
    base = settings,
    fill,
    panel,
    settled,
    onStale,
  } = useConflict({
    record: settings,
    form,
    valuesOf,
    read,
    title: 'Otra persona ha cambiado la configuración mientras la editabas',
    label: (name) => SETTINGS[name as FieldName].label,
    show: (name, value) => wordsOf(SETTINGS[name as FieldName], value),
  });
  const before = valuesOf(base);
  const changes = () => Object.fromEntries(Object.entries(form.getValues()).filter(([name, value]) => value !== before[name as FieldName]));
  /** True if `stored` has no conflict with the settings typed here, because a colleague or another card changed other settings. */
  const isElsewhere = (stored: ShownSettings) => mergeValues(before, form.getValues(), valuesOf(stored)).differences.length === 0;
  const save = useMutate(updateSettings, {
    form,
    onStale: () =>
      void read().then(
        (stored) => (isElsewhere(stored) ? save.mutate({ body: { ...changes(), version: stored.version } }) : onStale()),
        onStale,
      ),
    success: 'Configuración guardada',
    failure: 'Error',
    onSuccess: ({ data }) => {
      fill(data);
      settled();
      // Applies the business's appearance at once, even over the appearance that this browser stores.
      if (card === 'aspecto') {
        const { theme, primaryColor, compactMode } = data;
        setAppearance({ primaryColor, compactMode });
        setColorScheme(theme);
      }
    },
  });

  // An untouched form follows changes saved by others. A changed form waits for the version conflict, so that no setting is
  // overwritten unseen.
  useEffect(() => {
    if (settings.version > base.version && !form.isDirty()) fill(settings);
  });

  return { form, base, before, panel, save, changes };
}

/** Form of one card; checks and saves only the changes of this card. */
export function SettingsForm({ card, settings, campo, dirty, children }: Props) {
  const { shown, advanced } = fieldsIn(card);
  const { form, base, before, panel, save, changes } = useCardForm(card, settings, [...shown, ...advanced]);
  useImperativeHandle(dirty, () => () => form.isDirty());

  const hasAdvanced = (names: readonly string[]) => advanced.some((name) => names.includes(name));
  const [folded, setFolded] = useState(() => !hasAdvanced([campo]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is a new object on every keystroke
  useEffect(() => {
    if (!campo) return;
    if (hasAdvanced([campo])) setFolded(false);
    focusFirst(form, { [campo]: true });
  }, [campo]);
  if (folded && hasAdvanced(Object.keys(form.errors))) setFolded(false);

  const submit = form.onSubmit(
    () => save.mutate({ body: { ...changes(), version: base.version } }),
    (errors) => {
      toast.error(String(Object.values(errors)[0]), { title: 'Error de validación' });
      focusFirst(form, errors);
    },
  );

  const isForgotten = (name: FieldName) =>
    isSecret(name) && base[`${name}Set`] && SETTINGS[name].isFor.some((of) => of in before && form.values[of] !== before[of]);
  const input = (name: FieldName) => <SettingInput key={name} name={name} settings={settings} form={form} forgotten={isForgotten(name)} />;
  const asked = (names: readonly FieldName[]) =>
    names.filter((name) => isAsked(name, form.values) && !PROOFS.some((proof) => proof === name));

  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack>
        {panel}
        {asked(shown).map(input)}
        {card === 'pruebas' && form.values.proofOfDelivery && <ProofTable form={form} />}
        {asked(advanced).length > 0 && (
          <details open={!folded} onToggle={({ currentTarget }) => setFolded(!currentTarget.open)} className={classes.advanced}>
            <summary>{FOLDED[card] ?? 'Avanzado'}</summary>
            <Stack mt="sm">{asked(advanced).map(input)}</Stack>
          </details>
        )}
        <Group gap="md" mt="xs">
          <Button type="submit" disabled={save.isPending}>
            {save.isPending ? 'Guardando...' : 'Guardar cambios'}
          </Button>
        </Group>
        {children}
      </Stack>
    </form>
  );
}

const wordsOf = (field: Setting | undefined, value: Value): string =>
  typeof value === 'boolean' ? (value ? 'Sí' : 'No') : (field?.options?.[String(value)] ?? String(value ?? ''));

const KINDS = Object.keys(PRUEBA_LABEL) as PruebaPedida[];
const OPTIONS = Object.entries(EXIGENCIAS).map(([value, label]) => ({ value, label }));
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const ProofTable = ({ form }: { form: InputsOf }) => (
  <Table className={classes.proofs} withRowBorders={false} verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Cómo se entrega</Table.Th>
        {KINDS.map((kind) => (
          <Table.Th key={kind}>{capital(PRUEBA_LABEL[kind])}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {FORMAS_ENTREGA.map((forma) => (
        <Table.Tr key={forma}>
          <Table.Th scope="row">{FORMA_LABEL[forma]}</Table.Th>
          {KINDS.map((kind) => {
            const name = `prueba_${forma}_${kind}` as FieldName;
            if (!(PRUEBAS_DE[forma] as readonly string[]).includes(kind)) return <Table.Td key={kind} className={classes.noProof} />;
            return (
              <Table.Td key={kind} data-kind={capital(PRUEBA_LABEL[kind])}>
                <NativeSelect size="xs" aria-label={SETTINGS[name].label} data={OPTIONS} {...form.getInputProps(name)} />
              </Table.Td>
            );
          })}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
