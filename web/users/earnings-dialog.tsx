import { Group, Select, SimpleGrid, Skeleton, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { problemOf } from '../../contract/kit/fields.ts';
import { GANA_POR, MARGENES } from '../../contract/liquidaciones/fields.ts';
import { getGanancia, type Margen, type Reglas, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { isIban } from '../../contract/text/iban.ts';
import type { User } from '../../contract/users/users.ts';
import { ZONAS, type Zona } from '../../contract/zonas/zonas.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { parseNumber, showNumber } from '../ui/format/format.ts';
import { Loaded } from '../ui/list/loaded.tsx';

type Earner = Pick<User, 'id' | 'full_name'>;
export const EarningsDialog = ({ user, onClose }: { user: Earner | undefined; onClose: () => void }) => (
  <FormDialog opened={!!user} onClose={onClose} title={`Lo que gana ${user?.full_name ?? ''}`}>
    {(inDialog) => user && <Content key={user.id} user={user} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

type Inner = InDialog & { user: Earner; onDone: () => void };

function Content({ user, ...rest }: Inner) {
  // Ignores the cache, because a form keeps its initial values.
  const { data, isFetchedAfterMount, ...query } = useApi(getGanancia, { params: { id: user.id } }, { staleTime: 0 });
  const rules = { ...query, data: isFetchedAfterMount ? data : undefined };
  return (
    <Loaded query={rules} failed="No se pudo cargar lo que gana" waiting={<Skeleton h={180} role="status" aria-label="Cargando..." />}>
      {(data) =>
        GANA_POR[data.role] === 'margen' ? (
          <MarginForm rules={data} user={user} {...rest} />
        ) : (
          <FeesForm rules={data} user={user} {...rest} />
        )
      }
    </Loaded>
  );
}

const STAYS = 'Vale desde ahora: lo que ya se ha ganado no cambia.';
const NONE = 'nada';
const wrong = (typed: string) => typed.trim() !== '' && problemOf({ kind: 'money' }, parseNumber(typed));
const shown = (value: number | null | undefined) => (value == null ? '' : showNumber(value, 2));

// Sent only if changed, because a change of account asks for the password.
const accountOf = (typed: string, before: string | null) => (typed.trim() === (before ?? '') ? {} : { iban: typed.trim() || null });
const ACCOUNT = {
  label: 'IBAN para pagarle',
  description: 'Para el fichero de transferencias de Liquidaciones',
  maxLength: 42,
  autoComplete: 'off',
};
const wrongAccount = (typed: string) => (typed.trim() && !isIban(typed) ? 'El IBAN no es válido' : null);

function MarginForm({ rules: { margen, iban, version }, user, dirty, onCancel, onDone }: Inner & { rules: Reglas }) {
  const form = useForm({
    // The version read, to detect changes by another user.
    initialValues: { version, tipo: (margen?.tipo ?? NONE) as Margen['tipo'] | typeof NONE, valor: shown(margen?.valor), iban: iban ?? '' },
    validate: {
      iban: wrongAccount,
      valor: (typed, { tipo }) => {
        if (tipo === NONE) return null;
        if (!typed.trim() || wrong(typed)) return 'Indica cuánto gana';
        return tipo === 'porcentaje' && parseNumber(typed) > 100 ? 'Como máximo 100 %' : null;
      },
    },
  });
  const save = useMutate(setGanancia, { success: 'Guardado', failure: 'No se pudo guardar lo que gana', onSuccess: onDone });
  const { tipo } = form.values;
  const submit = onValid(form, ({ version, tipo, valor, iban: account }) =>
    save.mutate({
      params: { id: user.id },
      body: { version, margen: tipo === NONE ? null : { tipo, valor: parseNumber(valor) }, ...accountOf(account, iban) },
    }),
  );
  return (
    <DialogForm onSubmit={submit} submit="Guardar" busy={save.isPending} onCancel={onCancel} form={form} dirty={dirty}>
      <Text c="dimmed">Por cada pedido suyo que se entrega. El porcentaje es de los productos con su descuento, sin el envío. {STAYS}</Text>
      <Group gap="sm" grow align="start">
        <Select
          label="Cómo gana"
          data={[{ value: NONE, label: 'No gana nada' }, ...Object.entries(MARGENES).map(([value, label]) => ({ value, label }))]}
          checkIconPosition="right"
          {...form.getInputProps('tipo')}
          value={tipo}
        />
        {tipo !== NONE && (
          <NumberField
            label={tipo === 'pack' ? 'Euros por pack' : 'Porcentaje (%)'}
            decimals={2}
            step={tipo === 'pack' ? 0.1 : 1}
            required
            {...form.getInputProps('valor')}
          />
        )}
      </Group>
      <TextInput {...ACCOUNT} {...form.getInputProps('iban')} />
    </DialogForm>
  );
}

const ZONES = Object.keys(ZONAS) as Zona[];
const FEES = { entrega: 'Entrega (€)', intento: 'Intento fallido (€)' } as const;

function FeesForm({ rules: { tarifas, iban, version }, user, dirty, onCancel, onDone }: Inner & { rules: Reglas }) {
  const form = useForm({
    initialValues: {
      version,
      iban: iban ?? '',
      tarifas: ZONES.map((zona) => {
        const set = tarifas.find((tarifa) => tarifa.zona === zona);
        return { zona, entrega: shown(set?.entrega), intento: shown(set?.intento) };
      }),
    },
    validate: {
      iban: wrongAccount,
      tarifas: {
        entrega: (typed: string) => (wrong(typed) ? 'Importe no válido' : null),
        intento: (typed: string) => (wrong(typed) ? 'Importe no válido' : null),
      },
    },
  });
  const save = useMutate(setGanancia, { success: 'Guardado', failure: 'No se pudo guardar lo que gana', onSuccess: onDone });
  const fee = (typed: string) => (typed.trim() ? parseNumber(typed) : null);
  const submit = onValid(form, (values) =>
    save.mutate({
      params: { id: user.id },
      body: {
        version: values.version,
        tarifas: values.tarifas.map(({ zona, entrega, intento }) => ({ zona, entrega: fee(entrega), intento: fee(intento) })),
        ...accountOf(values.iban, iban),
      },
    }),
  );
  return (
    <DialogForm onSubmit={submit} submit="Guardar" busy={save.isPending} onCancel={onCancel} form={form} dirty={dirty}>
      <Text c="dimmed">Por cada entrega y por cada intento fallido. Lo que queda vacío se paga como en la península. {STAYS}</Text>
      {ZONES.map((zona, i) => (
        <fieldset key={zona} style={{ border: 0, margin: 0, padding: 0 }}>
          <Text component="legend" fw={600} p={0} mb={4}>
            {ZONAS[zona].label}
          </Text>
          <SimpleGrid cols={2} spacing="sm">
            {(Object.keys(FEES) as (keyof typeof FEES)[]).map((name) => (
              <NumberField
                key={name}
                label={FEES[name]}
                decimals={2}
                step={0.1}
                placeholder={zona === 'peninsula' ? 'Nada' : 'Como la península'}
                {...form.getInputProps(`tarifas.${i}.${name}`)}
              />
            ))}
          </SimpleGrid>
        </fieldset>
      ))}
      <TextInput {...ACCOUNT} {...form.getInputProps('iban')} />
    </DialogForm>
  );
}
