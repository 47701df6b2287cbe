import { Button, Paper, Title } from '@mantine/core';
import { useState } from 'react';
import type { Pedido } from '../../contract/pedidos.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { ClienteFields } from './cliente-fields.tsx';
import { CreatedDialog } from './new/created-dialog.tsx';
import { KnownCliente } from './new/known-cliente.tsx';
import classes from './new/new.module.css';
import { PackQuantity } from './new/pack-quantity.tsx';
import { cantidadOf } from './new/quantity.ts';
import { Summary } from './new/summary.tsx';
import { useNewForm } from './new/use-new-form.ts';
import { useTotal } from './new/use-total.ts';
import { usePacks } from './pack-picker.tsx';

const DISCARD = {
  title: 'Descartar borrador',
  message: 'Se borrará todo lo que has escrito en este formulario.',
  confirm: 'Descartar',
  danger: true,
};

export default function NewPedidoPage() {
  const { id } = useSession();
  const [created, setCreated] = useState<Pedido>();
  const { form, submit, restart, saving, restored, filled } = useNewForm(id, setCreated);
  const packs = usePacks();

  // The pack of an old draft may have been withdrawn.
  const pack = packs.packs?.find((p) => p.id === form.values.pack_id);
  const cantidad = cantidadOf(form.values.cantidad);
  const total = useTotal(pack, cantidad);

  async function discard() {
    if (await confirm(DISCARD)) restart();
  }

  return (
    <>
      <PageHeader
        title="Nuevo Pedido"
        subtitle={restored && filled ? 'Se ha recuperado el borrador que dejaste a medias.' : undefined}
        actions={
          filled && (
            <Button variant="default" onClick={() => void discard()} disabled={saving}>
              Descartar borrador
            </Button>
          )
        }
      />
      <form onSubmit={submit} noValidate className={classes.layout}>
        <div className={classes.main}>
          <Paper p="md">
            <Title order={2} mb="sm">
              Datos del Cliente
            </Title>
            <ClienteFields form={form} Finder={KnownCliente} />
          </Paper>
          <PackQuantity form={form} packs={packs} pack={pack} failure="No se pudieron cargar los packs" />
        </div>
        <Summary pack={pack} cantidad={cantidad} total={total} saving={saving} />
      </form>
      <CreatedDialog pedido={created} onClose={() => setCreated(undefined)} />
    </>
  );
}
