import { NumberInput, Paper, Select, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { listUsers } from '../../contract/users.ts';
import { useApi } from '../api.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ClienteFields } from './cliente-fields.tsx';
import { ClienteConocido } from './nuevo/cliente-conocido.tsx';
import classes from './nuevo/nuevo.module.css';
import { Resumen } from './nuevo/resumen.tsx';
import { cantidadOf } from './nuevo/use-nuevo-form.ts';
import { useTotal } from './nuevo/use-total.ts';
import { AvisosPanel } from './nuevo-admin/avisos-panel.tsx';
import { useNuevoAdmin } from './nuevo-admin/use-nuevo-admin.ts';
import { PackPicker, usePacks } from './pack-picker.tsx';

/** A superadmin's new order (specification, section 2.9). */
export default function NuevoAdminPage() {
  const navigate = useNavigate();
  const leave = () => void navigate({ to: '/pedidos' });
  const { packs, error, refetch } = usePacks();
  const { form, submit, complete, saving } = useNuevoAdmin(packs, leave);
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });

  // The chosen pack may have been withdrawn meanwhile.
  const pack = packs?.find(({ id }) => id === form.values.pack_id);
  const cantidad = cantidadOf(form.values);
  const total = useTotal(pack, cantidad);
  const packInput = form.getInputProps('pack_id');
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
          <Paper p="md" component="section" aria-labelledby="pack">
            <Title order={2} id="pack" mb="sm">
              Selección de Pack
            </Title>
            {error && !packs ? (
              <ErrorState title="No se pudieron cargar datos iniciales" error={error} onRetry={() => void refetch()} />
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
                <NumberInput
                  {...form.getInputProps('cantidad')}
                  label="Cantidad"
                  withAsterisk
                  aria-required
                  min={1}
                  max={9999}
                  allowDecimal={false}
                  allowNegative={false}
                  clampBehavior="none"
                  inputMode="numeric"
                  autoComplete="off"
                />
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
              </div>
            )}
          </Paper>
        </div>
        <Resumen
          pack={pack}
          cantidad={cantidad}
          total={total}
          saving={saving}
          submit="Crear pedido"
          disabled={!complete || !packs}
          onCancel={leave}
        >
          <AvisosPanel values={form.values} />
        </Resumen>
      </form>
    </>
  );
}
