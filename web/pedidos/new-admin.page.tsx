import { Paper, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { listUsers } from '../../contract/users.ts';
import { useApi } from '../api.ts';
import { Picker } from '../ui/form/picker.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { ClienteFields } from './cliente-fields.tsx';
import { KnownCliente } from './new/known-cliente.tsx';
import classes from './new/new.module.css';
import { PackQuantity } from './new/pack-quantity.tsx';
import { cantidadOf } from './new/quantity.ts';
import { Summary } from './new/summary.tsx';
import { useTotal } from './new/use-total.ts';
import { useNewAdmin } from './new-admin/use-new-admin.ts';
import { WarningsPanel } from './new-admin/warnings-panel.tsx';
import { usePacks } from './pack-picker.tsx';

/** A superadmin's new order (specification, section 2.9). */
export default function NewAdminPage() {
  const navigate = useNavigate();
  const leave = () => void navigate({ to: '/pedidos' });
  const packs = usePacks();
  const { form, submit, complete, saving } = useNewAdmin(packs.packs, leave);
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });

  // The chosen pack may have been withdrawn meanwhile.
  const pack = packs.packs?.find(({ id }) => id === form.values.pack_id);
  const cantidad = cantidadOf(form.values.cantidad);
  const total = useTotal(pack, cantidad);
  const resellerInput = form.getInputProps('revendedor_id');
  const active = (resellers.data?.data ?? []).filter(({ is_active }) => is_active);

  return (
    <>
      <PageHeader title="Crear pedido" />
      <form onSubmit={submit} noValidate className={classes.layout} aria-label="Crear pedido">
        <div className={classes.main}>
          <Paper p="md" component="section" aria-labelledby="cliente">
            <Title order={2} id="cliente" mb="sm">
              Datos del Cliente
            </Title>
            <ClienteFields form={form} Finder={KnownCliente} />
          </Paper>
          <PackQuantity form={form} packs={packs} pack={pack} failure="No se pudieron cargar datos iniciales">
            <Picker
              {...resellerInput}
              label="Revendedor (opcional)"
              placeholder="Sin revendedor"
              data={active.map(({ id, full_name }) => ({ value: id, label: full_name }))}
              value={form.values.revendedor_id || null}
              onChange={(value) => resellerInput.onChange(value ?? '')}
              error={resellerInput.error ?? resellers.error?.message}
              clearable
              clearButtonProps={{ 'aria-label': 'Quitar el revendedor' }}
              nothingFoundMessage="Ningún revendedor se llama así"
            />
          </PackQuantity>
        </div>
        <Summary
          pack={pack}
          cantidad={cantidad}
          total={total}
          saving={saving}
          submit="Crear pedido"
          disabled={!complete || !packs.packs}
          onCancel={leave}
        >
          <WarningsPanel values={form.values} />
        </Summary>
      </form>
    </>
  );
}
