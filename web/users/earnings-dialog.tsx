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

type Account = { iban: string; titular: string };
const typedAccount = ({ iban, titular }: Reglas): Account => ({ iban: iban ?? '', titular: titular ?? '' });
// Sent only if changed, because a change of account asks for the password.
const changedAccount = (typed: Account, before: Account) => ({
  ...(typed.iban.trim() !== before.iban && { iban: typed.iban.trim() || null }),
  ...(typed.titular.trim() !== before.titular && { titular: typed.titular.trim() || null }),
});
const wrongAccount = (typed: string) => (typed.trim() && !isIban(typed) ? 'El IBAN no es válido' : null);

type AccountProps = { typed: Account; owner: string; propsOf: (name: keyof Account) => object };
/** Account of a person; asks for its holder once there is an account, because banks compare the name. */
const AccountFields = ({ typed, owner, propsOf }: AccountProps) => (
  <>
    <TextInput
      label="IBAN para pagarle"
      description="Para el fichero de transferencias de Liquidaciones"
      maxLength={42}
      autoComplete="off"
      {...propsOf('iban')}
    />
    {typed.iban.trim() !== '' && (
      <TextInput
        label="Titular de la cuenta"
        description={`Como lo tiene su banco, si no es «${owner}»: se compara antes de cada transferencia`}
        maxLength={70}
        autoComplete="off"
        {...propsOf('titular')}
      />
    )}
  </>
);

function MarginForm({ rules, user, dirty, onCancel, onDone }: Inner & { rules: Reglas }) {
  const { margen, version } = rules;
  const form = useForm({
    // The version read, to detect changes by another user.
    initialValues: {
      version,
      tipo: (margen?.tipo ?? NONE) as Margen['tipo'] | typeof NONE,
      valor: shown(margen?.valor),
      ...typedAccount(rules),
    },
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
  const submit = onValid(form, ({ version, tipo, valor, ...account }) =>
    save.mutate({
      params: { id: user.id },
      body: {
        version,
        margen: tipo === NONE ? null : { tipo, valor: parseNumber(valor) },
        ...changedAccount(account, typedAccount(rules)),
      },
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
      <AccountFields typed={form.values} owner={user.full_name} propsOf={form.getInputProps} />
    </DialogForm>
  );
}

const ZONES = Object.keys(ZONAS) as Zona[];
const FEES = { entrega: 'Entrega (€)', intento: 'Intento fallido (€)' } as const;

function FeesForm({ rules, user, dirty, onCancel, onDone }: Inner & { rules: Reglas }) {
  const { tarifas, version } = rules;
  const form = useForm({
    initialValues: {
      version,
      ...typedAccount(rules),
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
        ...changedAccount(values, typedAccount(rules)),
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
      <AccountFields typed={form.values} owner={user.full_name} propsOf={form.getInputProps} />
    </DialogForm>
  );
}
