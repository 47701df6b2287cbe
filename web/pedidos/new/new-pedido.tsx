import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pack } from '../../../contract/products.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { ClienteFields } from '../cliente-fields.tsx';
import { PackPicker, packsLeft, type usePacks } from '../pack-picker.tsx';
import { KnownCliente } from './known-cliente.tsx';
import classes from './new.module.css';
import { cantidadOf } from './quantity.ts';
import { Summary, type SummaryProps } from './summary.tsx';
import type { useCreate } from './use-create.ts';
import { useTotal } from './use-total.ts';

type Props = Pick<ReturnType<typeof useCreate>, 'form' | 'saving'> &
  Pick<SummaryProps, 'submit' | 'disabled' | 'onCancel'> & {
    onSubmit: ReturnType<typeof useCreate>['submit'];
    packs: ReturnType<typeof usePacks>;
    /** Title of the error when the packs cannot be loaded. */
    failure: string;
    /** Further inputs, beside the pack. */
    inputs?: ReactNode;
    /** Rendered above the submit button. */
    children?: ReactNode;
  };

/** A new order: its customer, its pack, and what it costs. */
export function NewPedido({ form, onSubmit, packs: { packs, error, refetch }, failure, inputs, ...summary }: Props) {
  // The chosen pack may have been withdrawn meanwhile.
  const pack = packs?.find(({ id }) => id === form.values.pack_id);
  const cantidad = cantidadOf(form.values.cantidad);
  const total = useTotal(pack, cantidad);
  const packInput = form.getInputProps('pack_id');
  return (
    <form onSubmit={onSubmit} noValidate className={classes.layout} aria-label={summary.submit}>
      <div className={classes.main}>
        <Paper p="md" component="section" aria-labelledby="cliente">
          <Title order={2} id="cliente" mb="sm">
            Datos del Cliente
          </Title>
          <ClienteFields form={form} Finder={KnownCliente} />
        </Paper>
        <Paper p="md" component="section" aria-labelledby="pack">
          <Title order={2} id="pack" mb="sm">
            Selección de Pack
          </Title>
          {error && !packs ? (
            <ErrorState title={failure} error={error} onRetry={() => void refetch()} />
          ) : (
            <div className={classes.pack}>
              <PackPicker
                {...packInput}
                packs={packs}
                label="Pack"
                withAsterisk
                aria-required
                value={pack?.id ?? null}
                onChange={(value) => packInput.onChange(value ?? '')}
              />
              <NumberField
                {...form.getInputProps('cantidad')}
                label="Cantidad"
                description={pack && amountHint(pack)}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                withAsterisk
                aria-required
                min={1}
              />
              {inputs}
            </div>
          )}
        </Paper>
      </div>
      <Summary pack={pack} cantidad={cantidad} total={total} {...summary} />
    </form>
  );
}

function amountHint(pack: Pack): string | undefined {
  const size = pack.pack_quantity > 1 && `Packs de ${pack.pack_quantity} unidades`;
  return [size, packsLeft(pack)].filter(Boolean).join(' · ') || undefined;
}
