import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { can } from '../../../contract/policy.ts';
import { useSession } from '../../session/session.ts';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { ClienteFields } from '../cliente-fields.tsx';
import { LineasFields } from '../lineas/lineas-fields.tsx';
import { orderedOf } from '../lineas/values.ts';
import type { usePacks } from '../pack-picker.tsx';
import { KnownCliente } from './known-cliente.tsx';
import classes from './new.module.css';
import { Summary, type SummaryProps } from './summary.tsx';
import type { useCreate } from './use-create.ts';
import { type Total, useTotal } from './use-total.ts';

type Props = Pick<ReturnType<typeof useCreate>, 'form' | 'saving'> &
  Pick<SummaryProps, 'submit' | 'disabled' | 'onCancel' | 'children'> & {
    onSubmit: ReturnType<typeof useCreate>['submit'];
    packs: ReturnType<typeof usePacks>;
    /** Title of the error when the packs cannot be loaded. */
    failure: string;
    /** Further inputs, below the lines. */
    inputs?: (total: Total | undefined) => ReactNode;
  };

/** A new order: its customer, its lines, and what it costs. */
export function NewPedido({ form, onSubmit, packs: { packs, error, refetch }, failure, inputs, ...summary }: Props) {
  const free = can(useSession(), 'pedido:create-free');
  const ordered = orderedOf(form.values.lineas, packs);
  const total = useTotal(ordered, form.values);
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
            <>
              <LineasFields form={form} packs={packs} free={free} />
              {inputs && <div className={classes.inputs}>{inputs(total)}</div>}
            </>
          )}
        </Paper>
      </div>
      <Summary ordered={ordered} total={total} {...summary} />
    </form>
  );
}
