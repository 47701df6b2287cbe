import { Paper, Select, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { listUsers } from '../../contract/users.ts';
import { useApi } from '../api.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ClienteFields } from './cliente-fields.tsx';
import { cantidadOf } from './nuevo/cantidad.ts';
import { ClienteConocido } from './nuevo/cliente-conocido.tsx';
import classes from './nuevo/nuevo.module.css';
import { PackCantidad } from './nuevo/pack-cantidad.tsx';
import { Resumen } from './nuevo/resumen.tsx';
import { useTotal } from './nuevo/use-total.ts';
import { AvisosPanel } from './nuevo-admin/avisos-panel.tsx';
import { useNuevoAdmin } from './nuevo-admin/use-nuevo-admin.ts';
import { usePacks } from './pack-picker.tsx';

/** A superadmin's new order (specification, section 2.9). */
export default function NuevoAdminPage() {
  const navigate = useNavigate();
  const leave = () => void navigate({ to: '/pedidos' });
  const packs = usePacks();
  const { form, submit, complete, saving } = useNuevoAdmin(packs.packs, leave);
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
            <ClienteFields form={form} Finder={ClienteConocido} />
          </Paper>
          <PackCantidad form={form} packs={packs} pack={pack} failure="No se pudieron cargar datos iniciales">
            <Select
              {...resellerInput}
              label="Revendedor (opcional)"
              placeholder="Sin revendedor"
              data={active.map(({ id, full_name }) => ({ value: id, label: full_name }))}
              value={form.values.revendedor_id || null}
              onChange={(value) => resellerInput.onChange(value ?? '')}
              error={resellerInput.error ?? resellers.error?.message}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': 'Quitar el revendedor' }}
              nothingFoundMessage="Ningún revendedor se llama así"
            />
          </PackCantidad>
        </div>
        <Resumen
          pack={pack}
          cantidad={cantidad}
          total={total}
          saving={saving}
          submit="Crear pedido"
          disabled={!complete || !packs.packs}
          onCancel={leave}
        >
          <AvisosPanel values={form.values} />
        </Resumen>
      </form>
    </>
  );
}
